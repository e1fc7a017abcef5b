// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Ids of events: read from the kernel, and looked up for records. See internal/evlist.h. */
#include <errno.h>
#include <internal/evlist.h>
#include <internal/xyarray.h>
#include <perf/threadmap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int perf_evsel__alloc_id(struct perf_evsel *evsel, int ncpus, int nthreads)
{
	if (ncpus <= 0 || nthreads <= 0)
		return 0;
	evsel->sample_id = xyarray__new(ncpus, nthreads, sizeof(struct perf_sample_id));
	evsel->id = calloc((size_t)ncpus * nthreads, sizeof(*evsel->id));
	if (evsel->sample_id && evsel->id)
		return 0;
	perf_evsel__free_id(evsel);
	return -ENOMEM;
}

void perf_evsel__free_id(struct perf_evsel *evsel)
{
	xyarray__delete(evsel->sample_id);
	evsel->sample_id = NULL;
	free(evsel->id);
	evsel->id = NULL;
	evsel->ids = 0;
}

/* The high bits of the product depend on all bits of the id. */
static unsigned int hash_id(u64 id)
{
	return (id * 0x9e3779b97f4a7c15ULL) >> (64 - PERF_EVLIST__HLIST_BITS);
}

static void hash_add(struct perf_evlist *evlist, struct perf_sample_id *sid)
{
	struct perf_sample_id **head = &evlist->heads[hash_id(sid->id)];

	sid->next = *head;
	*head = sid;
}

void perf_evlist__id_add(struct perf_evlist *evlist, struct perf_evsel *evsel, int cpu_map_idx,
			 int thread, u64 id)
{
	struct perf_sample_id *sid;

	if (!evsel->sample_id &&
	    perf_evsel__alloc_id(evsel, perf_cpu_map__nr(evsel->cpus),
				 perf_thread_map__nr(evsel->threads)))
		return;
	sid = xyarray__entry(evsel->sample_id, cpu_map_idx, thread);
	if (!sid || sid->evsel)
		return;
	sid->id = id;
	sid->evsel = evsel;
	sid->idx = -1;
	sid->cpu = perf_cpu_map__cpu(evsel->cpus, cpu_map_idx);
	sid->tid = perf_thread_map__pid(evsel->threads, thread);
	evsel->id[evsel->ids++] = id;
	hash_add(evlist, sid);
}

int perf_evlist__id_add_fd(struct perf_evlist *evlist, struct perf_evsel *evsel, int cpu_map_idx,
			   int thread, int fd)
{
	u64 id;

	if (ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	perf_evlist__id_add(evlist, evsel, cpu_map_idx, thread, id);
	return xyarray__entry(evsel->sample_id, cpu_map_idx, thread) ? 0 : -ENOMEM;
}

struct perf_sample_id *perf_evlist__id2sid(const struct perf_evlist *evlist, u64 id)
{
	struct perf_sample_id *sid;

	for (sid = evlist->heads[hash_id(id)]; sid; sid = sid->next) {
		if (sid->id == id)
			return sid;
	}
	return NULL;
}

static void hash_evsel(struct perf_evlist *evlist, struct perf_evsel *evsel)
{
	int x, y;

	for (x = 0; x < xyarray__max_x(evsel->sample_id); x++) {
		for (y = 0; y < xyarray__max_y(evsel->sample_id); y++) {
			struct perf_sample_id *sid = xyarray__entry(evsel->sample_id, x, y);

			if (sid->evsel)
				hash_add(evlist, sid);
		}
	}
}

/* Made again from the events that are in the list. */
void perf_evlist__reset_id_hash(struct perf_evlist *evlist)
{
	struct perf_evsel *evsel;

	memset(evlist->heads, 0, sizeof(evlist->heads));
	perf_evlist__for_each_evsel(evlist, evsel)
		hash_evsel(evlist, evsel);
}
