// SPDX-License-Identifier: GPL-2.0-only
#include "cpu-watch.h"

#include <perf/cpumap.h>

void cpu_watch__init(struct cpu_watch *w, bool on)
{
	*w = (struct cpu_watch){ .late = -1 };
	if (on)
		w->with_events = perf_cpu_map__new_online_cpus();
}

void cpu_watch__exit(struct cpu_watch *w)
{
	perf_cpu_map__put(w->with_events);
	w->with_events = NULL;
}

bool cpu_watch__look(struct cpu_watch *w, u64 now_ms)
{
	struct perf_cpu_map *online, *still;
	struct perf_cpu cpu;
	int i;

	if (!w->with_events || w->late >= 0 || now_ms < w->looked_ms + CPU_WATCH_MS)
		return false;
	w->looked_ms = now_ms;
	online = perf_cpu_map__new_online_cpus();
	if (!online || perf_cpu_map__equal(online, w->with_events))
		goto out;
	perf_cpu_map__for_each_cpu(cpu, i, online)
		if (w->late < 0 && !perf_cpu_map__has(w->with_events, cpu))
			w->late = cpu.cpu;
	still = perf_cpu_map__intersect(w->with_events, online);
	perf_cpu_map__put(w->with_events);
	w->with_events = still;
out:
	perf_cpu_map__put(online);
	return w->late >= 0;
}
