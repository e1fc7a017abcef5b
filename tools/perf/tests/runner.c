// SPDX-License-Identifier: GPL-2.0-only
/* Runs the selected tests, some at a time, and reports them in order. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../util/base/clock.h"
#include "runner.h"
#include "supervisor.h"
#include "temp-dir.h"

#define OUTPUT_MAX (64 * 1024) /* of a test's output, its end, is read back */
#define NR_SLOWEST 5           /* are named at the end */
#define NR_RETRIED 10          /* where more tests fail, it is not the machine */

struct run {
	const struct test_entry *test;
	size_t number;    /* as in the list */
	pid_t supervisor; /* 0: not started */
	int out_fd;
	bool done;
	int status;
	u64 ns;           /* when it started, then how long it took */
	u64 cpu_ns;       /* that it and all that it started have used */
	char *output;
	char *first;      /* what it wrote when it failed, and was tried again; NULL: it was not */
};

struct runner {
	const struct runner_opts *opts;
	struct runner_result *result;
	VEC(struct run) runs; /* those that want to be alone are last */
	const struct test_entry *headed; /* whose group was last printed; NULL: none */
	size_t next_start, next_report;
	unsigned int running;
};

static bool failed(const struct run *run)
{
	return run->status != TEST_EXIT_PASS && run->status != TEST_EXIT_SKIP;
}

static int start(struct runner *r, struct run *run)
{
	run->out_fd = memfd_create("test-output", MFD_CLOEXEC);
	if (run->out_fd < 0)
		return -errno;
	run->ns = clock__now(CLOCK_MONOTONIC);
	fflush(stdout);
	run->supervisor = fork();
	if (run->supervisor < 0) {
		int ret = -errno;

		close(run->out_fd);
		return ret;
	}
	if (!run->supervisor)
		supervisor__run(run->test, run->out_fd);
	r->running++;
	return 0;
}

/* The end of the output; never NULL. */
static char *read_output(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END), from = size > OUTPUT_MAX ? size - OUTPUT_MAX : 0;
	char *buf = xzalloc(OUTPUT_MAX + 1);

	if (pread(fd, buf, OUTPUT_MAX, from) < 0)
		buf[0] = '\0';
	return buf;
}

static u64 cpu_time(const struct rusage *usage)
{
	return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * NSEC_PER_SEC +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000ULL;
}

static void finish(struct runner *r, pid_t pid, int status, const struct rusage *usage)
{
	for (size_t i = 0; i < r->next_start; i++) {
		struct run *run = &r->runs.v[i];

		if (run->supervisor != pid || run->done)
			continue;
		run->done = true;
		run->ns = clock__now(CLOCK_MONOTONIC) - run->ns;
		run->cpu_ns = cpu_time(usage);
		run->status = WIFEXITED(status) ? WEXITSTATUS(status) : TEST_EXIT_FAIL;
		run->output = read_output(run->out_fd);
		close(run->out_fd);
		r->running--;
	}
}

/* The last line that is not empty, in place. */
static const char *last_line(char *text)
{
	size_t len = strlen(text);
	char *nl;

	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	nl = strrchr(text, '\n');
	return nl ? nl + 1 : text;
}

