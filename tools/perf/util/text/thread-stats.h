/* SPDX-License-Identifier: GPL-2.0-only */
/* The account of each thread: which of its samples are whole, and why the others are not. */
#ifndef PERF_TEXT_THREAD_STATS_H
#define PERF_TEXT_THREAD_STATS_H

#include "../sample/account.h"

struct thread_stats_row {
	u32 pid, tid;
	const char *comm; /* the last one; owned by the machine */
	struct pipeline_account account;
};

struct thread_stats {
	VEC(struct thread_stats_row) rows;
	struct map64 by_id; /* internal: pid and tid -> number of the row, from 1 */
};

/* Frees the rows. */
void thread_stats__free(struct thread_stats *st);

/* Counts a sample. */
void thread_stats__sample(struct thread_stats *st, const struct whole_sample *ws);

/* Sorts the rows, largest first. No more samples can be added. */
void thread_stats__sort(struct thread_stats *st);

#endif
