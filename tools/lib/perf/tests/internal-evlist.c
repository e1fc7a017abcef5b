// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Ids, system-wide events, threads that are gone, filters, and descriptors of others. */
#include <fcntl.h>
#include <internal/evlist.h>
#include <internal/threadmap.h>
#include <perf/event.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <suite.h>
#include <sys/wait.h>
#include <workers.h>

static struct workers workers;

static void set_maps(struct perf_evlist *evlist, struct perf_cpu_map *cpus,
		     struct perf_thread_map *threads)
{
	perf_evlist__set_maps(evlist, cpus, threads);
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
}

/* How many samples of the ring have an id that says another event, thread or ring. */
static int count_wrong(struct perf_evlist *evlist, struct perf_mmap *map, struct perf_evsel *evsel,
		       int *seen)
{
	const struct fault_sample *sample;
	int wrong = 0;

	if (perf_mmap__read_init(map))
		return 0;
	while ((sample = (const void *)perf_mmap__read_event(map)) != NULL) {
		struct perf_sample_id *sid = perf_evlist__id2sid(evlist, sample->id);

		wrong += !sid || sid->evsel != evsel || sid->tid != (pid_t)sample->tid ||
			 sid->cpu.cpu != map->cpu.cpu || sid->idx != map->idx;
		(*seen)++;
		perf_mmap__consume(map);
	}
	perf_mmap__read_done(map);
	return wrong;
}

static int check_ids(struct perf_cpu_map *cpus, int nr_rings)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_evsel *faults;
	struct perf_mmap *map;
	int wrong = 0, seen = 0, nr = 0;
	u64 id;

	__T("workers", !workers__start(&workers, 6, 30));
	add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	faults = add_event(evlist, fault_attr());
	set_maps(evlist, cpus, perf_thread_map__new_array(workers.nr, workers.tids));
	__T("open", !perf_evlist__open(evlist));
	__T("mmap", !perf_evlist__mmap(evlist, 16));
	perf_evlist__enable(evlist);
	workers__run(&workers);
	perf_evlist__for_each_mmap(evlist, map, false) {
		wrong += count_wrong(evlist, map, faults, &seen);
		nr++;
	}
	__T("rings", nr == nr_rings && evlist->nr_mmaps == nr_rings);
	__T("samples", seen >= 6 * 30);
	__T("ids say whose they are", !wrong);
	__T("all ids", faults->ids == perf_cpu_map__nr(faults->cpus) * 6);
	__T("no such id", !perf_evlist__id2sid(evlist, ~0ULL));
	id = faults->id[0];
	perf_evlist__remove(evlist, faults);
	__T("not in the list, not found", !perf_evlist__id2sid(evlist, id));
	perf_evlist__add(evlist, faults);
	perf_evlist__delete(evlist);
	return 0;
}

static bool can_open(void)
{
	struct perf_event_attr attr = fault_attr();
	struct perf_evsel *evsel = perf_evsel__new(&attr);
	struct perf_cpu_map *cpus = perf_cpu_map__new("0");
	int err = perf_evsel__open(evsel, cpus, NULL);

	perf_evsel__delete(evsel);
	perf_cpu_map__put(cpus);
	return !is_refused(err);
}

static int test_ids(void)
{
	struct perf_cpu_map *cpus = perf_cpu_map__new_online_cpus();
	int nr_cpus = perf_cpu_map__nr(cpus), ret;

	if (!can_open()) {
		perf_cpu_map__put(cpus);
		return SKIP("events cannot be opened");
	}
	ret = check_ids(cpus, nr_cpus);
	return ret ? ret : check_ids(NULL, 6);
}

