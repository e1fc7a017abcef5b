/* SPDX-License-Identifier: GPL-2.0-only */
/* perf report -T: what each thread's events counted, of recordings made with perf record -s. */
#ifndef PERF_REPORT_THREADS_H
#define PERF_REPORT_THREADS_H

#include "../base/index.h"
#include "../base/vec.h"
#include "../data/record.h"
#include "../data/recording.h"
#include "../text/textbuf.h"

#define THREAD_COUNTS_MAX (1 << 23) /* values of all threads: 64 MB */

struct thread_count {
	u32 pid, tid;
};

struct thread_counts {
	VEC(struct thread_count) threads; /* from 1, as they ended */
	VEC(u64) values;       /* at thread * events of the recording + event */
	struct index index;    /* of threads */
	u32 nr_left_out;       /* records of no event, of groups, or beyond the bound */
};

/* Takes what a record says; others than READ say nothing. @r: of all records */
void thread_counts__record(struct thread_counts *c, const struct record *rec,
			   const struct recording *r);

/*
 * Appends the table.
 * @raw: a line for each thread and event, in place of a column for each event
 */
void textbuf__thread_counts(struct textbuf *tb, const struct thread_counts *c,
			    const struct recording *r, bool raw);

/* Frees the counts, which may begin again. */
void thread_counts__free(struct thread_counts *c);

#endif
