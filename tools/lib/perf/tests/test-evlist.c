// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <fcntl.h>
#include <perf/event.h>
#include <perf/mmap.h>
#include <poll.h>
#include <suite.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <workers.h>

static struct workers workers;

struct tally {
	int rings, samples, others;
	int by_tid[MAX_WORKERS];
	int mixed; /* rings with samples of more than one thread */
};

static int find_tid(pid_t tid)
{
	for (int i = 0; i < workers.nr; i++) {
		if (workers.tids[i] == tid)
			return i;
	}
	return -1;
}

static void tally_ring(struct tally *t, struct perf_mmap *map)
{
	const union perf_event *event;
	int last = -1;
	bool mixed = false;

	t->rings++;
	if (perf_mmap__read_init(map))
		return;
	while ((event = perf_mmap__read_event(map)) != NULL) {
		const struct fault_sample *sample = (const void *)event;
		int i = event->header.type == PERF_RECORD_SAMPLE ? find_tid(sample->tid) : -1;

		if (i >= 0) {
			t->by_tid[i]++;
			mixed |= last >= 0 && last != i;
			last = i;
		}
		t->samples += event->header.type == PERF_RECORD_SAMPLE;
		t->others += event->header.type != PERF_RECORD_SAMPLE;
		perf_mmap__consume(map);
	}
	perf_mmap__read_done(map);
	t->mixed += mixed;
}

static void tally_rings(struct tally *t, struct perf_evlist *evlist, bool overwrite)
{
	struct perf_mmap *map;

	memset(t, 0, sizeof(*t));
	perf_evlist__for_each_mmap(evlist, map, overwrite)
		tally_ring(t, map);
}

/* Opens and maps what is in the list on the given maps, which are the callee's from here on. */
static int start(struct perf_evlist *evlist, struct perf_cpu_map *cpus,
		 struct perf_thread_map *threads, int pages)
{
	int err;

	perf_evlist__set_maps(evlist, cpus, threads);
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
	err = perf_evlist__open(evlist);
	if (!err && pages)
		err = perf_evlist__mmap(evlist, pages);
	if (!err)
		perf_evlist__enable(evlist);
	return err;
}

#define PAGES 40

static bool all_faults_seen(const struct tally *t)
{
	for (int i = 0; i < workers.nr; i++) {
		if (t->by_tid[i] < PAGES)
			return false;
	}
	return true;
}

static int test_per_thread(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct tally t;
	int err;

	__T("workers", !workers__start(&workers, 8, PAGES));
	add_event(evlist, fault_attr());
	add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	err = start(evlist, NULL, perf_thread_map__new_array(workers.nr, workers.tids), 4);
	workers__run(&workers);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("start", !err);
	tally_rings(&t, evlist, false);
	__T("a ring for each thread", t.rings == 8 && !t.mixed);
	__T("all faults", all_faults_seen(&t));
	__T("no overwrite rings", !perf_evlist__next_mmap(evlist, NULL, true));
	tally_rings(&t, evlist, false);
	__T("consumed", !t.samples);
	perf_evlist__delete(evlist);
	return 0;
}

/* Each thread has a descriptor for each event and CPU. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int test_per_cpu(void)
{
	struct perf_cpu_map *cpus = perf_cpu_map__new_online_cpus();
	int nr_cpus = perf_cpu_map__nr(cpus), err;
	struct perf_evlist *evlist = perf_evlist__new();
	struct tally t;

	raise_descriptors();
	__T("workers", !workers__start(&workers, 200, PAGES));
	add_event(evlist, fault_attr());
	add_event(evlist, software_attr(PERF_COUNT_SW_CONTEXT_SWITCHES));
	err = start(evlist, cpus, perf_thread_map__new_array(workers.nr, workers.tids), 128);
	workers__run(&workers);
	if (is_refused(err) || err == -EMFILE) {
		perf_evlist__delete(evlist);
		return SKIP(err == -EMFILE ? "too few descriptors" : "events cannot be opened");
	}
	__T("start", !err);
	tally_rings(&t, evlist, false);
	__T("a ring for each CPU", t.rings == nr_cpus);
	__T("all faults", all_faults_seen(&t));
	perf_evlist__delete(evlist);
	return 0;
}

static int test_inherit(void)
{
	struct perf_event_attr attr = fault_attr();
	struct perf_evlist *evlist = perf_evlist__new();
	pid_t self = 0, child;
	struct tally t;
	int err;

	attr.inherit = 1;
	add_event(evlist, attr);
	err = start(evlist, NULL, perf_thread_map__new_array(1, &self), 4);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("the kernel maps no inherited event on any CPU", err == -EINVAL);
	perf_evlist__close(evlist);
	err = start(evlist, perf_cpu_map__new_online_cpus(),
		    perf_thread_map__new_array(1, &self), 64);
	__T("start", !err);
	child = fork();
	if (!child) {
		touch_pages(300);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	perf_evlist__disable(evlist);
	tally_rings(&t, evlist, false);
	__T("of the child too", t.samples >= 300);
	perf_evlist__delete(evlist);
	return 0;
}

/* CPU 0 alone, whatever runs there. */
static int test_cpu0(void)
{
	struct perf_event_attr attr = software_attr(PERF_COUNT_SW_CPU_CLOCK);
	struct perf_evlist *evlist = perf_evlist__new();
	struct tally t;
	int err;

	attr.exclude_kernel = 0; /* an idle CPU is in the kernel */
	attr.sample_period = 200000;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID;
	attr.wakeup_events = 1;
	add_event(evlist, attr);
	err = start(evlist, perf_cpu_map__new("0"), NULL, 8);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("CPUs cannot be watched");
	}
	__T("start", !err);
	__T("poll", perf_evlist__poll(evlist, 5000) == 1);
	__T("descriptor", perf_evlist__pollfd(evlist, 0) > 2 &&
	    perf_evlist__pollfd(evlist, 100000) == -ENOENT &&
	    perf_evlist__pollfd(evlist, -1) == -ENOENT);
	perf_evlist__disable(evlist);
	tally_rings(&t, evlist, false);
	__T("one ring with samples", t.rings == 1 && t.samples > 0);
	perf_evlist__delete(evlist);
	return 0;
}

