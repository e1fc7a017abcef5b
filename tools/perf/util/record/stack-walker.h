/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf record --defer=bpf: a BPF program walks user stacks at the moment of each sample
 * (Documentation/design/bpf-walk.md). Here it is loaded, attached and given to the rings and to the
 * pipeline.
 */
#ifndef PERF_RECORD_STACK_WALKER_H
#define PERF_RECORD_STACK_WALKER_H

#include "../bpf-walk/walk-tables.h"
#include "../complete/kernel-walk.h"
#include "../live/event-set.h"
#include "../live/ring-side.h"
#include "activity-reader.h"

struct stack_walker;

struct stack_walk_wish {
	bool on;
	bool check; /* each stack is copied as well, and the two are compared */
	bool optional; /* where it cannot be, stacks are copied, without a complaint */
};

struct stack_walk_account {
	struct walk_tables_stats tables;
	u64 lost; /* chains that found no room in the rings */
	bool on;  /* there was a program */
};

/*
 * Loads the program. To be called before the events are opened.
 * @out: for stack_walker__free()
 * @activity: whose program is part of this one, so that an event has one; borrowed; NULL: none
 * Returns: 0; -errno with words that say what is missing.
 */
int stack_walker__new(struct stack_walker **out, const struct stack_walk_wish *wish,
		      struct activity_reader *activity, struct error *err);

/* Ends all. @w may be NULL. To be called when rings and pipeline are gone. */
void stack_walker__free(struct stack_walker *w);

/* Attaches the program. Returns 0; -errno with words. */
int stack_walker__attach(struct stack_walker *w, const struct event_set *set, struct error *err);

/*
 * @event: of what the program writes
 * Returns: what goes into rings_opts.side.
 */
struct ring_side_opts stack_walker__side(struct stack_walker *w, const struct evsel *event);

/* Returns: what goes into pipeline_opts. */
struct kernel_walk stack_walker__kernel_walk(struct stack_walker *w);

/*
 * Prepares for stacks that are likely to come, for some 2 ms: to be called when none is there.
 * Returns: whether there is more to do. @w may be NULL.
 */
bool stack_walker__go_on(struct stack_walker *w);

/* Fills @out, when the rings have ended. */
void stack_walker__account(const struct stack_walker *w, struct stack_walk_account *out);

#endif
