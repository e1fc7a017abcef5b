/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds a variable that a library or program exports, in each process that has it mapped: by such
 * variables runtimes show debuggers what they do. Each file is looked into once.
 */
#ifndef PERF_JIT_EXPORTED_H
#define PERF_JIT_EXPORTED_H

#include "../binary/binaries.h"
#include "../state/machine.h"

struct exported;

/*
 * @binaries: borrowed
 * @symbol: the name of the variable; borrowed
 * @library: a part of the name of its file, without folders; NULL: it may be in any. Borrowed
 * Returns: what exported__free() frees.
 */
struct exported *exported__new(struct binaries *binaries, const char *symbol, const char *library);

/* @x may be NULL. */
void exported__free(struct exported *x);

/*
 * Looks through the mappings of a process, if they have changed since the last time, and if that
 * has not taken a tenth of the time so far.
 * @generation: that of the maps that were looked through last; ~0: none were. Set
 * @now: of the recording's clock
 * Returns: the variable's address; 0: it is not there.
 */
u64 exported__find(struct exported *x, const struct maps *maps, u64 *generation, u64 now);

/*
 * Calls @on for each variable that the file exports which has the variable at @addr.
 * @addr: of exported__find()
 * @prefix: what their names begin with, which @on is told without it
 */
void exported__each(struct exported *x, const struct maps *maps, u64 addr, const char *prefix,
		    void (*on)(void *ctx, const char *name, u64 addr), void *ctx);

/* The machine is about to forget @dso. */
void exported__forget(struct exported *x, const struct dso *dso);

/* Returns: how many mappings were looked at so far; for tests of growth. */
u64 exported__nr_maps(const struct exported *x);

#endif
