// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <pthread.h>
#include <suite.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int test_array(void)
{
	pid_t pids[] = { 5, 3, 9 };
	struct perf_thread_map *map = perf_thread_map__new_array(3, pids);

	__T("array", map && perf_thread_map__nr(map) == 3 && perf_thread_map__pid(map, 1) == 3);
	__T("idx", perf_thread_map__idx(map, 9) == 2 && perf_thread_map__idx(map, 4) == -1);
	perf_thread_map__set_pid(map, 1, 4);
	__T("set_pid", perf_thread_map__idx(map, 4) == 1);
	perf_thread_map__set_pid(map, 3, 1);
	perf_thread_map__set_pid(map, -1, 1);
	__T("beyond the end", perf_thread_map__pid(map, 3) == -1 && !perf_thread_map__comm(map, 3));
	__T("no name", !perf_thread_map__comm(map, 0));
	perf_thread_map__get(map);
	perf_thread_map__put(map);
	__T("still there", perf_thread_map__nr(map) == 3);
	perf_thread_map__put(map);
	__T("negative", !perf_thread_map__new_array(-1, NULL));
	return 0;
}

static int test_dummy(void)
{
	struct perf_thread_map *map = perf_thread_map__new_dummy();

	__T("dummy", map && perf_thread_map__nr(map) == 1 && perf_thread_map__pid(map, 0) == -1);
	__T("none is like it", perf_thread_map__nr(NULL) == 1 &&
	    perf_thread_map__pid(NULL, 0) == -1);
	perf_thread_map__put(map);
	perf_thread_map__put(NULL);
	return 0;
}

static void *wait_at(void *barrier)
{
	prctl(PR_SET_NAME, "waiter");
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	return NULL;
}

#define THREADS 20

static int count_named(struct perf_thread_map *map, const char *name)
{
	int i, nr = 0;

	for (i = 0; i < perf_thread_map__nr(map); i++)
		nr += perf_thread_map__comm(map, i) && !strcmp(perf_thread_map__comm(map, i), name);
	return nr;
}

static int test_process(void)
{
	struct perf_thread_map *map;
	pthread_barrier_t barrier;
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		__T("thread", !pthread_create(&threads[i], NULL, wait_at, &barrier));
	pthread_barrier_wait(&barrier);
	map = perf_thread_map__new_by_pid(getpid());
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	__T("all threads", map && perf_thread_map__nr(map) == THREADS + 1);
	__T("the first too", perf_thread_map__idx(map, getpid()) >= 0);
	__T("names", count_named(map, "waiter") == THREADS);
	perf_thread_map__put(map);
	pthread_barrier_destroy(&barrier);
	return 0;
}

static int test_missing(void)
{
	struct perf_thread_map *map;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	__T("gone process", !perf_thread_map__new_by_pid(pid) && errno == ESRCH);
	__T("gone thread", !perf_thread_map__new_by_tid(pid) && errno == ESRCH);
	__T("no pid", !perf_thread_map__new_by_pid(-1) && errno == ESRCH);
	map = perf_thread_map__new_by_tid(getpid());
	__T("one", map && perf_thread_map__nr(map) == 1 && perf_thread_map__comm(map, 0));
	perf_thread_map__put(map);
	return 0;
}

static const struct test tests[] = {
	{ "maps of arrays", test_array },
	{ "the dummy thread", test_dummy },
	{ "threads of a process, with names", test_process },
	{ "processes that are gone", test_missing },
};

SUITE(tests)
