/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* Threads that wait for a word and then take page faults, a known number each. */
#ifndef LIBPERF_TESTS_WORKERS_H
#define LIBPERF_TESTS_WORKERS_H

#include <pthread.h>
#include <suite.h>
#include <sys/syscall.h>

#define MAX_WORKERS 1000

struct workers {
	int nr, pages;
	pthread_barrier_t ready, go;
	pthread_t threads[MAX_WORKERS];
	pid_t tids[MAX_WORKERS];
	int started;
};

/* Internal: a thread. @arg: the struct workers. Returns NULL. */
static void *worker(void *arg)
{
	struct workers *w = arg;
	int me = __atomic_fetch_add(&w->started, 1, __ATOMIC_RELAXED);

	w->tids[me] = syscall(SYS_gettid);
	pthread_barrier_wait(&w->ready);
	pthread_barrier_wait(&w->go);
	touch_pages(w->pages);
	return NULL;
}

/*
 * Starts @nr threads that will touch @pages each. Returns 0 when all wait, and their tids are
 * known; -1 when a thread cannot be created.
 */
static inline int workers__start(struct workers *w, int nr, int pages)
{
	memset(w, 0, sizeof(*w));
	w->nr = nr;
	w->pages = pages;
	pthread_barrier_init(&w->ready, NULL, nr + 1);
	pthread_barrier_init(&w->go, NULL, nr + 1);
	for (int i = 0; i < nr; i++) {
		if (pthread_create(&w->threads[i], NULL, worker, w))
			return -1;
	}
	pthread_barrier_wait(&w->ready);
	return 0;
}

/* Lets the threads take their page faults, and waits for their end. */
static inline void workers__run(struct workers *w)
{
	pthread_barrier_wait(&w->go);
	for (int i = 0; i < w->nr; i++)
		pthread_join(w->threads[i], NULL);
	pthread_barrier_destroy(&w->ready);
	pthread_barrier_destroy(&w->go);
}

/* The record of a sample as fault_attr() asks for it. */
struct fault_sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
};

#endif
