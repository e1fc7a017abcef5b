// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Where perf events are refused, as in containers: each thread has a timer of its own CPU time,
 * whose signal is SIGTRAP, too, so that all that is said of that signal (exec.c, signals.c) holds.
 * The kernel looks at such timers when its clock ticks, and delivers the signal on the way back to
 * user code, so that no system call is interrupted.
 *
 * A timer belongs to the process and not to its thread, so a thread deletes its own at its end.
 * Neither fork nor exec keeps them. Threads that are not made by the C library have none.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

AGENT_API int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			     void *(*run)(void *), void *arg);
AGENT_API int thrd_create(thrd_t *thread, thrd_start_t run, void *arg);

static __thread int my_timer __attribute__((tls_model("initial-exec"))); /* 1 + id; 0: none */
static pthread_key_t at_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end_thread(void *timer)
{
	/* In another thread's memory, after a fork in a destructor, it would be another's. */
	if (my_timer && my_timer == (int)(intptr_t)timer) {
		syscall(SYS_timer_delete, my_timer - 1);
		my_timer = 0;
		agent__end_ring();
	}
}

static void make_key(void)
{
	(void)pthread_key_create(&at_end, end_thread);
}

void agent__begin_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGTRAP };
	const struct timespec every = {
		agent.clock_ns / 1000000000, agent.clock_ns % 1000000000,
	};
	const struct itimerspec times = { .it_interval = every, .it_value = every };
	int id;

	if (my_timer)
		return;
	event.sigev_value.sival_ptr = (void *)AGENT_SIG_DATA;
	event._sigev_un._tid = syscall(SYS_gettid);
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &id))
		return;
	if (syscall(SYS_timer_settime, id, 0, &times, NULL)) {
		syscall(SYS_timer_delete, id);
		return;
	}
	my_timer = id + 1;
	(void)pthread_once(&once, make_key);
	(void)pthread_setspecific(at_end, (void *)(intptr_t)my_timer);
}

void agent__forget_timer(void)
{
	my_timer = 0;
}

/* What a new thread is to run. */
struct routine {
	void *(*run)(void *arg);
	thrd_start_t run_c11; /* that of thrd_create(); or NULL */
	void *arg;
};

/* Called last in its caller, so that a thread's stack shows the function itself at its end. */
static void *begin_thread(void *ctx)
{
	struct routine r = *(struct routine *)ctx;

	free(ctx);
	if (agent.clock_ns)
		agent__begin_timer();
	return r.run(r.arg);
}

static int begin_c11_thread(void *ctx)
{
	struct routine r = *(struct routine *)ctx;

	free(ctx);
	if (agent.clock_ns)
		agent__begin_timer();
	return r.run_c11(r.arg);
}

/* Returns: NULL: threads have no timers, or there is no memory. */
static struct routine *new_routine(const struct routine *as)
{
	struct routine *r = agent.clock_ns ? malloc(sizeof(*r)) : NULL;

	if (r)
		*r = *as;
	return r;
}

AGENT_API int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			     void *arg)
{
	typedef int (*create_fn)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	create_fn real = (create_fn)dlsym(RTLD_NEXT, "pthread_create");
	struct routine *r = new_routine(&(struct routine){ .run = run, .arg = arg });
	int ret;

	if (!real)
		ret = ENOSYS;
	else
		ret = real(thread, attr, r ? begin_thread : run, r ? (void *)r : arg);
	if (ret)
		free(r);
	return ret;
}

AGENT_API int thrd_create(thrd_t *thread, thrd_start_t run, void *arg)
{
	typedef int (*create_fn)(thrd_t *, thrd_start_t, void *);
	create_fn real = (create_fn)dlsym(RTLD_NEXT, "thrd_create");
	struct routine *r = new_routine(&(struct routine){ .run_c11 = run, .arg = arg });
	int ret;

	if (!real)
		ret = thrd_error;
	else
		ret = real(thread, r ? begin_c11_thread : run, r ? (void *)r : arg);
	if (ret != thrd_success)
		free(r);
	return ret;
}
