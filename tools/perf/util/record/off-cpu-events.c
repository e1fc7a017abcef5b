// SPDX-License-Identifier: GPL-2.0-only
#include "off-cpu-events.h"

#include <stdlib.h>
#include <string.h>

#include "../live/probe.h"
#include "../off-cpu/made-sample.h"
#include "../off-cpu/off-cpu.h"

/* The tracepoint says how a thread waits, and can leave out the idle tasks. */
static int add_switches(struct event_list *list, const struct target *target, bool every_task,
			struct error *err)
{
	const char *filter = "prev_pid != 0";
	int ret = every_task ? event_list__parse(list, "sched:sched_switch", NULL) : -EACCES;

	if (!ret && target->system_wide)
		ret = event_list__add_filter(list, filter, err);
	else if (ret)
		ret = event_list__parse(list, "context-switches", err);
	if (!ret)
		list->specs.v[list->specs.nr - 1].attr.sample_period = 1;
	return ret;
}

static const char *why_no_wakes(const struct target *target, bool every_task)
{
	if (!every_task)
		return "this needs permission to record every task (CAP_PERFMON)";
	if (!probe__first_pid_namespace())
		return "in a PID namespace, the kernel reports other thread numbers";
	if (target->per_thread)
		return "not with --per-thread";
	return NULL;
}

static void add_wakes(struct off_cpu_plan *plan, struct event_list *list,
		      const struct target *target)
{
	struct event_spec *spec;

	if (plan->no_wakes)
		return;
	if (event_list__parse(list, "sched:sched_waking/call-graph=no/", NULL)) {
		plan->no_wakes = "sched:sched_waking cannot be read from tracefs";
		return;
	}
	spec = &list->specs.v[list->specs.nr - 1];
	free(spec->name);
	spec->name = xstrdup("sched:sched_waking");
	spec->attr.sample_period = 1;
	/* Threads are woken by others, and from interrupts on any CPU. */
	spec->every_cpu = !target->system_wide || target->has_cpus;
	plan->wakes = true;
}

int off_cpu_events__add(struct off_cpu_plan *plan, struct event_list *list,
			const struct target *target, struct error *err)
{
	bool every_task = probe__every_task();
	int ret = add_switches(list, target, every_task, err);

	plan->no_wakes = why_no_wakes(target, every_task);
	if (!ret)
		add_wakes(plan, list, target);
	return ret;
}

/* The last event that can be it, as the stage looks for it. */
static const struct evsel *switch_event(const struct recording *rec)
{
	const struct evsel *found = NULL;

	for (size_t i = 0; i < rec->events.nr; i++) {
		const struct evsel *ev = rec->events.v[i];

		if (off_cpu__is_switch_event(ev))
			found = ev;
	}
	return found;
}

int off_cpu_events__describe(const struct off_cpu_plan *plan, struct recording *rec,
			     struct error *err)
{
	const struct evsel *leave = switch_event(rec);
	struct perf_event_attr attr;
	struct evsel *ev;
	u64 id = 0;

	if (!plan->on || !leave)
		return 0;
	for (size_t i = 0; i < rec->events.nr; i++)
		for (size_t k = 0; k < rec->events.v[i]->ids.nr; k++)
			id = max_of(id, rec->events.v[i]->ids.v[k]);
	made_sample__attr(&attr, &leave->attr, plan->min_ns);
	ev = recording__add_event(rec, &attr, sizeof(attr), OFF_CPU_EVENT, err);
	if (!ev)
		return -EINVAL;
	recording__add_id(rec, ev, id + 1);
	return 0;
}
