/* SPDX-License-Identifier: GPL-2.0-only */
/* perf report: what samples count in views of time, and the sort keys that come from switches. */
#ifndef PERF_REPORT_TIME_H
#define PERF_REPORT_TIME_H

#include "../off-cpu/parallelism.h"
#include "../off-cpu/time-parts.h"
#include "../off-cpu/wakers.h"
#include "../profile/hist.h"
#include "../stack/filter.h"

struct report_time_opts {
	bool off_cpu;           /* waits alone */
	bool wall;              /* waits and what runs as one event */
	bool latency;           /* periods divided by the parallelism */
	const char *only;       /* --parallelism: as it was given; NULL: any */
};

/* A command that ran where threads were that would have gone on, and for how long they waited. */
struct time_taker {
	const char *comm;
	u64 ns;
};

struct report_time {
	const struct report_time_opts *opts;
	struct cpu_set levels;  /* .opts->only */
	const struct column_list *keys;
	struct machine *machine;
	struct arena *arena;    /* of names; all four are borrowed */
	struct time_parts *parts;
	struct wakers *wakers;
	struct parallelism parallelism;
	bool counts_running;    /* .running is wanted */
	struct time_within within;
	VEC(struct time_taker) takers; /* by first appearance: of recordings of whole CPUs */
	struct map64 taker_of;  /* tid + 1 of who lost its CPU -> tid + 1 of who got it */
	/* Of the present sample. */
	u32 running;            /* threads on a CPU; 0: it is a wait, or not counted */
	const char *chain;      /* of its wakers */
};

/*
 * Begins. The options are set before, what is borrowed lives as long.
 * @o: the stage of the pipeline; NULL: it has none
 */
void report_time__begin(struct report_time *t, const struct off_cpu *o,
			const struct recording *rec);

/*
 * @ranges: of --time
 * Returns: the same for --times, until report_time__end(); NULL: all of the recording.
 */
const struct time_within *report_time__within(struct report_time *t,
					      const struct time_ranges *ranges);

/* Frees what the others made. */
void report_time__end(struct report_time *t);

/* To be called with each record that is no sample: who gets a CPU. */
void report_time__record(struct report_time *t, const struct record *rec);

/*
 * Divides a sample into the parts that are counted one by one; most samples are one part, their
 * period.
 * @out: has TIME_PARTS_MAX items
 * Returns: how many are filled; 0: the view does not have the sample.
 */
u32 report_time__parts(struct report_time *t, const struct whole_sample *ws, struct time_part *out);

/* Fills the fields of @c that come from a @part of the last sample. */
void report_time__describe(struct report_time *t, const struct time_part *part,
			   struct hist_context *c);

#endif
