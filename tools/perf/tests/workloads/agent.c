// SPDX-License-Identifier: GPL-2.0-only
#include "agent.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../../lib/perf-agent/agent-wire.h"
#include "../../util/base/clock.h"
#include "../../../lib/perf-agent/include/perf/agent.h"
#include "activity.h"

#define THREADS_MAX 64
#define BITS 12
#define BLOCK_ROUND 1000  /* iterations, of which nine tenths have SIGTRAP blocked */
#define TIMER_NS 1000000

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

struct worker {
	double sec;
	bool timer, blocked, runtime;
	pthread_t thread;
};

/* What the kernel calls struct sigaction. */
struct kernel_sigaction {
	void (*handler)(int sig, siginfo_t *info, void *context);
	unsigned long flags;
	void *restorer;
	u64 mask;
};

/* The handler has no other place to know these from. */
static struct {
	void (*handler)(int sig, siginfo_t *info, void *context); /* the agent's */
	u8 *memory;
	u32 percent;
	bool swallow; /* the signal, of which nothing tells then; else the record */
} dropping;

static NOINLINE void agent_leaf(u64 n)
{
	perf_test_activity = n;
	for (int i = 0; i < 300; i++)
		__asm__ volatile("" : : : "memory");
}

static void agent_zero(u64 n, int bit);
static void agent_one(u64 n, int bit);

static inline void spell(u64 n, int bit)
{
	if (bit < 0)
		agent_leaf(n);
	else if (n >> bit & 1)
		agent_one(n, bit - 1);
	else
		agent_zero(n, bit - 1);
}

/* The same code but for a comment, which keeps compilers from making them one. */
static NOINLINE void agent_zero(u64 n, int bit)
{
	spell(n, bit);
	__asm__ volatile("nop /* zero */" : : : "memory");
}

static NOINLINE void agent_one(u64 n, int bit)
{
	spell(n, bit);
	__asm__ volatile("nop /* one */" : : : "memory");
}

/* A call of the interpreter, on the stack of the thread that runs it. */
struct eval {
	struct eval *caller;
	unsigned int line;
};

static __thread struct eval *volatile innermost;

static void tell_functions(struct perf_agent_walk *w, const void *context, void *ctx)
{
	static const struct perf_agent_function lower = { "lower", "mock.src", 10, 19 };
	static const struct perf_agent_function upper = { "upper", "mock.src", 20, 29 };

	for (struct eval *e = innermost; e; e = e->caller) {
		perf_agent_frame(w, &lower, e->line, NULL);
		if (ctx && *(volatile char *)ctx)
			break;
		perf_agent_frame(w, &upper, 25, e);
	}
}

static NOINLINE void agent_eval(u64 n, int calls)
{
	struct eval e = { innermost, 10 + n % 10 };

	innermost = &e;
	if (calls)
		agent_eval(n, calls - 1);
	else
		agent_leaf(n);
	innermost = e.caller;
}

static NOINLINE void agent_handler(int sig)
{
	for (int i = 0; i < 3000; i++)
		__asm__ volatile("" : : "r"(sig) : "memory");
}

static void begin_timer(void)
{
	struct sigevent e = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	struct itimerspec every = { { 0, TIMER_NS }, { 0, TIMER_NS } };
	timer_t timer;

	e._sigev_un._tid = syscall(SYS_gettid);
	if (!timer_create(CLOCK_MONOTONIC, &e, &timer))
		timer_settime(timer, 0, &every, NULL);
}

