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
 * The same for what reads the files of a process through /proc/PID/root: as root of any, with
 * capabilities of perf's file of none but the user's own.
 * @output: the file that will be written; NULL: none
 */
void reader__drop_privileges_but_looking(const char *output);

/*
 * Gives up all capabilities that perf's file has: before code of who starts perf runs in this
 * process. Of what the user has by himself nothing is given up.
 */
void reader__drop_privileges_of_file(void);

/*
 * The same as the first for a script of the user, which makes files in the current folder by
 * itself: as root can anywhere else, in the folder of another user, too.
 */
void reader__drop_privileges_of_script(void);

/*
 * Returns: whether this process may do what other users may not: it is root's, has capabilities, or
 *         is setuid.
 */
bool reader__has_privileges(void);

#endif
