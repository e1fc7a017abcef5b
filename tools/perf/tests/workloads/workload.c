// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "activity.h"
#include "agent.h"
#include "frames.h"
#include "memory-code.h"
#include "moved-text.h"
#include "other-stack.h"
#include "plugin.h"
#include "sought.h"
#include "workload.h"

/* To one CPU of those that are allowed; where that fails, it runs anywhere. */
static void pin(int cpu)
{
	cpu_set_t allowed, one;
	int nr = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &allowed) && nr++ == cpu % CPU_COUNT(&allowed))
			CPU_SET(i, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

double workload__arg_sec(int argc, const char **argv, int i)
{
	double sec = argc > i ? atof(argv[i]) : 1;

	return sec > 0 ? sec : 1;
}

static int arg_count(int argc, const char **argv, int i, int otherwise)
{
	int n = argc > i ? atoi(argv[i]) : otherwise;

	return n > 0 ? n : otherwise;
}

static NOINLINE unsigned long workload_spin(unsigned long v)
{
	WORK(v);
	return v;
}

static NOINLINE void workload_loop(double sec)
{
	u64 end = end_of(sec);
	unsigned long v = 1;

	while (is_before(end))
		v = workload_spin(v);
	NO_TAIL_CALL();
}

static void *thfunc(void *sec)
{
	prctl(PR_SET_NAME, "thloop-child");
	test_loop(*(double *)sec);
	return NULL;
}

/* thloop [sec [threads]]: the same in some threads at a time; the main one is one of them. */
static int thloop(int argc, const char **argv)
{
	double sec = workload__arg_sec(argc, argv, 0);
	int nr = arg_count(argc, argv, 1, 2) - 1;
	pthread_t *threads = calloc(nr + 1, sizeof(*threads));

	for (int i = 0; threads && i < nr; i++)
		if (pthread_create(&threads[i], NULL, thfunc, &sec))
			nr = i;
	test_loop(sec);
	for (int i = 0; threads && i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}

static NOINLINE unsigned long workload_deep(int depth, double sec)
{
	volatile unsigned long local = depth; /* each frame holds something */

	if (depth > 1)
		local += workload_deep(depth - 1, sec);
	else
		workload_loop(sec);
	NO_TAIL_CALL();
	return local;
}

static NOINLINE unsigned long workload_large(int depth, double sec)
{
	volatile char local[1000];

	local[0] = depth;
	if (depth > 1)
		local[1] = workload_large(depth - 1, sec);
	else
		workload_loop(sec);
	NO_TAIL_CALL();
	return local[0];
}

/*
 * deep [frames [sec [large]]]: workload_deep() that often on the stack, then workload_loop(); or
 * workload_large(), with a kilobyte in each frame, after a while without.
 */
static int deep(int argc, const char **argv)
{
	if (argc > 2) {
		workload_loop(0.2); /* so that its first samples are not of a deep stack */
		workload_large(arg_count(argc, argv, 0, 100), workload__arg_sec(argc, argv, 1));
		return 0;
	}
	return workload_deep(arg_count(argc, argv, 0, 100), workload__arg_sec(argc, argv, 1)) == 0;
}

/* forker [children [sec]]: short-lived children, one after the other, each on the CPU for sec. */
static int forker(int argc, const char **argv)
{
	int nr = arg_count(argc, argv, 0, 10);
	double sec = argc > 1 ? workload__arg_sec(argc, argv, 1) : 0.05;

	for (int i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			prctl(PR_SET_NAME, "forker-child");
			workload_loop(sec);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* execer [sec]: on the CPU for sec as itself, then again as another program: noploop. */
static int execer(int argc, const char **argv)
{
	char sec[32];

	snprintf(sec, sizeof(sec), "%g", workload__arg_sec(argc, argv, 0));
	workload_loop(workload__arg_sec(argc, argv, 0));
	execl("/proc/self/exe", "perf", "test", "-w", "noploop", sec, NULL);
	return 1;
}

static NOINLINE int workload_touch(size_t pages)
{
	size_t page = sysconf(_SC_PAGESIZE), size = pages * page;
	volatile char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	madvise((void *)p, size, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < size; at += page)
		p[at] = 1;
	return munmap((void *)p, size);
}

/* faulter [sec]: in the kernel and out of it: page faults, and workload_spin() between them. */
static int faulter(int argc, const char **argv)
{
	u64 end = end_of(workload__arg_sec(argc, argv, 0));
	unsigned long v = 1;

	while (is_before(end)) {
		if (workload_touch(64))
			return 1;
		v = workload_spin(v);
	}
	return 0;
}

/*
 * waiter pid [sec]: until that process has used the CPU for so long from now on, which is the
 * condition for its samples, on a busy machine and on an idle one.
 */
static int waiter(int argc, const char **argv)
{
	pid_t pid = argc ? atoi(argv[0]) : 0;
	u64 left = workload__arg_sec(argc, argv, 1) * NSEC_PER_SEC, now, end = 0;
	struct pollfd gone = { .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock))
		return 1;
	do {
		if (clock_gettime(clock, &ts))
			return 1;
		now = ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
		if (!end)
			end = now + left;
		if (now >= end)
			return 0;
	} while (poll(&gone, 1, 5) <= 0);
	return 1;
}

/*
 * opener [type config]: whether the kernel lets us open an event (the CPU clock, in user space) on
 * ourselves. It asks the kernel itself, so that a test can tell a perf that fails from a kernel
 * that refuses.
 */
static int opener(int argc, const char **argv)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER0, .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK, .exclude_kernel = argc < 2,
	};

	if (argc >= 2) {
		attr.type = strtoul(argv[0], NULL, 0);
		attr.config = strtoull(argv[1], NULL, 0);
	}
	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) >= 0)
		return 0;
	printf("perf_event_open: %s\n", strerror(errno));
	return 1;
}

