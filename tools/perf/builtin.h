/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands. To add one:
 *  1. builtin-NAME.c with cmd_NAME(): parse options into a local struct, build a pipeline, run
 *     it, print. No logic below that in the file.
 *  2. its prototype here and its line in perf.c's table (kept sorted).
 *  3. Documentation/perf-NAME.txt, and a line in perf.txt. SYNOPSIS is the usage, OPTIONS are
 *     those of -h; the [source,sh] blocks of EXAMPLES are run by a test (see tests/source/docs.py).
 *  4. the folder tests/shell/NAME. The "docs" tests check that 1 to 3 agree.
 */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include <stddef.h>

struct command {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *help; /* one line for the list of commands */
	const char *words; /* for completion: what may come first behind the name; NULL: none */
};

/* Of builtin-help.c. A table of @commands ends with one without a name. */

/* What `perf` alone prints. */
void help__list_commands(const struct command *commands);

/* `perf --list-cmds`: the names of all commands, another perf's included. */
void help__list_names(const struct command *commands);

/* `perf help [COMMAND]`: as the cmd_*() below. */
int help__run(const struct command *commands, int argc, const char **argv);

/* argv[0] is the command's name. The result is the exit status. */
int cmd_bench(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stitch(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_unwind(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

#endif
