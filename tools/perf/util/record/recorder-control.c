// SPDX-License-Identifier: GPL-2.0-only
/* What another program tells a running recorder to do. */
#include "../base/log.h"
#include "recorder-priv.h"

#define MAX_REPORTED 5

static void list_events(const struct recorder *r, bool rates)
{
	for (size_t i = 0; i < r->set.list->specs.nr; i++) {
		const struct event_spec *spec = &r->set.list->specs.v[i];

		if (!spec->is_dummy && !rates)
			pr_info("%s\n", spec->name);
		else if (!spec->is_dummy)
			pr_info("%s: sample_%s=%llu\n", spec->name,
				spec->attr.freq ? "freq" : "period",
				(unsigned long long)spec->attr.sample_period);
	}
}

void recorder__toggle(struct recorder *r, const char *name, bool on)
{
	if (*name && !event_set__toggle(&r->set, name, on))
		pr_warn("--control: no event '%s' is being recorded\n", name);
	else if (!*name && on)
		event_set__enable(&r->set);
	else if (!*name)
		event_set__disable_samples(&r->set);
}

static void obey_one(struct recorder *r, enum control_command command, const char *arg)
{
	switch (command) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		if (!r->stopping)
			recorder__toggle(r, arg, command == CONTROL_ENABLE);
		break;
	case CONTROL_EVLIST:
		list_events(r, *arg);
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

/* The first ones only: what another program writes must not fill the terminal, or a log. */
static void report_unknown(struct control *c)
{
	if (c->unknown++ < MAX_REPORTED)
		pr_warn("--control: '%s' is not a command; commands are enable [EVENT], disable "
			"[EVENT], evlist, snapshot, ping and stop\n", c->line);
	else if (c->unknown == MAX_REPORTED + 1)
		pr_warn("--control: further unknown commands are not reported\n");
}

void recorder__obey(struct recorder *r)
{
	struct control *c = r->opts->control;
	enum control_command command;

	if (!c)
		return;
	control__begin_turn(c);
	while ((command = control__next(c)) != CONTROL_NONE) {
		if (command == CONTROL_UNKNOWN) {
			report_unknown(c);
			continue;
		}
		obey_one(r, command, c->arg);
		control__ack(c);
	}
}
