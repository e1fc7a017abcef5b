/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the messages of account__tell() and of the symbols, for commands. */
#ifndef PERF_CLI_ACCOUNT_SAY_H
#define PERF_CLI_ACCOUNT_SAY_H

#include "../symbol/symbols.h"
#include "../text/account-text.h"

void account__say(enum account_severity severity, const char *text);

/* Explains why symbols are missing that were needed, and what to do. */
void account__say_symbols(struct symbols *s);

#endif
