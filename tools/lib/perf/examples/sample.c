// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* sample [PID]: which threads of a process, or of the whole machine, run in one second. */
#include <errno.h>
#include <linux/perf_event.h>
#include <perf/cpumap.h>
#include <perf/event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/mmap.h>
#include <perf/threadmap.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_TID 4194304 /* of /proc/sys/kernel/pid_max */

/* PERF_SAMPLE_IP | PERF_SAMPLE_TID */
struct sample {
	struct perf_event_header header;
	__u64 ip;
	__u32 pid, tid;
};

static void read_ring(struct perf_mmap *map, unsigned int *samples)
{
	union perf_event *event;

	if (perf_mmap__read_init(map))
		return;
	while ((event = perf_mmap__read_event(map)) != NULL) {
		const struct sample *sample = (const struct sample *)event;

		if (event->header.type == PERF_RECORD_SAMPLE && sample->tid < MAX_TID)
			samples[sample->tid]++;
		perf_mmap__consume(map);
	}
	perf_mmap__read_done(map);
}

static int open_clock(struct perf_evlist *evlist, struct perf_cpu_map *cpus,
		      struct perf_thread_map *threads)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = 1000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.disabled = 1,
		.inherit = !!threads,
	};
	struct perf_evsel *evsel = perf_evsel__new(&attr);
	int err;

	if (!evsel)
		return -ENOMEM;
	perf_evlist__add(evlist, evsel);
	perf_evlist__set_maps(evlist, cpus, threads);
	err = perf_evlist__open(evlist);
	return err ? err : perf_evlist__mmap(evlist, 32);
}

static void sample_for(struct perf_evlist *evlist, int seconds, unsigned int *samples)
{
	time_t end = time(NULL) + seconds + 1;
	struct perf_mmap *map;

	perf_evlist__enable(evlist);
	while (time(NULL) < end && perf_evlist__poll(evlist, 100) >= 0) {
		perf_evlist__for_each_mmap(evlist, map, false)
			read_ring(map, samples);
		if (!perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP))
			break; /* all threads have ended */
	}
	perf_evlist__disable(evlist);
	perf_evlist__for_each_mmap(evlist, map, false)
		read_ring(map, samples);
}

int main(int argc, char **argv)
{
	struct perf_thread_map *threads = NULL;
	struct perf_cpu_map *cpus = perf_cpu_map__new_online_cpus();
	struct perf_evlist *evlist = perf_evlist__new();
	unsigned int *samples = calloc(MAX_TID, sizeof(*samples));
	int err = evlist && cpus && samples ? 0 : -ENOMEM;

	if (!err && argc > 1) {
		threads = perf_thread_map__new_by_pid(atoi(argv[1]));
		err = threads ? 0 : -errno;
	}
	if (!err)
		err = open_clock(evlist, cpus, threads);
	if (!err) {
		sample_for(evlist, 1, samples);
		for (int tid = 0; tid < MAX_TID; tid++) {
			if (samples[tid])
				printf("%7d %u\n", tid, samples[tid]);
		}
	} else {
		fprintf(stderr, "cannot sample: %s\n", strerror(-err));
	}
	free(samples);
	perf_evlist__delete(evlist);
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
	return err ? 1 : 0;
}
