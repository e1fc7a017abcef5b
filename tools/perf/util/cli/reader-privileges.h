/* SPDX-License-Identifier: GPL-2.0-only */
/* What root's report, script, stitch and unwind keep of his capabilities: see security.md. */
#ifndef PERF_CLI_READER_PRIVILEGES_H
#define PERF_CLI_READER_PRIVILEGES_H

#include <stdbool.h>

/*
 * To be called before anything of a recording or of a binary is read, but not before a pager is
 * started, which is a program of the user and keeps what he has. Twice is once. @output: the file
 * that will be written; NULL: none.
 */
void reader__drop_privileges(const char *output);

/* May this process do what another user may not? Root, or one with capabilities, or setuid. */
bool reader__has_privileges(void);

#endif
