/* SPDX-License-Identifier: GPL-2.0-only */
/* Servers of debug files (debuginfod.h), for commands: with progress on a terminal. */
#ifndef PERF_CLI_DEBUG_SERVERS_H
#define PERF_CLI_DEBUG_SERVERS_H

#include "../binary/binary.h"
#include "../binary/debuginfod.h"

struct debug_servers {
	struct debuginfod_opts opts;
	bool on, drawn; /* internal, as the next: stderr is a terminal; something is drawn there */
	u64 next_ns;    /* when to draw again; 0: nothing is loaded */
};

/*
 * Lets files be asked for from the servers that the user names, if any.
 * @s: filled; must live as long as @opts is used
 * @opts: .debuginfod is set
 */
void debug_servers__use(struct debug_servers *s, struct binary_opts *opts);

#endif
