/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands. To add one:
 *  1. builtin-NAME.c with cmd_NAME(): parses options into a local struct, and calls NAME__run() of
 *     the room util/NAME, which gets the struct as const. At most 150 lines.
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

/* builtin-help.c */

/* Prints what `perf` alone prints. @commands: a table that ends with a command without a name. */
void help__list_commands(const struct command *commands);

/*
 * `perf --list-cmds`: prints the names of all commands, another perf's included. @commands: as
 * above.
 */
void help__list_names(const struct command *commands);

/* `perf help [COMMAND]`. @commands: as above. Returns the exit status. */
int help__run(const struct command *commands, int argc, const char **argv);

/* The commands. argv[0] is the command's name. Return the exit status. */
int cmd_annotate(int argc, const char **argv);
int cmd_bench(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_archive(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_config(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stitch(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_unwind(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

/* Parts of perf data. argv[0] is the part's name. Return the exit status. */
int data__convert(int argc, const char **argv);
int data__push(int argc, const char **argv);
int cmd_whole(int argc, const char **argv);

#endif