/* An event on every CPU beside one of a thread: the thread's ring, and one for each CPU. */
static int test_system_wide(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_cpu_map *online = perf_cpu_map__new_online_cpus();
	struct perf_evsel *faults, *wide;
	int nr_cpus = perf_cpu_map__nr(online);
	pid_t self = 0;

	perf_cpu_map__put(online);
	if (!can_open()) {
		perf_evlist__delete(evlist);
		return SKIP("CPUs cannot be watched");
	}
	faults = add_event(evlist, fault_attr());
	wide = add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	set_maps(evlist, NULL, perf_thread_map__new_array(1, &self));
	perf_evlist__go_system_wide(evlist, wide);
	__T("maps", (int)perf_cpu_map__nr(wide->cpus) == nr_cpus &&
	    perf_cpu_map__nr(faults->cpus) == 1 && perf_thread_map__pid(wide->threads, 0) == -1 &&
	    perf_thread_map__pid(faults->threads, 0) == 0);
	__T("open", !perf_evlist__open(evlist));
	__T("mmap", !perf_evlist__mmap(evlist, 1));
	__T("rings", evlist->nr_mmaps == nr_cpus + 1 && evlist->mmap[0].tid == 0 &&
	    evlist->mmap[0].cpu.cpu == -1 && evlist->mmap[1].cpu.cpu >= 0 &&
	    evlist->mmap[1].tid == -1);
	__T("only the thread's counts", perf_evlist__filter_pollfd(evlist, POLLHUP) == 1);
	perf_evlist__delete(evlist);

	evlist = perf_evlist__new();
	wide = add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	faults = add_event(evlist, fault_attr());
	perf_evlist__go_system_wide(evlist, wide);
	set_maps(evlist, perf_cpu_map__new("0"), NULL);
	__T("CPU 0, and all", (int)perf_cpu_map__nr(wide->cpus) == nr_cpus &&
	    perf_cpu_map__nr(faults->cpus) == 1);
	__T("start", !perf_evlist__open(evlist) && !perf_evlist__mmap(evlist, 1));
	__T("a ring for each", evlist->nr_mmaps == nr_cpus);
	perf_evlist__delete(evlist);
	return 0;
}

/* In a ring that both write into, the thread's end is seen, and the CPU's event goes on. */
static int test_shared_ring(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_cpu_map *online = perf_cpu_map__new_online_cpus();
	int nr_cpus = perf_cpu_map__nr(online), i;
	struct perf_evsel *wide;
	pid_t child;

	if (!can_open()) {
		perf_cpu_map__put(online);
		perf_evlist__delete(evlist);
		return SKIP("CPUs cannot be watched");
	}
	child = fork();
	if (!child)
		pause();
	wide = add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	add_event(evlist, fault_attr());
	perf_evlist__go_system_wide(evlist, wide);
	set_maps(evlist, online, perf_thread_map__new_array(1, &child));
	__T("start", !perf_evlist__open(evlist) && !perf_evlist__mmap(evlist, 1));
	__T("alive", perf_evlist__poll(evlist, 0) >= 0 &&
	    perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP) == nr_cpus);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	for (i = 0; i < 10 && perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP); i++)
		__T("hung up", perf_evlist__poll(evlist, 5000) > 0);
	__T("nobody left to wait for", i < 10 && perf_evlist__poll(evlist, 0) == 0);
	__T("the rings are still polled", evlist->pollfd.entries[0].fd >= 0 &&
	    evlist->mmap[0].refcnt == 2);
	perf_evlist__delete(evlist);
	return 0;
}

static int test_pmu_cpus(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_evsel *evsel = add_event(evlist, fault_attr());

	evsel->pmu_cpus = perf_cpu_map__new("0,5");
	set_maps(evlist, perf_cpu_map__new("0-3"), NULL);
	__T("both", perf_cpu_map__nr(evsel->cpus) == 1 &&
	    perf_cpu_map__cpu(evsel->cpus, 0).cpu == 0);
	set_maps(evlist, perf_cpu_map__new("1"), NULL);
	__T("none in common", perf_evlist__open(evlist) == -ENODEV);
	set_maps(evlist, NULL, NULL);
	__T("any", perf_cpu_map__is_any_cpu_or_is_empty(evsel->cpus) && evsel->cpus);
	evsel->requires_cpu = true;
	set_maps(evlist, NULL, NULL);
	__T("where the PMU is", perf_cpu_map__equal(evsel->cpus, evsel->pmu_cpus));
	perf_evlist__delete(evlist);
	return 0;
}

