/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options in front of the command: perf --no-pager report. They are passed on to commands in
 * the environment (as to a perf-COMMAND that is executed) or as the log level.
 */
#ifndef PERF_CLI_GLOBAL_OPTIONS_H
#define PERF_CLI_GLOBAL_OPTIONS_H

#include "../../../lib/unwind/core/types.h"

/* What replaces the command. */
enum global_ask {
	ASK_NOTHING,
	ASK_EXEC_PATH,     /* --exec-path without a value: where perf's own files are */
	ASK_HTML_PATH,     /* --html-path: where its manuals are */
	ASK_COMMANDS,      /* --list-cmds: words, for completion */
	ASK_OPTIONS,       /* --list-opts: the same */
	ASK_EVENTS,        /* --list-events: the same */
};

struct global_options {
	enum global_ask ask;
	bool paginate;     /* whatever the command is */
};

/*
 * Parses the options at the start of the command line, up to the first other word.
 * Returns: the number of words taken; -1 after a message on stderr.
 */
int global_options__take(struct global_options *g, int argc, const char **argv);

/* Prints their names in a line, for completion. */
void global_options__list(void);

#endif
