/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of samples of the event `offcpu-time`: begun when a thread leaves its CPU. */
#ifndef PERF_OFF_CPU_MADE_SAMPLE_H
#define PERF_OFF_CPU_MADE_SAMPLE_H

#include "../sample/whole-sample.h"
#include "wait.h"

/* What attr.config1 and .config2 of the event say; the kernel never sees them. */
#define MADE_NO_STACKS 1 /* .config1: switches had no samples, so waits have no stacks */
/* .config2: the shortest wait that is a sample, ns */

/*
 * Makes the attr of the event.
 * @like: of the event that samples the switches
 * @min_ns: the shortest wait
 */
void made_sample__attr(struct perf_event_attr *out, const struct perf_event_attr *like,
		       u64 min_ns);

/* Returns: whether samples of @ev are such as made_sample__attr() describes, and it has an id. */
bool made_sample__fits(const struct evsel *ev);

/* A sample that is being made, with what is known of its stack. */
struct made_sample {
	struct perf_event_header *hdr; /* behind this struct, in the same memory */
	u64 nr_user;                   /* frames at the end of the chain that completed it */
	enum user_part user_part;
	enum deferred_result deferred;
	enum unwind_stop stop;
	u32 found[UNWIND_METHOD_NR];
	const u8 *methods;             /* of .nr_user frames, behind the record; or NULL */
	size_t wait_size;              /* bytes at the end of the record: struct off_cpu_wait */
	size_t bytes;                  /* of all of it */
};

/*
 * Begins a sample.
 * @ev: the event, which made_sample__fits()
 * @of: the sample of the switch, whose stack it gets; NULL: it has none
 * @pid, @tid: the thread
 * @flags: of the wait: whether it WAIT_HAS_ARG
 * Returns: the sample, for free(), without time, CPU and period; a chain that does not fit into a
 *         record is cut at its outer end.
 */
struct made_sample *made_sample__new(const struct evsel *ev, const struct whole_sample *of,
				     u32 pid, u32 tid, u16 flags);

/*
 * Completes it.
 * @time: of its end
 * @cpu: on which it ended
 * @w: the period is the sum of its two times
 */
void made_sample__finish(struct made_sample *m, const struct evsel *ev, u64 time, u32 cpu,
			 const struct off_cpu_wait *w);

/*
 * Describes a completed sample as complete__sample() would.
 * @ws: .rec and .s are set, of .hdr; the chain and where it came from are filled in
 */
void made_sample__describe(const struct made_sample *m, struct whole_sample *ws);

#endif