static int test_overwrite(void)
{
	struct perf_event_attr attr = fault_attr();
	struct perf_evlist *evlist = perf_evlist__new();
	pid_t self = 0;
	struct tally t;
	int err;

	add_event(evlist, attr);
	attr.write_backward = 1;
	add_event(evlist, attr);
	err = start(evlist, NULL, perf_thread_map__new_array(1, &self), 1);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("start", !err);
	touch_pages(1000);
	perf_evlist__disable(evlist);
	tally_rings(&t, evlist, false);
	__T("full", t.rings == 1 && t.samples > 100 && t.samples < 171);
	tally_rings(&t, evlist, true);
	__T("the last ones", t.rings == 1 && t.samples > 165 && t.samples < 171);
	perf_evlist__delete(evlist);
	return 0;
}

/* The thread ends: the descriptor hangs up, its records stay until they are read. */
static int test_hangup(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	int go[2], err;
	char word = 0;
	struct tally t;
	pid_t child;

	__T("pipe", !pipe(go));
	child = fork();
	if (!child) {
		close(go[1]);
		if (!read(go[0], &word, 1))
			touch_pages(50);
		_exit(0);
	}
	close(go[0]);
	add_event(evlist, fault_attr());
	err = start(evlist, NULL, perf_thread_map__new_array(1, &child), 4);
	if (!err)
		__T("alive", perf_evlist__poll(evlist, 0) >= 0 &&
		    perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP) == 1);
	close(go[1]);
	waitpid(child, NULL, 0);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("start", !err);
	__T("hung up", perf_evlist__poll(evlist, 5000) == 1 &&
	    perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP) == 0);
	__T("not said again", perf_evlist__poll(evlist, 0) == 0);
	tally_rings(&t, evlist, false);
	__T("records stayed", t.rings == 1 && t.samples >= 50);
	__T("and then the ring goes", !perf_evlist__next_mmap(evlist, NULL, false));
	perf_evlist__delete(evlist);
	return 0;
}

/* A child that touches pages when it gets a byte, and ends when it gets no more. */
static pid_t start_child(int *go)
{
	int fds[2];
	char byte;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(fds[1]);
		for (int i = 3; i < 100; i++) { /* ends of the others' pipes */
			if (i != fds[0])
				close(i);
		}
		while (read(fds[0], &byte, 1) == 1)
			touch_pages(50);
		_exit(0);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static int wait_for_samples(struct perf_evlist *evlist)
{
	struct tally t = { 0 };

	for (int tries = 0; tries < 100 && !t.samples; tries++) {
		if (perf_evlist__poll(evlist, 5000) <= 0)
			return 0;
		perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP);
		tally_rings(&t, evlist, false);
	}
	return t.samples;
}

#define CHILDREN 3

/* Threads share the rings: as long as one is alive, its records wake the reader. */
static int test_last_of_many(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	pid_t pids[CHILDREN];
	int go[CHILDREN], i, err;

	for (i = 0; i < CHILDREN; i++)
		pids[i] = start_child(&go[i]);
	add_event(evlist, fault_attr());
	add_event(evlist, software_attr(PERF_COUNT_SW_DUMMY));
	err = start(evlist, perf_cpu_map__new_online_cpus(),
		    perf_thread_map__new_array(CHILDREN, pids), 16);
	for (i = 0; i < CHILDREN; i++) {
		if (!err) {
			__T("still one", perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP) > 0);
			__T("go", write(go[CHILDREN - 1], "", 1) == 1);
			__T("its records", wait_for_samples(evlist) > 0);
		}
		close(go[i]);
		waitpid(pids[i], NULL, 0);
	}
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("start", !err);
	for (i = 0; i < 100 && perf_evlist__filter_pollfd(evlist, POLLERR | POLLHUP); i++)
		__T("poll", perf_evlist__poll(evlist, 5000) > 0);
	__T("nobody", i < 100 && perf_evlist__poll(evlist, 0) == 0);
	perf_evlist__delete(evlist);
	return 0;
}

