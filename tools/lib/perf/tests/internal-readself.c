// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reading a counter in user space, without one: the control page is made up, and the instructions
 * that read the counter and the clock are made to fault and emulated by the handler. Some virtual
 * machines let the clock be read nevertheless: what is expected of it is a range, from the clock
 * before to the clock after, which is one value where the clock is emulated.
 */
#include <fakering.h>
#include <signal.h>
#include <suite.h>
#include <sys/prctl.h>
#include <ucontext.h>

#ifdef __x86_64__
#include <x86intrin.h>

#define CYCLES 5000ULL

/* What the instructions answer, and how often they were asked; of the handler, too. */
static volatile uint64_t counter;
static volatile unsigned int counter_asked, counter_reads, clock_reads;
static volatile uint32_t *to_disturb; /* the lock, which changes while the counter is read */

static void answer(ucontext_t *context, uint64_t value)
{
	context->uc_mcontext.gregs[REG_RAX] = (uint32_t)value;
	context->uc_mcontext.gregs[REG_RDX] = value >> 32;
	context->uc_mcontext.gregs[REG_RIP] += 2;
}

static void emulate(int sig, siginfo_t *info, void *ptr)
{
	ucontext_t *context = ptr;
	const unsigned char *code = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];

	if (code[0] == 0x0f && code[1] == 0x33) { /* rdpmc */
		counter_asked = context->uc_mcontext.gregs[REG_RCX];
		counter_reads++;
		if (to_disturb)
			*to_disturb += 2;
		to_disturb = NULL;
		answer(context, counter);
	} else if (code[0] == 0x0f && code[1] == 0x31) { /* rdtsc */
		clock_reads++;
		answer(context, CYCLES);
	} else {
		signal(SIGSEGV, SIG_DFL);
	}
}

static int begin(struct fake_ring *ring, uint64_t value)
{
	struct sigaction sa = { .sa_sigaction = emulate, .sa_flags = SA_SIGINFO };

	counter = value;
	counter_reads = clock_reads = 0;
	if (fake_ring__init(ring, 1, false))
		return -1;
	ring->pc->cap_user_rdpmc = 1;
	ring->pc->index = 3;
	ring->pc->offset = 1000;
	ring->pc->pmc_width = 48;
	return sigaction(SIGSEGV, &sa, NULL) || prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

static void end(struct fake_ring *ring)
{
	prctl(PR_SET_TSC, PR_TSC_ENABLE);
	signal(SIGSEGV, SIG_DFL);
	fake_ring__free(ring);
}

/* Where the kernel lets everyone read counters (rdpmc 2 in sysfs), nothing faults. */
static bool is_trapped(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/cpu/rdpmc", "r");
	int may = 0;

	if (f && fscanf(f, "%d", &may) != 1)
		may = 0;
	if (f)
		fclose(f);
	return may < 2;
}

static int test_counter(void)
{
	struct perf_counts_values count = { .ena = 7, .run = 7 };
	struct fake_ring ring;

	if (!is_trapped())
		return SKIP("anyone may read counters here");
	__T("begin", !begin(&ring, 77));
	__T("read", !perf_mmap__read_self(&ring.map, &count));
	__T("the index counts from 1", counter_asked == 2 && counter_reads == 1);
	__T("on top of the offset", count.val == 1077);
	__T("no times", !clock_reads && !count.ena && !count.run);

	counter = (1ULL << 48) - 5; /* in 48 bits that is less than nothing */
	__T("signed", !perf_mmap__read_self(&ring.map, &count) && count.val == 995);
	ring.pc->pmc_width = 64;
	__T("all bits", !perf_mmap__read_self(&ring.map, &count) &&
	    count.val == 1000 + (1ULL << 48) - 5);
	ring.pc->pmc_width = 0;
	__T("width unknown", !perf_mmap__read_self(&ring.map, &count) &&
	    count.val == 1000 + (1ULL << 48) - 5);
	end(&ring);
	return 0;
}

static int test_times(void)
{
	struct perf_counts_values count;
	uint64_t before, after, since;
	struct fake_ring ring;

	if (!is_trapped())
		return SKIP("anyone may read counters here");
	__T("begin", !begin(&ring, 77));
	ring.pc->cap_user_time = 1;
	ring.pc->time_enabled = 10000;
	ring.pc->time_running = 3000;
	ring.pc->time_offset = 100;
	ring.pc->time_mult = 6;
	ring.pc->time_shift = 2;
	before = __rdtsc();
	__T("read", !perf_mmap__read_self(&ring.map, &count));
	after = __rdtsc();
	since = count.ena - 10100;
	__T("both go on since", since >= before * 6 / 4 && since <= after * 6 / 4 &&
	    count.run == 3100 + since);
	__T("val", count.val == 1077);
	/* More than 64 bits on the way. */
	ring.pc->time_mult = 1U << 31;
	ring.pc->time_shift = 31;
	ring.pc->cap_user_time_short = 1;
	ring.pc->time_cycles = 1ULL << 40;
	ring.pc->time_mask = 0xffff;
	do { /* until no carry into the bits that are masked */
		before = __rdtsc();
		__T("short", !perf_mmap__read_self(&ring.map, &count));
		after = __rdtsc();
	} while ((before ^ after) >> 16);
	since = count.ena - 10100 - (1ULL << 40);
	__T("by the clock's low bits", since >= (before & 0xffff) && since <= (after & 0xffff));
	end(&ring);
	return 0;
}

static int test_lock(void)
{
	struct perf_counts_values count;
	struct fake_ring ring;

	if (!is_trapped())
		return SKIP("anyone may read counters here");
	__T("begin", !begin(&ring, 77));
	to_disturb = &ring.pc->lock;
	__T("read", !perf_mmap__read_self(&ring.map, &count) && count.val == 1077);
	__T("again, as it changed meanwhile", counter_reads == 2 && ring.pc->lock == 2);
	end(&ring);
	return 0;
}

static int test_none(void)
{
	struct perf_counts_values count = { .val = 1, .ena = 2, .run = 3 };
	struct fake_ring ring;

	__T("begin", !begin(&ring, 77));
	ring.pc->index = 0; /* not on a counter now */
	__T("no index", perf_mmap__read_self(&ring.map, &count) == -EOPNOTSUPP);
	__T("nothing left over", !count.val && !count.ena && !count.run);
	ring.pc->index = 3;
	ring.pc->cap_user_rdpmc = 0;
	__T("not allowed", perf_mmap__read_self(&ring.map, &count) == -EOPNOTSUPP);
	__T("not tried", !counter_reads && !clock_reads);
	end(&ring);
	return 0;
}

static const struct test tests[] = {
	{ "the counter's value, by its width", test_counter },
	{ "times go on with the clock", test_times },
	{ "what the kernel changes meanwhile is read again", test_lock },
	{ "no counter to be read", test_none },
};

#else

static int test_other(void)
{
	return SKIP("the instructions are those of x86-64");
}

static const struct test tests[] = { { "reading counters", test_other } };

#endif

SUITE(tests)