static void *work(void *arg)
{
	const struct worker *w = arg;
	u64 end = clock__now(CLOCK_THREAD_CPUTIME_ID) + w->sec * NSEC_PER_SEC, n = 0;
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	if (w->timer)
		begin_timer();
	while (n % 256 || clock__now(CLOCK_THREAD_CPUTIME_ID) < end) {
		if (w->blocked && n % BLOCK_ROUND == 0)
			pthread_sigmask(SIG_BLOCK, &trap, NULL);
		if (w->blocked && n % BLOCK_ROUND == BLOCK_ROUND / 10 * 9)
			pthread_sigmask(SIG_UNBLOCK, &trap, NULL);
		if (w->runtime)
			agent_eval(n++, 1);
		else
			spell(n++, BITS - 1);
	}
	pthread_sigmask(SIG_BLOCK, &trap, NULL);
	return NULL;
}

static struct agent_ring *my_ring(void)
{
	struct agent_ring *rings = (void *)(dropping.memory + AGENT_CONTROL_AT);
	u32 tid = syscall(SYS_gettid);

	for (u32 i = 0; i < AGENT_RINGS; i++)
		if (rings[i].tid == tid)
			return &rings[i];
	return NULL;
}

/* As if there had been no room for the record that was written at @at. */
static void drop(const struct agent_ring *r, u64 at)
{
	size_t nr = r - (struct agent_ring *)(dropping.memory + AGENT_CONTROL_AT);
	u8 *data = dropping.memory + AGENT_DATA_AT + nr * (size_t)AGENT_RING_SIZE;
	struct agent_record *rec;

	for (; at < r->head; at += rec->size) {
		rec = (struct agent_record *)(data + at % AGENT_RING_SIZE);
		__atomic_store_n(&rec->nr, AGENT_SKIP, __ATOMIC_RELAXED);
	}
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	static __thread u32 seed;
	struct agent_ring *r = my_ring();
	u64 at = r ? r->head : 0;
	bool lost;

	seed = seed * 1103515245 + 12345;
	lost = (seed >> 16) % 100 < dropping.percent;
	if (lost && dropping.swallow)
		return;
	dropping.handler(sig, info, context);
	if (r && lost)
		drop(r, at);
}

/* Returns 0 where there is no agent, too. */
static int begin_dropping(u32 percent)
{
	struct kernel_sigaction sa;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "/memfd:perf-agent") && !dropping.memory)
			dropping.memory = (u8 *)strtoul(line, NULL, 16);
	if (f)
		fclose(f);
	if (!dropping.memory)
		return 0;
	/* The C library's would be the agent's own. */
	if (syscall(SYS_rt_sigaction, SIGTRAP, NULL, &sa, sizeof(sa.mask)))
		return 1;
	dropping.handler = sa.handler;
	dropping.percent = percent;
	sa.handler = on_trap;
	return syscall(SYS_rt_sigaction, SIGTRAP, &sa, NULL, sizeof(sa.mask)) != 0;
}

int workload_agent(int argc, const char **argv)
{
	const char *mode = argc ? argv[0] : "plain";
	double sec = argc > 1 ? atof(argv[1]) : 1;
	int nr = argc > 2 ? atoi(argv[2]) : 3;
	struct worker workers[THREADS_MAX + 1];

	nr = min_of(max_of(nr, 0), THREADS_MAX);
	signal(SIGUSR1, agent_handler);
	if (!strcmp(mode, "runtime") || !strcmp(mode, "faults"))
		(void)perf_agent_follow(tell_functions, *mode == 'f' ? (void *)1 : NULL);
	dropping.swallow = !strncmp(mode, "swallow", 7);
	if (dropping.swallow && begin_dropping(atoi(mode + 7)))
		return 1;
	if (!strncmp(mode, "drop", 4) && begin_dropping(atoi(mode + 4)))
		return 1;
	for (int i = 0; i <= nr; i++) {
		workers[i] = (struct worker){
			.sec = sec, .timer = !strcmp(mode, "timer"),
			.blocked = !strcmp(mode, "blocked"),
			.runtime = !strcmp(mode, "runtime") || !strcmp(mode, "faults"),
		};
		if (i && pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return 1;
	}
	work(&workers[0]);
	for (int i = 1; i <= nr; i++)
		pthread_join(workers[i].thread, NULL);
	return 0;
}