/* A group read gives each member its own count. */
static int read_members(struct perf_evsel *faults, struct perf_evsel *dummy)
{
	struct perf_counts_values f, d;

	perf_evsel__enable(faults); /* the leader, for all of them */
	touch_pages(60);
	perf_evsel__disable(faults);
	if (perf_evsel__read(faults, 0, 0, &f) || perf_evsel__read(dummy, 0, 0, &d))
		return -1;
	return f.val >= 60 && !d.val && f.ena == d.ena && f.ena ? 0 : -1;
}

static int test_group_format(uint64_t format)
{
	struct perf_event_attr faults = software_attr(PERF_COUNT_SW_PAGE_FAULTS);
	struct perf_event_attr dummy = software_attr(PERF_COUNT_SW_DUMMY);
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_evsel *leader, *member;
	pid_t self = 0;
	int err;

	faults.read_format = dummy.read_format = format | PERF_FORMAT_GROUP |
						 PERF_FORMAT_TOTAL_TIME_ENABLED;
	dummy.disabled = 0;
	leader = add_event(evlist, faults);
	add_event(evlist, dummy);
	member = add_event(evlist, dummy);
	__T("no groups yet", perf_evlist__nr_groups(evlist) == 0);
	perf_evlist__set_leader(evlist);
	__T("one group", perf_evlist__nr_groups(evlist) == 1);
	perf_evlist__set_maps(evlist, NULL, NULL);
	{
		struct perf_thread_map *threads = perf_thread_map__new_array(1, &self);

		perf_evlist__set_maps(evlist, NULL, threads);
		perf_thread_map__put(threads);
	}
	err = perf_evlist__open(evlist);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("open", !err);
	__T("members", !read_members(leader, member));
	perf_evlist__delete(evlist);
	return 0;
}

static int test_group(void)
{
	int ret = test_group_format(0);

	ret = ret ? ret : test_group_format(PERF_FORMAT_ID);
	return ret ? ret : test_group_format(PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID);
}

static int test_list(void)
{
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_evsel *a, *b, *c, *pos;
	int nr = 0;

	__T("empty", !perf_evlist__next(evlist, NULL) && !perf_evlist__open(evlist));
	a = add_event(evlist, fault_attr());
	b = add_event(evlist, fault_attr());
	c = add_event(evlist, fault_attr());
	perf_evlist__for_each_evsel(evlist, pos)
		nr++;
	__T("three", nr == 3 && perf_evlist__next(evlist, a) == b && !perf_evlist__next(evlist, c));
	perf_evlist__remove(evlist, b);
	__T("two", perf_evlist__next(evlist, a) == c);
	perf_evlist__remove(evlist, a);
	perf_evlist__remove(evlist, c);
	__T("none", !perf_evlist__next(evlist, NULL));
	perf_evlist__add(evlist, b);
	perf_evsel__delete(a);
	perf_evsel__delete(c);
	perf_evlist__delete(evlist); /* and b */
	perf_evlist__delete(NULL);
	return 0;
}

static int test_refusals(void)
{
	struct perf_event_attr nonsense = { .type = 0x7fffffff, .size = sizeof(nonsense) };
	struct perf_evlist *evlist = perf_evlist__new();
	struct perf_evsel *bad;
	pid_t self = 0;
	int err;

	add_event(evlist, fault_attr());
	bad = add_event(evlist, nonsense);
	err = start(evlist, NULL, perf_thread_map__new_array(1, &self), 1);
	if (is_refused(err)) {
		perf_evlist__delete(evlist);
		return SKIP("events cannot be opened");
	}
	__T("no such event", err == -ENOENT);
	perf_evlist__remove(evlist, bad);
	perf_evsel__delete(bad);
	__T("all was closed: opens again", !perf_evlist__open(evlist));
	__T("pages", perf_evlist__mmap(evlist, 0) == -EINVAL &&
	    perf_evlist__mmap(evlist, 3) == -EINVAL &&
	    perf_evlist__mmap(evlist, -4) == -EINVAL);
	__T("mmap", !perf_evlist__mmap(evlist, 1));
	__T("twice", perf_evlist__mmap(evlist, 1) == -EINVAL);
	perf_evlist__munmap(evlist);
	__T("nothing to poll", perf_evlist__poll(evlist, 0) == 0 &&
	    perf_evlist__filter_pollfd(evlist, POLLHUP) == 0);
	__T("again", !perf_evlist__mmap(evlist, 2));
	perf_evlist__close(evlist);
	perf_evlist__delete(evlist);
	return 0;
}

static const struct test tests[] = {
	{ "lists", test_list },
	{ "rings of threads", test_per_thread },
	{ "rings of CPUs, 200 threads", test_per_cpu },
	{ "inherited events", test_inherit },
	{ "CPU 0 alone", test_cpu0 },
	{ "overwrite rings", test_overwrite },
	{ "a thread that ends", test_hangup },
	{ "the last of many threads", test_last_of_many },
	{ "members of a group", test_group },
	{ "what is refused", test_refusals },
};

SUITE(tests)