static void print_output(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		printf("       %.*s\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

static void count(struct runner_result *result, int status)
{
	if (status == TEST_EXIT_PASS)
		result->passed++;
	else if (status == TEST_EXIT_SKIP)
		result->skipped++;
	else
		result->failed++;
}

/* The group, where it is another one than that of the test before. */
static void put_heading(struct runner *r, const struct test_entry *t)
{
	const struct test_entry *last = r->headed;

	if (last && last->exclusive == t->exclusive && !strcmp(last->group, t->group))
		return;
	printf("%s%s:\n", t->group, t->exclusive ? ", one at a time" : "");
	r->headed = t;
}

static void report(struct runner *r, struct run *run)
{
	if (!run->first)
		put_heading(r, run->test);
	printf("%3zu: %-40s: ", run->number, run->test->name);
	if (run->status == TEST_EXIT_PASS)
		printf("Ok");
	else if (failed(run))
		printf("FAILED!");
	else
		printf("Skip (%s)", last_line(run->output));
	if (run->ns >= NSEC_PER_SEC)
		printf(" (%.1f s)", (double)run->ns / NSEC_PER_SEC);
	putchar('\n');
	if (failed(run) && *run->test->description)
		printf("     %s\n", run->test->description);
	if (failed(run) || r->opts->verbose)
		print_output(run->output);
	fflush(stdout);
}

static void report_finished(struct runner *r)
{
	while (r->next_report < r->runs.nr && r->runs.v[r->next_report].done)
		report(r, &r->runs.v[r->next_report++]);
}

static bool may_start(const struct runner *r)
{
	const struct run *next;

	if (r->next_start == r->runs.nr || r->running >= r->opts->jobs)
		return false;
	next = &r->runs.v[r->next_start];
	return !r->running || !next->test->exclusive;
}

static int run_all(struct runner *r)
{
	while (r->next_report < r->runs.nr) {
		struct rusage usage;
		pid_t pid;
		int status, ret;

		while (may_start(r)) {
			ret = start(r, &r->runs.v[r->next_start]);
			if (ret)
				return ret;
			r->next_start++;
		}
		pid = wait4(-1, &status, 0, &usage);
		if (pid < 0 && errno != EINTR)
			return -errno;
		if (pid > 0)
			finish(r, pid, status, &usage);
		report_finished(r);
	}
	return 0;
}

/* A crash, and what a sanitizer has found, depend on luck and are defects all the same. */
static bool may_pass_again(const struct run *run)
{
	static const char *const crashes[] = { "Sanitizer", "runtime error:", "Segmentation fault",
					       "killed by signal", "core dumped", "Assertion `" };

	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		if (strstr(run->output, crashes[i]))
			return false;
	return failed(run);
}

/* The failed ones once more, each by itself. */
static int retry(struct runner *r)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < r->runs.nr; i++)
		nr += failed(&r->runs.v[i]);
	if (!nr || nr > NR_RETRIED)
		return 0;
	puts("again, one at a time:");
	for (size_t i = 0; i < r->runs.nr; i++) {
		struct run *run = &r->runs.v[i];
		struct rusage usage;
		pid_t pid;
		int status, ret;

		if (!may_pass_again(run))
			continue;
		run->first = run->output;
		run->output = NULL;
		run->done = false;
		ret = start(r, run);
		if (ret)
			return ret;
		do
			pid = wait4(run->supervisor, &status, 0, &usage);
		while (pid < 0 && errno == EINTR);
		if (pid < 0)
			return -errno;
		finish(r, pid, status, &usage);
		report(r, run);
	}
	return 0;
}

static void select_runs(struct runner *r, const struct test_suite *s)
{
	for (int exclusive = 0; exclusive < 2; exclusive++)
		for (size_t i = 0; i < s->tests.nr; i++) {
			const struct test_entry *t = &s->tests.v[i];

			if (t->selected && t->exclusive == exclusive)
				*vec__push(&r->runs) = (struct run){ .test = t, .number = i + 1 };
		}
}

/* Runs in the order of the list, so that each group is in one piece. */
static int by_number(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return compare_of(x->number, y->number);
}

/*
 * A line for each group: what became of its tests, how long they took one by one, which is more
 * than has passed where some ran at a time, and the CPU time. Reorders the runs.
 */
static void summarise_groups(struct runner *r)
{
	qsort(r->runs.v, r->runs.nr, sizeof(r->runs.v[0]), by_number);
	putchar('\n');
	for (size_t i = 0, next; i < r->runs.nr; i = next) {
		const char *group = r->runs.v[i].test->group;
		struct runner_result sum = {};
		u64 ns = 0, cpu_ns = 0;

		for (next = i; next < r->runs.nr; next++) {
			const struct run *run = &r->runs.v[next];

			if (strcmp(run->test->group, group))
				break;
			count(&sum, run->status);
			ns += run->ns;
			cpu_ns += run->cpu_ns;
		}
		printf("%-16s %4u passed, %u failed, %u skipped in %.1f s, %.1f s of CPU\n", group,
		       sum.passed, sum.failed, sum.skipped, (double)ns / NSEC_PER_SEC,
		       (double)cpu_ns / NSEC_PER_SEC);
	}
}

