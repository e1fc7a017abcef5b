/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the messages of account__describe(), of the symbols and of tracepoints, for commands. */
#ifndef PERF_CLI_ACCOUNT_PRINT_H
#define PERF_CLI_ACCOUNT_PRINT_H

#include "../data/tracepoint.h"
#include "../jit/jit-dumps.h"
#include "../symbol/symbols.h"
#include "../text/account-text.h"

/* Prints a message of account__describe(), @text, as a warning or an error. */
void account__print(enum account_severity severity, const char *text);

/* Says that code of jitdump files is missing, and why. */
void account__print_jit(const struct jit_account *a);

/* Names the binaries that could not be read, why, and what to do. */
void account__print_missing(const struct symbols *s);

/* Explains why symbols are missing that were needed, and what to do; with the above. */
void account__print_symbols(struct symbols *s);

/* Says that fields of tracepoints are missing, and why. */
void account__print_tracepoints(const struct tracepoints *t);

#endif
