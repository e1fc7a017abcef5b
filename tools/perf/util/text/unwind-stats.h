/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the stack copies of a recording were unwound, by binary: its frames by the method that found
 * their callers, and the reasons for which stacks ended in it. Code in no binary (JIT code) is
 * "[unknown]".
 */
#ifndef PERF_TEXT_UNWIND_STATS_H
#define PERF_TEXT_UNWIND_STATS_H

#include "../sample/whole-sample.h"
#include "../symbol/symbols.h"
#include "textbuf.h"

struct unwind_stats_row {
	u64 frames[UNWIND_METHOD_NR]; /* whose callers were found by this method */
	u64 stops[UNWIND_STOP_NR];    /* of stacks whose last frame is in it */
	u64 nr_frames, nr_stops;
};

struct unwind_stats {
	struct machine *machine;            /* from unwind_stats__begin() */
	VEC(struct unwind_stats_row) by_dso; /* [0]: in none; [1 + id] */
	struct unwind_stats_row all;
	u64 samples;
};

/* Frees the rows. */
void unwind_stats__free(struct unwind_stats *st);

/* The functions of a sink, see sink.h. @stats is the context. Return 0. */
void unwind_stats__begin(void *stats, struct machine *machine, struct symbols *symbols);
int unwind_stats__sample(void *stats, const struct whole_sample *ws);

/*
 * @nr: out: their number
 * Returns: the indices of the rows that have frames or stops, most frames first; for free().
 */
u32 *unwind_stats__sorted(const struct unwind_stats *st, u32 *nr);

/* Returns: the name of the binary of @row. */
const char *unwind_stats__name(const struct unwind_stats *st, u32 row);

/* Prints a table. */
void unwind_stats__print(const struct unwind_stats *st, struct textbuf *tb);

#endif