/* sleeper [sec]: hardly on the CPU. */
static int sleeper(int argc, const char **argv)
{
	struct timespec ts = clock__timespec(workload__arg_sec(argc, argv, 0) * NSEC_PER_SEC);

	nanosleep(&ts, NULL);
	return 0;
}

static NOINLINE void workload_wait(double sec)
{
	struct timespec ts = clock__timespec(sec * NSEC_PER_SEC);

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR)
		;
	NO_TAIL_CALL();
}

/*
 * /proc/self/task/TID/schedstat: time on a CPU and time runnable, in ns, as the kernel counts. Of a
 * young thread both may be 0.
 */
static int print_schedstat(const char *what)
{
	unsigned long long on = 0, runnable = 0;
	bool is_known;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", (int)gettid());
	f = fopen(path, "r");
	is_known = f && fscanf(f, "%llu %llu", &on, &runnable) == 2;
	if (f)
		fclose(f);
	printf("%s %llu %llu %llu\n", what, (unsigned long long)clock__now(CLOCK_MONOTONIC), on,
	       runnable);
	return is_known ? 0 : 1;
}

/*
 * spell [times [wait [spin]]]: waits and is on the CPU in turns, for so many seconds each; prints
 * the time and its schedstat in front and behind.
 */
static int spell(int argc, const char **argv)
{
	int nr = arg_count(argc, argv, 0, 10);
	double wait = argc > 1 ? workload__arg_sec(argc, argv, 1) : 0.05;
	double spin = argc > 2 ? workload__arg_sec(argc, argv, 2) : 0.05;
	int ret = print_schedstat("begin");

	for (int i = 0; i < nr; i++) {
		workload_loop(spin);
		workload_wait(wait);
	}
	ret |= print_schedstat("end");
	return fflush(stdout) ? 1 : ret;
}

struct link {
	int number, from, to; /* ends of pipes */
	int turns;
};

/* Waits for the one in front, and wakes the one behind. */
static void *workload_link(void *arg)
{
	const struct link *l = arg;
	char name[16], c = 0;

	snprintf(name, sizeof(name), "link-%d", l->number);
	prctl(PR_SET_NAME, name);
	for (int i = 0; i < l->turns; i++)
		if (read(l->from, &c, 1) != 1 || write(l->to, &c, 1) != 1)
			break;
	NO_TAIL_CALL();
	return NULL;
}

