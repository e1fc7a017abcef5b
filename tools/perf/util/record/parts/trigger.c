// SPDX-License-Identifier: GPL-2.0-only
/* --switch-output-event: events that are not recorded, but begin the next file. */
#include "../recorder-priv.h"

static int open_trigger(struct recorder *r, struct event_set *set, struct error *err)
{
	struct event_list *events = r->opts->switch_output.events;

	if (!events || set != &r->set)
		return 0;
	return trigger__open(&r->trigger, events, &r->target, r->sampling.enable_on_exec, err);
}

static void look(struct recorder *r, u64 now_ms __unused_arg)
{
	if (trigger__fired(&r->trigger))
		r->switch_wanted = true;
}

static void close_trigger(struct recorder *r)
{
	trigger__close(&r->trigger);
}

const struct recorder_part recorder_part__trigger = {
	.opened = open_trigger, .look = look, .close = close_trigger,
};
