/* SPDX-License-Identifier: GPL-2.0-only */
/* How commands print what account__tell(), and the symbols, have to say. */
#ifndef PERF_CLI_ACCOUNT_SAY_H
#define PERF_CLI_ACCOUNT_SAY_H

#include "../symbol/symbols.h"
#include "../text/account-text.h"

void account__say(enum account_severity severity, const char *text);

/* Names that were looked for, and are not there: why, and what helps. */
void account__say_symbols(struct symbols *s);

#endif