static int slower(const void *a, const void *b)
{
	const struct run *x = *(const struct run *const *)a, *y = *(const struct run *const *)b;

	return x->ns > y->ns ? -1 : x->ns < y->ns;
}

/* How long all took, and which took the longest. */
static void summarise_times(const struct runner *r, u64 ns)
{
	const struct run **by_time = xzalloc(r->runs.nr * sizeof(struct run *));
	const char *before = "; the longest: ";

	for (size_t i = 0; i < r->runs.nr; i++)
		by_time[i] = &r->runs.v[i];
	qsort(by_time, r->runs.nr, sizeof(*by_time), slower);
	printf("%zu tests in %.1f s", r->runs.nr, (double)ns / NSEC_PER_SEC);
	for (size_t i = 0; i < NR_SLOWEST && i < r->runs.nr; i++) {
		if (by_time[i]->ns < NSEC_PER_SEC)
			break;
		printf("%s%s %.1f s", before, by_time[i]->test->name,
		       (double)by_time[i]->ns / NSEC_PER_SEC);
		before = ", ";
	}
	putchar('\n');
	free(by_time);
}

static int more_cpu(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return -compare_of(x->cpu_ns, y->cpu_ns);
}

/* Every test, the most expensive first. Reorders the runs. */
static void list_times(struct runner *r)
{
	qsort(r->runs.v, r->runs.nr, sizeof(r->runs.v[0]), more_cpu);
	printf("\n%9s %9s\n", "CPU s", "elapsed s");
	for (size_t i = 0; i < r->runs.nr; i++) {
		const struct run *run = &r->runs.v[i];

		printf("%9.2f %9.2f  %s/%s\n", (double)run->cpu_ns / NSEC_PER_SEC,
		       (double)run->ns / NSEC_PER_SEC, run->test->group, run->test->name);
	}
}

static bool was_skipped(const struct run *run) { return run->status == TEST_EXIT_SKIP; }
static bool failed_once(const struct run *run) { return run->first && !failed(run); }

static void summarise(const struct runner *r)
{
	static const struct {
		bool (*has)(const struct run *run);
		const char *title;
	} lists[] = {
		{ was_skipped, "Skipped" },
		{ failed_once, "Failed, but not when tried again" },
		{ failed, "Failed" },
	};

	for (size_t l = 0; l < ARRAY_SIZE(lists); l++) {
		bool any = false;

		for (size_t i = 0; i < r->runs.nr; i++) {
			const struct run *run = &r->runs.v[i];
			bool once = lists[l].has == failed_once;

			if (!lists[l].has(run))
				continue;
			if (!any)
				printf("\n%s:\n", lists[l].title);
			any = true;
			printf("  %s: %s\n", run->test->name,
			       last_line(once ? run->first : run->output));
		}
	}
	printf("\n%u passed, %u failed, %u skipped\n", r->result->passed, r->result->failed,
	       r->result->skipped);
}

int test_suite__run(struct test_suite *s, const struct runner_opts *opts,
		    struct runner_result *result)
{
	struct runner r = { .opts = opts, .result = result };
	u64 start = clock__now(CLOCK_MONOTONIC);
	struct shared_dir shared;
	int ret = shared_dir__make(&shared);

	if (ret)
		return ret;
	setenv("PERF_TEST_SHARED", shared.path, 1);
	if (opts->thorough)
		setenv(TEST_THOROUGH, "1", 1);
	memset(result, 0, sizeof(*result));
	select_runs(&r, s);
	ret = run_all(&r);
	if (!ret && opts->retry)
		ret = retry(&r);
	shared_dir__close(&shared);
	if (!ret) {
		for (size_t i = 0; i < r.runs.nr; i++)
			count(result, r.runs.v[i].status);
		if (opts->times)
			list_times(&r);
		summarise_groups(&r);
		summarise_times(&r, clock__now(CLOCK_MONOTONIC) - start);
		summarise(&r);
	}
	for (size_t i = 0; i < r.runs.nr; i++) {
		free(r.runs.v[i].output);
		free(r.runs.v[i].first);
	}
	vec__free(&r.runs);
	return ret;
}
