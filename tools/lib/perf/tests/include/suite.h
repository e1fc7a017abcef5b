/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A test program is a table of functions that return 0, -1 (as __T() does), or SKIP(reason). It
 * prints TAP and exits with 0 passed, 1 failed, 77 all skipped. Included once in each program.
 */
#ifndef LIBPERF_TESTS_SUITE_H
#define LIBPERF_TESTS_SUITE_H

#include <errno.h>
#include <internal/tests.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <perf/cpumap.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

int tests_failed;
int tests_verbose;
static const char *skip_reason;

#define SKIPPED 77
#define SKIP(reason) (skip_reason = (reason), SKIPPED)

struct test {
	const char *name;
	int (*fn)(void);
};

/* Runs @nr tests. Returns the exit status. */
static inline int suite__run(const struct test *tests, int nr)
{
	int i, failed = 0, skipped = 0;

	printf("1..%d\n", nr);
	for (i = 0; i < nr; i++) {
		int ret = tests[i].fn();

		failed += ret && ret != SKIPPED;
		skipped += ret == SKIPPED;
		printf("%s %d - %s%s%s\n", ret && ret != SKIPPED ? "not ok" : "ok", i + 1,
		       tests[i].name, ret == SKIPPED ? " # SKIP " : "",
		       ret == SKIPPED ? skip_reason : "");
		fflush(stdout);
	}
	return failed ? 1 : skipped == nr ? SKIPPED : 0;
}

#define SUITE(tests)                                                  \
	int main(void)                                                \
	{                                                             \
		return suite__run(tests, ARRAY_SIZE(tests));          \
	}

/* Makes the caller take @nr page faults, one for each page. */
static inline void touch_pages(int nr)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, nr * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (area == MAP_FAILED)
		return;
	madvise(area, nr * page, MADV_NOHUGEPAGE);
	for (int i = 0; i < nr; i++)
		((volatile char *)area)[i * page] = 1;
	munmap(area, nr * page);
}

/* Returns: the attr of a software event, PERF_COUNT_SW_*, @config. */
static inline struct perf_event_attr software_attr(uint64_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1, /* allowed to everyone, for one's own threads */
		.exclude_hv = 1,
	};

	return attr;
}

/* Returns: the attr of an event that samples every page fault: id, pid and tid. */
static inline struct perf_event_attr fault_attr(void)
{
	struct perf_event_attr attr = software_attr(PERF_COUNT_SW_PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID;
	attr.wakeup_events = 1;
	return attr;
}

/*
 * Returns: whether @err is an error of missing permission, or of a system call that does not exist.
 */
static inline bool is_refused(int err)
{
	return err == -EACCES || err == -EPERM || err == -ENOSYS;
}

/* Adds an event to the list. Returns it, owned by the list; NULL: out of memory. */
static inline struct perf_evsel *add_event(struct perf_evlist *evlist, struct perf_event_attr attr)
{
	struct perf_evsel *evsel = perf_evsel__new(&attr);

	if (evsel)
		perf_evlist__add(evlist, evsel);
	return evsel;
}

#endif
