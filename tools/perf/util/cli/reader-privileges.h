/* SPDX-License-Identifier: GPL-2.0-only */
/* The capabilities that report, script, stitch and unwind keep when root runs them: security.md. */
#ifndef PERF_CLI_READER_PRIVILEGES_H
#define PERF_CLI_READER_PRIVILEGES_H

#include <stdbool.h>

/*
 * To be called before anything of a recording or of a binary is read, but after a pager is started,
 * which is a program of the user and keeps the user's capabilities. A second call changes nothing.
 * @output: the file that will be written; NULL: none
 */
void reader__drop_privileges(const char *output);

/*
 * Returns: whether this process may do what other users may not: it is root's, has capabilities, or
 *         is setuid.
 */
bool reader__has_privileges(void);

#endif
