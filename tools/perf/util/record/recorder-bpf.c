// SPDX-License-Identifier: GPL-2.0-only
/* The BPF programs that run at samples: those that walk stacks, and those that read ids. */
#include "../base/log.h"
#include "recorder-priv.h"

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
int recorder_bpf__load(struct recorder *r, struct error *err)
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

int recorder_bpf__attach(struct recorder *r, const struct event_set *set, struct error *err)
{
	if (r->walker)
		return stack_walker__attach(r->walker, set, err);
	return has_ids_by_bpf(r->opts) ? activity_reader__attach(r->activity, set, err) : 0;
}
