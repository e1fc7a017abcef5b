/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debug files and binaries from the servers in $DEBUGINFOD_URLS, by build-id: debuginfod(8). By
 * libdebuginfod, which is loaded when something is first asked for, and keeps what it got in its
 * own cache on disk. Nothing is asked for unless the variable is set.
 *
 * The library talks to the network, so it does that in a process of its own, without capabilities.
 * Whatever a server sends is judged by its build-id. Each build-id is asked for once, also when it
 * was not there. A server that sends nothing for 20 s ($DEBUGINFOD_TIMEOUT, in seconds) is given up
 * with its request, all servers after two of those or after 5 minutes in all; and no file may have
 * more than 4 GB.
 */
#ifndef PERF_BINARY_DEBUGINFOD_H
#define PERF_BINARY_DEBUGINFOD_H

#include "../base/error.h"
#include "../data/recording.h"

struct debuginfod;

/* How the user sees what goes on. */
struct debuginfod_opts {
	/*
	 * Called about ten times a second while something is loaded. May be NULL.
	 * @name: the binary that it is for; NULL: nothing is loaded any more
	 * @done, @total: bytes; @total is 0 while it is not known
	 */
	void (*progress)(void *ctx, const char *name, u64 done, u64 total);
	void *ctx;
	/* What debuginfod__start() has returned: the same is used by all. NULL: a new one. */
	struct debuginfod *started;
};

/*
 * @opts: copied
 * Returns: what debuginfod__free() frees; NULL when $DEBUGINFOD_URLS names nothing.
 */
struct debuginfod *debuginfod__new(const struct debuginfod_opts *opts);

/*
 * The same, and the processes that ask are forked now, while they can: those that a confined
 * process forks could not connect.
 * @opts: copied
 * Returns: as debuginfod__new().
 */
struct debuginfod *debuginfod__start(const struct debuginfod_opts *opts);

/* Frees it when all that have made it are done with it. @d may be NULL. */
void debuginfod__free(struct debuginfod *d);

enum debuginfod_kind {
	DEBUGINFOD_BINARY,
	DEBUGINFOD_DEBUG,
};

/*
 * Asks for a file.
 * @d: NULL: nothing is found
 * @id: its build-id; it has that for certain
 * @name: what the user is told
 * Returns: a descriptor that the caller owns; -ENOENT: it is not there, or was asked for before
 *         and is not; another -errno.
 */
int debuginfod__find(struct debuginfod *d, enum debuginfod_kind kind, const struct build_id *id,
		     const char *name);

/*
 * Says what went wrong.
 * @d: may be NULL
 * Returns: 0: nothing did; -errno with words.
 */
int debuginfod__error(const struct debuginfod *d, struct error *err);

#endif
