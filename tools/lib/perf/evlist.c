// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <errno.h>
#include <internal/evlist.h>
#include <internal/threadmap.h>
#include <stdlib.h>
#include <string.h>

void perf_evlist__init(struct perf_evlist *evlist)
{
	memset(evlist, 0, sizeof(*evlist));
}

void perf_evlist__exit(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	perf_evlist__munmap(evlist);
	perf_evlist__close(evlist);
	while ((evsel = evlist->first) != NULL) {
		perf_evlist__remove(evlist, evsel);
		perf_evsel__delete(evsel);
	}
	perf_cpu_map__put(evlist->user_requested_cpus);
	perf_cpu_map__put(evlist->all_cpus);
	perf_thread_map__put(evlist->threads);
	free(evlist->pollfd.entries);
	free(evlist->pollfd.priv);
}

LIBPERF_API struct perf_evlist *perf_evlist__new(void)
{
	struct perf_evlist *evlist = malloc(sizeof(*evlist));

	if (evlist)
		perf_evlist__init(evlist);
	return evlist;
}

LIBPERF_API void perf_evlist__delete(struct perf_evlist *evlist)
{
	if (!evlist)
		return;
	perf_evlist__exit(evlist);
	free(evlist);
}

LIBPERF_API struct perf_evsel *perf_evlist__next(struct perf_evlist *evlist,
						 struct perf_evsel *evsel)
{
	return evsel ? evsel->next : evlist->first;
}

/* The CPUs that were set for the list, those of them that the event's PMU has. */
static struct perf_cpu_map *wanted_cpus(struct perf_evlist *evlist, struct perf_evsel *evsel)
{
	struct perf_cpu_map *user = evlist->user_requested_cpus, *pmu = evsel->pmu_cpus;

	if (evsel->system_wide || (evsel->requires_cpu &&
				   perf_cpu_map__has_any_cpu_or_is_empty(user)))
		return pmu ? perf_cpu_map__get(pmu) : perf_cpu_map__new_online_cpus();
	if (perf_cpu_map__is_any_cpu_or_is_empty(user))
		return perf_cpu_map__new_any_cpu();
	return pmu ? perf_cpu_map__intersect(user, pmu) : perf_cpu_map__get(user);
}

static void propagate_maps(struct perf_evlist *evlist, struct perf_evsel *evsel)
{
	struct perf_thread_map *threads;
	struct perf_cpu_map *cpus;

	cpus = wanted_cpus(evlist, evsel);
	if (!cpus)
		evlist->map_err = evsel->pmu_cpus ? -ENODEV : -ENOMEM;
	perf_cpu_map__put(evsel->cpus);
	evsel->cpus = cpus;

	threads = evsel->system_wide || !evlist->threads ? perf_thread_map__new_dummy() :
							   perf_thread_map__get(evlist->threads);
	if (!threads)
		evlist->map_err = -ENOMEM;
	perf_thread_map__put(evsel->threads);
	evsel->threads = threads;

	if (perf_cpu_map__merge(&evlist->all_cpus, cpus))
		evlist->map_err = -ENOMEM;
}

static void propagate_all_maps(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	evlist->needs_map_propagation = true;
	evlist->map_err = 0;
	perf_cpu_map__put(evlist->all_cpus);
	evlist->all_cpus = NULL;
	perf_evlist__for_each_evsel(evlist, evsel)
		propagate_maps(evlist, evsel);
}

LIBPERF_API void perf_evlist__set_maps(struct perf_evlist *evlist, struct perf_cpu_map *cpus,
				       struct perf_thread_map *threads)
{
	cpus = perf_cpu_map__get(cpus);
	perf_cpu_map__put(evlist->user_requested_cpus);
	evlist->user_requested_cpus = cpus;

	threads = perf_thread_map__get(threads);
	perf_thread_map__put(evlist->threads);
	evlist->threads = threads;

	propagate_all_maps(evlist);
}

LIBPERF_API void perf_evlist__add(struct perf_evlist *evlist, struct perf_evsel *evsel)
{
	evsel->idx = evlist->nr_entries++;
	evsel->next = NULL;
	evsel->prev = evlist->last;
	if (evlist->last)
		evlist->last->next = evsel;
	else
		evlist->first = evsel;
	evlist->last = evsel;
	if (evlist->needs_map_propagation)
		propagate_maps(evlist, evsel);
}

LIBPERF_API void perf_evlist__remove(struct perf_evlist *evlist, struct perf_evsel *evsel)
{
	struct perf_evsel *pos;

	if (evsel->prev)
		evsel->prev->next = evsel->next;
	else
		evlist->first = evsel->next;
	if (evsel->next)
		evsel->next->prev = evsel->prev;
	else
		evlist->last = evsel->prev;
	for (pos = evsel->next; pos; pos = pos->next)
		pos->idx--;
	evsel->prev = evsel->next = NULL;
	evsel->idx = 0;
	evlist->nr_entries--;
	if (evsel->ids)
		perf_evlist__reset_id_hash(evlist);
}

void perf_evlist__go_system_wide(struct perf_evlist *evlist, struct perf_evsel *evsel)
{
	if (evsel->system_wide)
		return;
	evsel->system_wide = true;
	if (evlist->needs_map_propagation)
		propagate_all_maps(evlist);
}

LIBPERF_API int perf_evlist__open(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;
	int err = evlist->map_err;

	for (evsel = evlist->first; evsel && !err; evsel = evsel->next)
		err = perf_evsel__open(evsel, evsel->cpus, evsel->threads);
	if (err)
		perf_evlist__close(evlist);
	return err;
}

LIBPERF_API void perf_evlist__close(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	for (evsel = evlist->last; evsel; evsel = evsel->prev) {
		perf_evsel__close(evsel);
		perf_evsel__free_id(evsel);
	}
	perf_evlist__reset_id_hash(evlist);
}

LIBPERF_API void perf_evlist__enable(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	perf_evlist__for_each_evsel(evlist, evsel)
		perf_evsel__enable(evsel);
}

LIBPERF_API void perf_evlist__disable(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	for (evsel = evlist->last; evsel; evsel = evsel->prev)
		perf_evsel__disable(evsel);
}

LIBPERF_API void perf_evlist__set_leader(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	perf_evlist__for_each_evsel(evlist, evsel) {
		evsel->leader = evlist->first;
		evsel->nr_members = evsel == evlist->first ? evlist->nr_entries : 1;
	}
}

LIBPERF_API int perf_evlist__nr_groups(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;
	int nr = 0;

	perf_evlist__for_each_evsel(evlist, evsel)
		nr += evsel->leader == evsel && evsel->nr_members > 1;
	return nr;
}

u64 perf_evlist__read_format(struct perf_evlist *evlist)
{
	return evlist->first ? evlist->first->attr.read_format : 0;
}
