/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a file some thousand at a time, so that those that come next are known: their
 * addresses are read of debug information together (symbols__on_ahead()).
 */
#ifndef PERF_PIPELINE_AHEAD_H
#define PERF_PIPELINE_AHEAD_H

#include "../data/reader.h"
#include "../state/machine.h"
#include "../symbol/symbols.h"

struct ahead;

/*
 * @r: at its first record; no stream; borrowed
 * @m: the state, where threads and mappings of samples are looked for; borrowed
 * Returns: what ahead__free() frees.
 */
struct ahead *ahead__new(struct reader *r, struct machine *m);

/* @a may be NULL. */
void ahead__free(struct ahead *a);

/* Returns: the next record, in the order of the file, as reader__next(); NULL: at the end. */
struct record *ahead__next(struct ahead *a);

/*
 * For symbols__on_ahead(): visits the user addresses of callchains that come next. The same records
 * are looked at a few times at most, whoever asks.
 * @ahead: the context
 * @each: called for each of them, until it returns false
 * @each_ctx: its context
 */
void ahead__visit(void *ahead, symbols_ahead_fn each, void *each_ctx);

#endif
