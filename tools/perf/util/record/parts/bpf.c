// SPDX-License-Identifier: GPL-2.0-only
/* The BPF programs that run at samples: those that walk stacks, and those that read ids. */
#include "../../base/log.h"
#include "../recorder-priv.h"

/* The program that walks stacks, if it is wanted; and what that means for the events. */
static int load_walker(struct recorder *r, struct error *err)
{
	const struct stack_walk_wish *wish = &r->opts->walk;
	int ret = wish->on ? stack_walker__new(&r->walker, wish, r->activity, err) : 0;

	if (ret && wish->optional) {
		pr_debug("stacks are copied: %s\n", err->text);
		*err = (struct error){};
		ret = 0;
	}
	r->sampling.walk = r->walker;
	r->sampling.side |= r->sampling.walk;
	r->sampling.fp_chain &= !r->sampling.walk; /* it reads other stacks, too */
	return ret;
}

/* Whether a BPF program reads the ids of --activity. */
static bool has_ids_by_bpf(const struct recorder_opts *opts)
{
	return opts->activity.on && !opts->agent && !opts->activity.by_copy;
}

/* One that walks stacks reads the ids, too. */
static int load(struct recorder *r, struct error *err)
{
	const struct recorder_opts *opts = r->opts;
	bool ids = has_ids_by_bpf(opts);
	int ret = 0;

	r->sampling.side = ids;
	r->sampling.side_data = opts->activity.on;
	if (opts->activity.on)
		ret = activity_reader__new(&r->activity, &opts->activity, !ids, err);
	ret = ret ?: load_walker(r, err);
	if (ret || !ids || r->walker)
		return ret;
	return activity_reader__load(r->activity, err);
}

/* They run at the events of @set. */
static int attach(struct recorder *r, struct event_set *set, struct error *err)
{
	if (r->walker)
		return stack_walker__attach(r->walker, set, err);
	return has_ids_by_bpf(r->opts) ? activity_reader__attach(r->activity, set, err) : 0;
}

/* Ids are looked for in copies before these are used up. */
static void join(struct recorder *r, struct pipeline_opts *opts)
{
	if (r->walker) {
		opts->kernel_walk = stack_walker__kernel_walk(r->walker);
		r->sink.drop_rest = true;
	}
	if (r->opts->activity.by_copy) {
		r->activity_copy = activity_copy__new(r->activity);
		opts->sink = activity_copy__sink(r->activity_copy, &opts->sink);
	}
}

/* The event of what the BPF program writes; NULL: ids are read otherwise. */
static const struct evsel *side_event(const struct recorder *r)
{
	int at = event_set__side_event(&r->set);

	return at < 0 ? NULL : r->live->events.v[at];
}

static int start(struct recorder *r, struct rings_opts *opts, struct error *err)
{
	int ret = 0;

	if (r->activity) {
		opts->side = activity_reader__side(r->activity, side_event(r));
		ret = activity_reader__start(r->activity, err);
	}
	if (r->walker)
		opts->side = stack_walker__side(r->walker, side_event(r));
	return ret;
}

static void end(struct recorder *r)
{
	if (r->activity)
		activity_reader__stats(r->activity, &r->result->activity);
	if (r->walker)
		stack_walker__account(r->walker, &r->result->walk);
	if (r->activity_copy)
		r->result->copied_ids = activity_copy__found(r->activity_copy);
}

static void close_bpf(struct recorder *r)
{
	activity_copy__free(r->activity_copy);
	activity_reader__free(r->activity);
	stack_walker__free(r->walker);
}

const struct recorder_part recorder_part__bpf = {
	.prepare = load, .opened = attach, .join = join, .start = start, .end = end,
	.close = close_bpf,
};
