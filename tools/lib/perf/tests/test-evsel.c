// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <sched.h>
#include <suite.h>
#include <time.h>

static int messages;

static int count_messages(enum libperf_print_level level, const char *fmt, va_list ap)
{
	messages += level <= LIBPERF_DEBUG3 && fmt[strlen(fmt) - 1] == '\n' &&
		vsnprintf(NULL, 0, fmt, ap);
	return 0;
}

static struct perf_thread_map *self(void)
{
	pid_t pid = 0;

	return perf_thread_map__new_array(1, &pid);
}

/* Opens one event on the calling thread. */
static int open_self(struct perf_evsel **evsel, struct perf_event_attr attr)
{
	struct perf_thread_map *threads = self();
	int err;

	*evsel = perf_evsel__new(&attr);
	err = *evsel ? perf_evsel__open(*evsel, NULL, threads) : -ENOMEM;
	perf_thread_map__put(threads);
	return err;
}

static int test_counts(void)
{
	struct perf_event_attr attr = software_attr(PERF_COUNT_SW_PAGE_FAULTS);
	struct perf_counts_values count;
	struct perf_evsel *evsel;
	uint64_t first;
	int err;

	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			   PERF_FORMAT_ID;
	err = open_self(&evsel, attr);
	if (is_refused(err)) {
		perf_evsel__delete(evsel);
		return SKIP("events cannot be opened");
	}
	__T("open", !err);
	__T("twice", perf_evsel__open(evsel, NULL, NULL) == -EBUSY);
	touch_pages(10);
	__T("starts disabled", !perf_evsel__read(evsel, 0, 0, &count) && !count.val && !count.ena);
	__T("enable", !perf_evsel__enable(evsel));
	touch_pages(100);
	__T("disable", !perf_evsel__disable(evsel));
	__T("read", !perf_evsel__read(evsel, 0, 0, &count));
	__T("counts", count.val >= 100);
	__T("times and id", count.ena && count.ena == count.run && count.id && !count.lost);
	first = count.val;
	touch_pages(100);
	__T("disabled", !perf_evsel__read(evsel, 0, 0, &count) && count.val == first);
	__T("by index", !perf_evsel__enable_cpu(evsel, 0) && !perf_evsel__disable_cpu(evsel, 0) &&
	    !perf_evsel__enable_thread(evsel, 0));
	__T("bad index", perf_evsel__read(evsel, 1, 0, &count) == -EINVAL &&
	    perf_evsel__read(evsel, 0, -1, &count) == -EINVAL &&
	    perf_evsel__enable_cpu(evsel, 1) == -EINVAL &&
	    perf_evsel__enable_thread(evsel, -1) == -EINVAL);
	perf_evsel__close(evsel);
	__T("closed", perf_evsel__enable(evsel) == -EINVAL &&
	    perf_evsel__read(evsel, 0, 0, &count) == -EINVAL);
	perf_evsel__delete(evsel);
	return 0;
}

static int test_cpus(void)
{
	struct perf_cpu_map *cpus = perf_cpu_map__new_online_cpus();
	struct perf_event_attr attr = software_attr(PERF_COUNT_SW_CPU_CLOCK);
	struct perf_evsel *evsel = perf_evsel__new(&attr);
	struct perf_counts_values count;
	int idx, err = perf_evsel__open(evsel, cpus, NULL);

	if (is_refused(err)) {
		perf_evsel__delete(evsel);
		perf_cpu_map__put(cpus);
		return SKIP("CPUs cannot be watched");
	}
	__T("open", !err);
	__T("enable one", !perf_evsel__enable_cpu(evsel, 0));
	usleep(2000);
	perf_evsel__disable(evsel);
	perf_cpu_map__for_each_idx(idx, cpus) {
		__T("read", !perf_evsel__read(evsel, idx, 0, &count));
		__T("only the first counted", !!count.val == !idx);
	}
	perf_evsel__close_cpu(evsel, 0);
	__T("closed one", perf_evsel__read(evsel, 0, 0, &count) == -EINVAL);
	perf_evsel__delete(evsel); /* closes the rest */
	perf_cpu_map__put(cpus);
	return 0;
}

