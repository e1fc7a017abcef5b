// SPDX-License-Identifier: GPL-2.0-only
/* The commands that another program gives to a running recorder. */
#include "recorder-priv.h"

void recorder__toggle(struct recorder *r, const char *name, bool on)
{
	const struct recorder_callbacks *cb = &r->opts->callbacks;

	if (r->agent) {
		if (!recorder_agent__toggle(r, name, on) && cb->no_event)
			cb->no_event(cb->ctx, name);
	} else if (*name) {
		if (!event_set__toggle(&r->set, name, on) && cb->no_event)
			cb->no_event(cb->ctx, name);
	} else if (on) {
		event_set__enable(&r->set);
	} else {
		event_set__disable_samples(&r->set);
	}
}

static void run_command(struct recorder *r, enum control_command command, const char *arg)
{
	const struct recorder_callbacks *cb = &r->opts->callbacks;

	switch (command) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		if (!r->stopping)
			recorder__toggle(r, arg, command == CONTROL_ENABLE);
		break;
	case CONTROL_EVLIST:
		if (cb->evlist)
			cb->evlist(cb->ctx, r->set.list, *arg);
		break;
	case CONTROL_SNAPSHOT:
		r->snapshot_wanted = true;
		break;
	case CONTROL_STOP:
		r->stop_wanted = true;
		break;
	default:
		break;
	}
}

void recorder__run_commands(struct recorder *r)
{
	const struct recorder_callbacks *cb = &r->opts->callbacks;
	struct control *c = r->opts->control;
	enum control_command command;

	if (!c)
		return;
	control__begin_turn(c);
	while ((command = control__next(c)) != CONTROL_NONE) {
		if (command == CONTROL_UNKNOWN) {
			if (cb->unknown_command)
				cb->unknown_command(cb->ctx, c->line);
			continue;
		}
		run_command(r, command, c->arg);
		control__ack(c);
	}
}