static int test_missing_threads(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_evsel *first, *second;
	pid_t pids[3] = { 0x3ffffffe, getpid(), 0x3fffffff };

	if (!can_open()) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	first = add_event(evlist, fault_attr());
	second = add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	set_maps(evlist, NULL, perf_thread_map__new_array(3, pids));
	__T("refused", perf_evlist__open(evlist) == -ESRCH);
	__T("where", first->failed_thread == 0 && first->failed_cpu_idx == 0);
	first->ignore_missing_thread = second->ignore_missing_thread = true;
	perf_evlist__set_leader(evlist);
	__T("left out", !perf_evlist__open(evlist) && perf_evsel__fd(first, 0, 0) == -1 &&
	    perf_evsel__fd(first, 0, 1) >= 0 && perf_evsel__fd(second, 0, 2) == -1);
	__T("enable what is there", !perf_evsel__enable(first));
	__T("one ring", !perf_evlist__mmap(evlist, 1) && !evlist->mmap[0].base &&
	    evlist->mmap[1].base && !evlist->mmap[2].base);
	perf_evlist__munmap(evlist);
	perf_evlist__close(evlist);
	set_maps(evlist, NULL, perf_thread_map__new_array(1, pids));
	__T("nobody left", perf_evlist__open(evlist) == -ESRCH);
	perf_evlist__delete(evlist);
	return 0;
}

static int test_other_fds(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	int fds[2], pos;

	__T("pipe", !pipe(fds));
	pos = perf_evlist__add_pollfd(evlist, fds[0], NULL, POLLIN, PERF_POLLFD__NONFILTERABLE);
	__T("added", pos == 0 && perf_evlist__poll(evlist, 0) == 0);
	__T("a byte", write(fds[1], "x", 1) == 1 && perf_evlist__poll(evlist, 1000) == 1 &&
	    perf_evlist__revents(evlist, pos) == POLLIN);
	__T("does not count", perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP) == 0);
	for (int i = 1; i < 500; i++)
		__T("many", perf_evlist__add_pollfd(evlist, fds[0], NULL, POLLIN, 0) == i);
	__T("all say it", perf_evlist__poll(evlist, 0) == 500);
	__T("all but one count", perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP) == 499);
	close(fds[1]);
	__T("hung up", perf_evlist__poll(evlist, 0) == 500 &&
	    perf_evlist__filter_pollfd(evlist, POLLHUP) == 0 && perf_evlist__poll(evlist, 0) == 0);
	__T("beyond the end", !perf_evlist__revents(evlist, 500) &&
	    !perf_evlist__revents(evlist, -1));
	close(fds[0]);
	perf_evlist__delete(evlist);
	return 0;
}

static int tracepoint_id(const char *name)
{
	char path[256];
	FILE *file;
	int id = -1;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	file = fopen(path, "re");
	if (file) {
		if (fscanf(file, "%d", &id) != 1)
			id = -1;
		fclose(file);
	}
	return id;
}

static int test_filter(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	struct perf_counts_values count;
	struct perf_evsel *evsel;
	int id = tracepoint_id("sched/sched_switch"), err;
	pid_t self = 0;
	struct perf_thread_map *threads = perf_thread_map__new_array(1, &self);

	attr.config = id;
	evsel = perf_evsel__new(&attr);
	err = id < 0 ? -EACCES : perf_evsel__open(evsel, NULL, threads);
	perf_thread_map__put(threads);
	if (is_refused(err)) {
		perf_evsel__delete(evsel);
		return SKIP("tracepoints cannot be opened");
	}
	__T("open", !err);
	usleep(1000);
	__T("switches", !perf_evsel__read(evsel, 0, 0, &count) && count.val > 0);
	__T("nonsense", perf_evsel__apply_filter(evsel, "no_such_field == 1") == -EINVAL);
	__T("filter", !perf_evsel__apply_filter(evsel, "next_pid == 999999999"));
	perf_evsel__delete(evsel);
	return 0;
}

static int test_min_size(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };

	__T("first version", perf_event_attr__min_size(&attr) == 64);
	attr.size = 128;
	attr.config2 = 1;
	__T("config2", perf_event_attr__min_size(&attr) == 72);
	attr.sample_stack_user = 8192;
	__T("stack", perf_event_attr__min_size(&attr) == 96);
	attr.aux_watermark = 1;
	__T("aux", perf_event_attr__min_size(&attr) == 112);
	return 0;
}

static const struct test tests[] = {
	{ "ids", test_ids },
	{ "system-wide events", test_system_wide },
	{ "a thread's end in a ring of its CPU", test_shared_ring },
	{ "CPUs of a PMU", test_pmu_cpus },
	{ "threads that are gone", test_missing_threads },
	{ "descriptors of others", test_other_fds },
	{ "filters", test_filter },
	{ "the smallest size of an attr", test_min_size },
};

SUITE(tests)