/* Fields behind the first published size count, although the caller gave no size. */
static int test_attr_size(void)
{
	struct perf_event_attr attr = fault_attr();
	struct perf_evsel *evsel;
	int err;

	attr.size = 0;
	attr.use_clockid = 1;
	attr.clockid = 999;
	err = open_self(&evsel, attr);
	perf_evsel__delete(evsel);
	if (is_refused(err))
		return SKIP("events cannot be opened");
	__T("the kernel saw the bad clock", err == -EINVAL);
	attr.clockid = CLOCK_MONOTONIC;
	__T("and takes a good one", !open_self(&evsel, attr));
	__T("attr as given", !perf_evsel__attr(evsel)->size &&
	    perf_evsel__attr(evsel)->clockid == CLOCK_MONOTONIC);
	perf_evsel__delete(evsel);
	return 0;
}

static int test_errors(void)
{
	struct perf_event_attr attr = { .type = 0x7fffffff, .config = 1 };
	pid_t none = 0x3fffffff;
	struct perf_thread_map *gone = perf_thread_map__new_array(1, &none);
	struct perf_event_attr fault = fault_attr();
	struct perf_evsel *evsel;
	int err;

	libperf_init(count_messages);
	err = open_self(&evsel, attr);
	libperf_init(NULL);
	__T("no such PMU", err == -ENOENT || is_refused(err));
	__T("said so to the callback", messages > 0);
	perf_evsel__delete(evsel);
	evsel = perf_evsel__new(&fault);
	err = perf_evsel__open(evsel, NULL, gone);
	__T("no such thread", err == -ESRCH || is_refused(err));
	__T("nothing to map", perf_evsel__mmap(evsel, 1) == -EINVAL);
	perf_evsel__delete(evsel);
	perf_evsel__delete(NULL);
	perf_thread_map__put(gone);
	return 0;
}

static int test_mmap(void)
{
	struct perf_event_mmap_page *pc;
	struct perf_counts_values count;
	struct perf_evsel *evsel;
	int err = open_self(&evsel, software_attr(PERF_COUNT_SW_PAGE_FAULTS));

	if (is_refused(err)) {
		perf_evsel__delete(evsel);
		return SKIP("events cannot be opened");
	}
	__T("pages", perf_evsel__mmap(evsel, 3) == -EINVAL &&
	    perf_evsel__mmap(evsel, -1) == -EINVAL);
	__T("not yet", !perf_evsel__mmap_base(evsel, 0, 0));
	__T("control page", !perf_evsel__mmap(evsel, 0));
	pc = perf_evsel__mmap_base(evsel, 0, 0);
	__T("base", pc && pc->cap_bit0_is_deprecated && !perf_evsel__mmap_base(evsel, 0, 1));
	perf_evsel__enable(evsel);
	touch_pages(20);
	__T("read, though not in user space", !perf_evsel__read(evsel, 0, 0, &count) &&
	    count.val >= 20);
	perf_evsel__munmap(evsel);
	__T("with data", !perf_evsel__mmap(evsel, 4) && perf_evsel__mmap_base(evsel, 0, 0));
	perf_evsel__delete(evsel); /* unmaps */
	return 0;
}

static int test_scale(void)
{
	struct perf_counts_values half = { .val = 100, .ena = 50, .run = 25 };
	struct perf_counts_values all = { .val = 100, .ena = 50, .run = 50 };
	struct perf_counts_values never = { .val = 7, .ena = 50 };
	__s8 scaled;

	perf_counts_values__scale(&half, false, &scaled);
	__T("not asked", half.val == 100 && scaled == 0);
	perf_counts_values__scale(&half, true, &scaled);
	__T("scaled", half.val == 200 && scaled == 1);
	perf_counts_values__scale(&all, true, &scaled);
	__T("no need", all.val == 100 && scaled == 0);
	perf_counts_values__scale(&never, true, &scaled);
	__T("never ran", never.val == 0 && scaled == -1);
	perf_counts_values__scale(&all, true, NULL);
	return 0;
}

static const struct test tests[] = {
	{ "counting of a thread", test_counts },
	{ "counting of CPUs", test_cpus },
	{ "attr without a size", test_attr_size },
	{ "errors", test_errors },
	{ "mapping", test_mmap },
	{ "scaling", test_scale },
};

SUITE(tests)
