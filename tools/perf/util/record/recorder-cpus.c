// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that come online while recording: they get events where that can be, or it is said. */
#include "../base/log.h"
#include "../live/synth-record.h"
#include "recorder-priv.h"

/* Which events are enabled is not known where others may have changed that. */
static int open_events(struct recorder *r, int cpu)
{
	const struct event_set_opts opts = { .sampling = &r->sampling, .target = &r->target };
	struct error err = { .text = "not with these options" };
	struct event_set *late;
	int ret = -EOPNOTSUPP;

	if (!r->agent && !r->sampling.track_apart)
		ret = event_set__open_late(&r->set, &opts, cpu, &late, &err);
	ret = ret ?: recorder_bpf__attach(r, late, &err);
	if (ret) {
		pr_debug("no events on CPU %d: %s\n", cpu, err.text);
		return ret;
	}
	recorder_rate__set_late(r, late);
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

void recorder__look_at_cpus(struct recorder *r, u64 now_ms,
			    int (*emit)(void *ctx, const struct perf_event_header *hdr))
{
	struct synthesize s = {
		.emit = emit, .ctx = r, .event = recorder__tracking_event(r->live),
	};
	id_vec found = {};

	if (!cpu_watch__look(&r->cpus, now_ms, &found))
		return;
	for (size_t i = 0; i < found.nr; i++)
		if (open_events(r, found.v[i]))
			note_late(r, found.v[i], now_ms);
	vec__free(&found);
	s.time = r->newest;
	if (r->newest)
		r->failed = r->result->late_cpu >= 0 ? synth__unseen_cpu(&s) : synth__gap(&s);
}
