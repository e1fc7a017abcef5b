// SPDX-License-Identifier: GPL-2.0-only
#include "cpu-watch.h"

#include <perf/cpumap.h>

void cpu_watch__init(struct cpu_watch *w, bool on)
{
	*w = (struct cpu_watch){};
	if (on)
		w->with_events = perf_cpu_map__new_online_cpus();
}

void cpu_watch__exit(struct cpu_watch *w)
{
	perf_cpu_map__put(w->with_events);
	w->with_events = NULL;
}

bool cpu_watch__look(struct cpu_watch *w, u64 now_ms, id_vec *found)
{
	struct perf_cpu_map *online;
	struct perf_cpu cpu;
	int i;

	if (!w->with_events || now_ms < w->looked_ms + CPU_WATCH_MS)
		return false;
	w->looked_ms = now_ms;
	online = perf_cpu_map__new_online_cpus();
	if (!online)
		return false;
	perf_cpu_map__for_each_cpu(cpu, i, online)
		if (!perf_cpu_map__has(w->with_events, cpu))
			*vec__push(found) = cpu.cpu;
	perf_cpu_map__put(w->with_events);
	w->with_events = online;
	return found->nr;
}
