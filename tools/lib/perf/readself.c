// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reads the counter of the calling thread in user space. The control page has the number of the
 * hardware counter (index), what to add to it (offset), and how to convert the CPU's clock into the
 * times; lock changes while the kernel updates them. The protocol is the one in the comments of
 * struct perf_event_mmap_page.
 */
#include <errno.h>
#include <internal/mmap.h>
#include <linux/perf_event.h>
#include <perf/evsel.h>

#if defined(__x86_64__)

static u64 read_counter(unsigned int index)
{
	unsigned int low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return low | (u64)high << 32;
}

static u64 read_clock(void)
{
	unsigned int low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return low | (u64)high << 32;
}

#elif defined(__aarch64__)

#define READ_SYSREG(value, name) __asm__ volatile("mrs %0, " name : "=r"(value))
#define CYCLE_COUNTER 31

static u64 read_counter(unsigned int index)
{
	u64 value;

	if (index == CYCLE_COUNTER) {
		READ_SYSREG(value, "pmccntr_el0");
		return value;
	}
	__asm__ volatile("msr pmselr_el0, %0\n\tisb" : : "r"((u64)index));
	READ_SYSREG(value, "pmxevcntr_el0");
	return value;
}

static u64 read_clock(void)
{
	u64 value;

	READ_SYSREG(value, "cntvct_el0");
	return value;
}

#else

static u64 read_counter(unsigned int index)
{
	return index;
}

static u64 read_clock(void)
{
	return 0;
}

#define NO_USER_READ 1
#endif

/* ns since the times in the control page were written; 128 bits, as cycles * mult can exceed 64. */
static u64 elapsed(const volatile struct perf_event_mmap_page *pc, u64 cycles)
{
#ifdef PERF_ATTR_SIZE_VER6 /* the header knows cap_user_time_short */
	if (pc->cap_user_time_short)
		cycles = pc->time_cycles + ((cycles - pc->time_cycles) & pc->time_mask);
#endif
	return pc->time_offset +
	       (u64)(((unsigned __int128)cycles * pc->time_mult) >> pc->time_shift);
}

/* The counter is pmc_width bits wide, and signed. */
static s64 sign_extended(u64 value, unsigned int width)
{
	return width && width < 64 ? (s64)(value << (64 - width)) >> (64 - width) : (s64)value;
}

static int read_once(const volatile struct perf_event_mmap_page *pc,
		     struct perf_counts_values *count)
{
	unsigned int index = pc->index;

	if (!pc->cap_user_rdpmc || !index)
		return -EOPNOTSUPP;
	count->ena = count->run = 0;
	if (pc->cap_user_time) {
		u64 since = elapsed(pc, read_clock());

		count->ena = pc->time_enabled + since;
		count->run = pc->time_running + since;
	}
	count->val = pc->offset + sign_extended(read_counter(index - 1), pc->pmc_width);
	return 0;
}

int perf_mmap__read_self(struct perf_mmap *map, struct perf_counts_values *count)
{
	const volatile struct perf_event_mmap_page *pc = map->base;
	u32 seq;
	int err;

#ifdef NO_USER_READ
	return -EOPNOTSUPP;
#endif
	do {
		seq = __atomic_load_n(&pc->lock, __ATOMIC_ACQUIRE);
		err = read_once(pc, count);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&pc->lock, __ATOMIC_RELAXED) != seq);
	if (err) {
		count->val = count->ena = count->run = 0;
		return err;
	}
	return 0;
}
