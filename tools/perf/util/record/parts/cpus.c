// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that come online while recording: they get events where that can be, or it is said. */
#include "../../base/log.h"
#include "../../live/synth-record.h"
#include "../recorder-priv.h"

/* Which events are enabled is not known where others may have changed that. */
static int open_events(struct recorder *r, int cpu)
{
	const struct event_set_opts opts = { .sampling = &r->sampling, .target = &r->target };
	struct error err = { .text = "not with these options" };
	struct event_set *late;
	int ret = -EOPNOTSUPP;

	if (!r->agent && !r->sampling.track_apart)
		ret = event_set__open_late(&r->set, &opts, cpu, &late, &err);
	ret = ret ?: recorder_parts__opened(r, late, &err);
	if (ret) {
		pr_debug("no events on CPU %d: %s\n", cpu, err.text);
		return ret;
	}
	rings__add(r->rings, late);
	event_set__enable(late);
	r->result->joined_cpus++;
	return 0;
}

static void note_late(struct recorder *r, int cpu, u64 now_ms)
{
	if (r->result->late_cpu >= 0)
		return;
	r->result->late_cpu = cpu;
	r->result->late_cpu_ms = now_ms - r->started_ms;
}

/* A CPU that comes before the events are open is taken for one without events, if anything. */
static int prepare(struct recorder *r, struct error *err __unused_arg)
{
	const struct recorder_opts *opts = r->opts;

	cpu_watch__init(&r->cpus, !r->target.per_thread && !opts->clock_ns &&
			(!r->target.has_cpus || opts->off_cpu.on));
	return 0;
}

static void look(struct recorder *r, u64 now_ms)
{
	struct synthesize s = {
		.emit = r->emit, .ctx = r, .event = recorder__tracking_event(r->live),
	};
	id_vec found = {};

	if (r->stopping || r->failed || !cpu_watch__look(&r->cpus, now_ms, &found))
		return;
	for (size_t i = 0; i < found.nr; i++)
		if (open_events(r, found.v[i]))
			note_late(r, found.v[i], now_ms);
	vec__free(&found);
	s.time = r->newest;
	if (r->newest)
		r->failed = r->result->late_cpu >= 0 ? synth__unseen_cpu(&s) : synth__gap(&s);
}

static void close_watch(struct recorder *r)
{
	cpu_watch__exit(&r->cpus);
}

const struct recorder_part recorder_part__cpus = {
	.prepare = prepare, .look = look, .close = close_watch,
};