/* chain [threads [turns]]: link-1 is woken by main, link-2 by link-1, .., main by the last one. */
static int chain(int argc, const char **argv)
{
	enum { MAX = 64 };
	int nr = min_of(arg_count(argc, argv, 0, 10), (int)MAX), pipes[MAX + 1][2];
	int turns = arg_count(argc, argv, 1, 20);
	pthread_t threads[MAX];
	struct link links[MAX];
	char c = 0;

	for (int i = 0; i <= nr; i++)
		if (pipe(pipes[i]))
			return 1;
	for (int i = 0; i < nr; i++) {
		links[i] = (struct link){ i + 1, pipes[i][0], pipes[i + 1][1], turns };
		if (pthread_create(&threads[i], NULL, workload_link, &links[i]))
			return 1;
	}
	for (int i = 0; i < turns; i++) {
		workload_wait(0.002); /* so that all of them wait */
		if (write(pipes[0][1], &c, 1) != 1 || read(pipes[nr][0], &c, 1) != 1)
			return 1;
	}
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Two threads that share a CPU. */
struct pair {
	int ping[2], pong[2], cpu;
	u64 turns;
	double rate; /* turns a second; each is two switches at least */
};

static void *workload_pong(void *arg)
{
	const struct pair *p = arg;
	char c;

	pin(p->cpu);
	for (u64 i = 0; i < p->turns; i++)
		if (read(p->ping[0], &c, 1) != 1 || write(p->pong[1], &c, 1) != 1)
			break;
	return NULL;
}

static void *workload_ping(void *arg)
{
	enum { AT_ONCE = 50 }; /* turns between two looks at the clock */
	const struct pair *p = arg;
	u64 start = clock__now(CLOCK_MONOTONIC);
	struct timespec due;
	char c = 0;

	pin(p->cpu);
	for (u64 i = 0; i < p->turns; i++) {
		if (!(i % AT_ONCE)) {
			due = clock__timespec(start + i / p->rate * NSEC_PER_SEC);
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
		}
		if (write(p->ping[1], &c, 1) != 1 || read(p->pong[0], &c, 1) != 1)
			break;
	}
	return NULL;
}

/*
 * switcher [pairs [rate [sec]]]: pairs of threads, each on a CPU of its own, that wake each other
 * in turns at so many switches a second; prints the seconds it took and its switches, as the kernel
 * counts them.
 */
static int switcher(int argc, const char **argv)
{
	enum { MAX = 64 };
	int nr = min_of(arg_count(argc, argv, 0, 2), (int)MAX);
	double rate = arg_count(argc, argv, 1, 10000) / 2.0, sec = workload__arg_sec(argc, argv, 2);
	u64 start = clock__now(CLOCK_MONOTONIC);
	pthread_t threads[2 * MAX];
	struct pair pairs[MAX];
	struct rusage use;

	for (int i = 0; i < nr; i++) {
		pairs[i] = (struct pair){ .cpu = i, .rate = rate, .turns = rate * sec };
		if (pipe(pairs[i].ping) || pipe(pairs[i].pong) ||
		    pthread_create(&threads[2 * i], NULL, workload_pong, &pairs[i]) ||
		    pthread_create(&threads[2 * i + 1], NULL, workload_ping, &pairs[i]))
			return 1;
	}
	for (int i = 0; i < 2 * nr; i++)
		pthread_join(threads[i], NULL);
	getrusage(RUSAGE_SELF, &use);
	printf("%.6f s, %ld switches, %.6f s of CPU time\n",
	       (double)(clock__now(CLOCK_MONOTONIC) - start) / NSEC_PER_SEC,
	       use.ru_nvcsw + use.ru_nivcsw,
	       use.ru_utime.tv_sec + use.ru_stime.tv_sec +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6);
	return fflush(stdout) ? 1 : 0;
}

/* exiter [status]: ends with that status; "kill" ends by SIGKILL. */
static int exiter(int argc, const char **argv)
{
	if (argc && !strcmp(argv[0], "kill"))
		raise(SIGKILL);
	return argc ? atoi(argv[0]) : 0;
}

static const struct workload {
	const char *name;
	int (*run)(int argc, const char **argv);
} workloads[] = {
	{ "activity", workload_activity }, { "agent", workload_agent },
	{ "brstack", brstack }, { "chain", chain },     { "datasym", datasym },
	{ "deep", deep },       { "execer", execer },   { "exiter", exiter },
	{ "faulter", faulter }, { "forker", forker },   { "inlineloop", inlineloop },
	{ "leafloop", leafloop }, { "movedtext", workload_moved_text },
	{ "memorycode", workload_memory_code },
	{ "noploop", noploop }, { "opener", opener },
	{ "otherstack", workload_other_stack }, { "plugin", workload_plugin },
	{ "sleeper", sleeper }, { "spell", spell },     { "switcher", switcher },
	{ "thloop", thloop },   { "waiter", waiter },
};

int workload__run(const char *name, int argc, const char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		if (!strcmp(workloads[i].name, name))
			return workloads[i].run(argc, argv);
	fprintf(stderr, "Unknown workload '%s'. There are:", name);
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		fprintf(stderr, " %s", workloads[i].name);
	fprintf(stderr, "\n");
	return 129;
}

void workload__list(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		printf("%s\n", workloads[i].name);
}
