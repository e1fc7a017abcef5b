// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>

#include "../io/privileges.h"
#include "read-units.h"

/* Bytes of entries for which a thread is worth starting: that takes some tens of microseconds. */
#define WORTH_A_THREAD (256 << 10)

#define THREADS_MAX 64u

/* What the threads share. */
struct reading {
	struct unit_job *jobs;
	size_t nr;
	size_t next; /* the first job that nobody has taken */
	u64 size, max_size; /* bytes of what was read */
};

struct reading_thread {
	struct reading *r;
	struct work work;
	pthread_t thread;
};

static void run_job(struct unit_job *job, struct work *work)
{
	/* All is as in the files, but that the work is this thread's. */
	struct info in = *job->in, lines_in = *job->lines_in;

	in.work = lines_in.work = work;
	if (job->has_entries)
		unit_code__read_functions(&in, job->of, job->code);
	line_table__read(&lines_in, job->lines_of, &job->code->lines);
	job->is_done = true;
}

static void run_jobs(struct reading *r, struct work *work)
{
	while (__atomic_load_n(&r->size, __ATOMIC_RELAXED) < r->max_size) {
		size_t i = __atomic_fetch_add(&r->next, 1, __ATOMIC_RELAXED);

		if (i >= r->nr)
			return;
		run_job(&r->jobs[i], work);
		__atomic_add_fetch(&r->size, unit_code__size(r->jobs[i].code), __ATOMIC_RELAXED);
	}
}

static void *thread_main(void *arg)
{
	struct reading_thread *t = arg;

	privileges__keep(0);
	run_jobs(t->r, &t->work);
	return NULL;
}

static u32 nr_worth(const struct unit_job *jobs, size_t nr, u32 threads)
{
	u64 bytes = 0;

	for (size_t i = 0; i < nr; i++)
		bytes += jobs[i].of->end - jobs[i].of->begin;
	return min_of(min_of((u64)nr, bytes / WORTH_A_THREAD), (u64)min_of(threads, THREADS_MAX));
}

void unit_jobs__run(struct unit_job *jobs, size_t nr, u64 max_size, u32 threads, struct work *work)
{
	struct reading r = { .jobs = jobs, .nr = nr, .max_size = max_size };
	struct reading_thread others[THREADS_MAX];
	u32 worth = nr_worth(jobs, nr, threads), nr_others = 0;

	for (; nr_others + 1 < worth; nr_others++) {
		struct reading_thread *t = &others[nr_others];

		*t = (struct reading_thread){
			.r = &r, .work.file = work->file, .work.all = work->all,
		};
		if (pthread_create(&t->thread, NULL, thread_main, t))
			break; /* those that were started, and this one, read all */
	}
	run_jobs(&r, work);
	for (u32 i = 0; i < nr_others; i++) {
		pthread_join(others[i].thread, NULL);
		work__join(work, &others[i].work);
	}
}
