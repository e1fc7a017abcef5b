// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that are in the kernel when a recording with deferred callchains ends: before the events
 * that bring these are disabled, their stacks are read.
 */
#include <stdlib.h>

#include "../base/log.h"
#include "../io/side-process.h"
#include "../live/asleep.h"
#include "recorder-priv.h"

static bool read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	return asleep__read_memory(ctx, addr, to, size);
}

static int read_stack(void *ctx, u32 tid, u64 *pc, struct unwind_stack *stack)
{
	struct asleep *a = ctx;
	int ret = asleep__read(a, tid);

	if (ret) {
		pr_debug("thread %u: %s\n", tid, strerror(-ret));
		return ret;
	}
	*pc = a->pc;
	*stack = (struct unwind_stack){
		.start = a->sp, .data = a->stack, .size = a->size, .read = read_memory, .ctx = a,
	};
	return 0;
}

static bool is_still(void *ctx)
{
	return asleep__is_still(ctx);
}

static void read_stacks(struct recorder *r,
			void (*read)(struct pipeline *p, const struct stack_reader *reader))
{
	struct asleep *a = xmalloc(sizeof(*a));
	const struct stack_reader reader = { read_stack, is_still, a };

	a->reader = process_memory__reader();
	read(r->pipeline, &reader);
	side_process__free(a->reader);
	free(a);
}

void recorder__read_asleep(struct recorder *r)
{
	read_stacks(r, pipeline__read_waiting);
}

void recorder__read_slept(struct recorder *r)
{
	read_stacks(r, pipeline__read_slept);
}

void recorder__end_off_cpu(struct recorder *r)
{
	struct event_clock clock;

	if (pipeline__off_cpu(r->pipeline) && !event_clock__init(&clock, r->live))
		off_cpu__until(pipeline__off_cpu(r->pipeline), event_clock__now(&clock));
}

static int add_lost(void *ctx, size_t event, const struct perf_counts_values *count)
{
	u64 *lost = ctx;

	*lost += count->lost;
	return 0;
}

void recorder__check_asleep(struct recorder *r)
{
	u64 lost = 0;

	event_set__each_count(&r->set, add_lost, &lost);
	if (lost > pipeline__account(r->pipeline)->lost)
		pipeline__forget_waiting(r->pipeline);
}
