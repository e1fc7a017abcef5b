// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <unistd.h>

#include "../data/abi.h"
#include "../io/procfile.h"
#include "sampling.h"

#define DEFERRED_RECORD_MAX 4200 /* bytes: 510 addresses, header, cookie, sample_id */

/*
 * A ring holds what comes in this part of a second, 60 ms, since the drain may have to wait so
 * long: on two CPUs with many short processes it sometimes waited 15 ms for a CPU, and up to 55 ms
 * for its timer. Larger rings cost a short recording more than the drain does: the kernel clears
 * them at the start. Up to RING_EASY, which takes 3 ms, a ring holds what comes in a quarter of a
 * second: when 20 other threads compete for each CPU, and the drain has no priority, it waits for
 * more than 64 ms.
 */
#define RING_TIME 16
#define RING_LONG_TIME 4
#define RING_LEAST (512u << 10)
#define RING_EASY (16u << 20)
#define RING_MOST (64u << 20)
#define RINGS_MOST (1024u << 20)
#define RINGS_MEMORY 32 /* rings take at most this part of the memory */
#define SAMPLES_LEAST 16

/* Estimates, when the rate is not known in advance. */
#define RATE_PERIOD 10000
#define RATE_TRACEPOINT 50000
#define CHAIN_BYTES 512
#define BRANCH_BYTES (32 * 24)
#define SAMPLE_BYTES 96
#define WALK_BYTES 16384 /* of a BPF program's record: at first nearly all of them have a copy */
/* The second copy wakes the recorder, so that the next stack needs none; or some hundred chains. */
#define WALK_WAKEUP (100u << 10)

int sampling__limit_freq(struct sampling *s, bool strict, u64 *limit, struct error *err)
{
	const char *file = "/proc/sys/kernel/perf_event_max_sample_rate";
	s64 max = procfile__number(file, -1);

	*limit = 0;
	if (!s->freq || max <= 0 || s->freq <= (u64)max)
		return 0;
	if (strict) {
		error__set(err, -EINVAL, "frequency %" PRIu64 " Hz is above the maximum, %" PRId64
			   " Hz", s->freq, max);
		error__hint(err, "Use a lower frequency (-F), or as root, run: sysctl "
			    "kernel.perf_event_max_sample_rate=%" PRIu64, s->freq);
		return -EINVAL;
	}
	s->freq = *limit = max;
	return 0;
}

enum user_stack sampling__stack_of(const struct sampling *s, const struct event_spec *spec)
{
	if (spec->is_dummy)
		return USER_STACK_NONE;
	return spec->terms.has_stack ? spec->terms.stack : s->stack;
}

static u32 copy_size(const struct sampling *s, const struct event_spec *spec)
{
	enum user_stack stack = sampling__stack_of(s, spec);

	if (stack == USER_STACK_COPY || (stack == USER_STACK_DEFER && s->whole_copy))
		return spec->terms.stack_size ?: s->stack_size;
	return stack == USER_STACK_DEFER ? s->leaf_copy : 0;
}

u32 sampling__largest_copy(const struct sampling *s, const struct event_list *list)
{
	u32 largest = 0;

	for (size_t i = 0; i < list->specs.nr; i++)
		largest = max_of(largest, copy_size(s, &list->specs.v[i]));
	return largest;
}

/* Samples a second on one CPU. */
static u64 sample_rate(const struct event_spec *spec)
{
	const struct perf_event_attr *attr = &spec->attr;

	if (spec->is_dummy || !attr->sample_period)
		return 0;
	if (attr->freq)
		return attr->sample_freq;
	if (attr->type == PERF_TYPE_SOFTWARE && attr->config <= PERF_COUNT_SW_TASK_CLOCK)
		return max_of(1000000000ull / attr->sample_period, (u64)1); /* of ns */
	return attr->type == PERF_TYPE_TRACEPOINT ? RATE_TRACEPOINT : RATE_PERIOD;
}

/* How many samples may come in 1/@part of a second. */
static u64 samples_in(const struct event_list *list, u32 part)
{
	u64 rate = 0;

	for (size_t i = 0; i < list->specs.nr; i++)
		rate += min_of(sample_rate(&list->specs.v[i]), (u64)1000000);
	return max_of(rate / part, (u64)SAMPLES_LEAST);
}

u64 sampling__ring_bytes(const struct sampling *s, const struct event_list *list, u64 nr_rings,
			 u64 memory)
{
	u64 sample = SAMPLE_BYTES, bytes = RING_LEAST;
	u64 all = min_of(memory / RINGS_MEMORY, (u64)RINGS_MOST);

	sample += s->stack == USER_STACK_NONE ? 0 : CHAIN_BYTES;
	sample += s->walk ? WALK_BYTES : sampling__largest_copy(s, list);
	sample += s->branches ? BRANCH_BYTES : 0;
	while (bytes < RING_EASY && bytes < samples_in(list, RING_LONG_TIME) * sample)
		bytes *= 2;
	while (bytes < RING_MOST && bytes < samples_in(list, RING_TIME) * sample)
		bytes *= 2;
	while (bytes * nr_rings > all && bytes > (u64)sysconf(_SC_PAGESIZE))
		bytes /= 2;
	return max_of(bytes, (u64)sampling__min_ring_pages(s, list) * sysconf(_SC_PAGESIZE));
}

static bool copies_fit(const struct sampling *s, const struct event_list *list, u64 nr_rings,
		       const struct ring_room *room, u32 time)
{
	u64 bytes = room->given ?: sampling__ring_bytes(s, list, nr_rings, room->memory);

	bytes = min_of(bytes, room->lockable / nr_rings);
	return bytes / s->stack_size >= samples_in(list, time);
}

void sampling__choose_stack_size(struct sampling *s, struct event_list *list, u64 nr_rings,
				 const struct ring_room *room)
{
	/*
	 * .time: if rings cannot be as large as they should, they still hold what comes in this
	 * part of a second (30, 8, 4 ms) with all copies full. Few copies are full. A smaller copy
	 * would certainly cut stacks, while samples are lost only if the drain is that late.
	 * Ordinary users have 2 MB for a ring on 4 CPUs, and 1 MB on 8.
	 */
	static const struct { u32 size, time; } copies[] = {
		{ SAMPLING_MAX_STACK, 32 }, { 32768, 128 }, { 16384, 256 },
	};
	u32 least = s->stack_size;

	if (!s->choose_stack_size || (s->stack != USER_STACK_COPY && !s->whole_copy))
		return;
	s->choose_stack_size = false; /* done */
	for (size_t i = 0; i < ARRAY_SIZE(copies) && copies[i].size > least; i++) {
		s->stack_size = copies[i].size;
		if (copies_fit(s, list, nr_rings, room, copies[i].time))
			break;
		s->stack_size = least;
	}
	for (size_t i = 0; i < list->specs.nr; i++)
		if (list->specs.v[i].attr.sample_stack_user)
			list->specs.v[i].attr.sample_stack_user = copy_size(s, &list->specs.v[i]);
}

u32 sampling__min_ring_pages(const struct sampling *s, const struct event_list *list)
{
	u64 page = sysconf(_SC_PAGESIZE), bytes = 4 * (u64)sampling__largest_copy(s, list);
	u64 pages = 1;

	if (s->stack == USER_STACK_DEFER)
		bytes = max_of(bytes, (u64)DEFERRED_RECORD_MAX);
	while (pages * page < bytes)
		pages *= 2;
	return pages;
}

u64 sampling__all_regs(void)
{
#if defined(__x86_64__)
	/* AX BX CX DX SI DI BP SP IP FLAGS CS SS, R8-R15; DS ES FS GS are not given out. */
	return 0xff0fff;
#elif defined(__aarch64__)
	return BIT_ULL(33) - 1; /* x0-x30, sp, pc */
#elif defined(__s390x__)
	return BIT_ULL(34) - 1; /* r0-r15, fp0-fp15, mask, pc */
#else
	return 0;
#endif
}

static void configure_rate(const struct sampling *s, struct event_spec *spec, bool leader)
{
	struct perf_event_attr *attr = &spec->attr;

	/* Only the leader samples, and its samples have the counts of the others. */
	if (s->no_samples || (spec->sample_read && !leader)) {
		attr->sample_type |= PERF_SAMPLE_PERIOD;
		attr->freq = 0;
		attr->sample_period = 0;
	/* The event's own terms have a period or freq. */
	} else if (attr->sample_period) {
		attr->sample_type |= attr->freq ? PERF_SAMPLE_PERIOD : 0;
	} else if (spec->tp_name && !s->rate_given) {
		attr->sample_period = 1;
	} else if (s->freq) {
		attr->freq = 1;
		attr->sample_freq = s->freq;
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	} else {
		attr->sample_period = s->period;
	}
}

static void configure_contents(const struct sampling *s, struct event_spec *spec)
{
	const struct { bool wanted; u64 bit; } more[] = {
		{ s->address, PERF_SAMPLE_ADDR },
		{ s->address || s->mem_info, PERF_SAMPLE_DATA_SRC },
		{ s->phys_addr, PERF_SAMPLE_PHYS_ADDR },
		{ s->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE },
		{ s->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ s->weight, s->weight_struct ? PERF_SAMPLE_WEIGHT_STRUCT : PERF_SAMPLE_WEIGHT },
		{ s->transaction, PERF_SAMPLE_TRANSACTION },
		{ s->cgroups, PERF_SAMPLE_CGROUP },
		{ s->raw, PERF_SAMPLE_RAW | PERF_SAMPLE_CPU },
		{ s->user_regs, PERF_SAMPLE_REGS_USER },
		{ s->intr_regs, PERF_SAMPLE_REGS_INTR },
		{ s->branches, PERF_SAMPLE_BRANCH_STACK },
	};
	struct perf_event_attr *attr = &spec->attr;

	if (spec->tp_name)
		attr->sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
	if (s->period_given)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (spec->retire_lat && !s->weight)
		attr->sample_type |= PERF_SAMPLE_WEIGHT_STRUCT;
	for (size_t i = 0; i < ARRAY_SIZE(more); i++)
		attr->sample_type |= more[i].wanted ? more[i].bit : 0;
	attr->sample_regs_user |= s->user_regs;
	attr->sample_regs_intr = s->intr_regs;
	attr->branch_sample_type = s->branches;
	attr->inherit_stat = s->inherit_stat;
	if (s->no_buffering)
		attr->wakeup_events = 1;
	attr->watermark = s->walk;
	if (s->walk)
		attr->wakeup_watermark = WALK_WAKEUP;
}

/* The contents of read(2), READ records and the READ part of samples. */
static void configure_read(const struct sampling *s, struct event_spec *spec, bool grouped)
{
	struct perf_event_attr *attr = &spec->attr;

	if (spec->sample_read) {
		attr->sample_type |= PERF_SAMPLE_READ;
		attr->read_format |= grouped ? PERF_FORMAT_GROUP : 0;
	}
	if (s->inherit_stat || (spec->sample_read && s->running_time))
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static void configure_callchain(const struct sampling *s, struct event_spec *spec)
{
	enum user_stack stack = sampling__stack_of(s, spec);
	struct perf_event_attr *attr = &spec->attr;

	if (stack == USER_STACK_NONE)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->exclude_callchain_user = s->no_user_chain;
	attr->exclude_callchain_kernel = s->no_kernel_chain;
	attr->sample_max_stack = spec->terms.max_stack;
	if (stack == USER_STACK_DEFER)
		attr__set_bit(attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr->sample_stack_user = copy_size(s, spec);
	if (!attr->sample_stack_user)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = sampling__all_regs();
	if (stack == USER_STACK_COPY)
		attr->exclude_callchain_user = !s->fp_chain;
}

static void configure_output(const struct sampling *s, struct perf_event_attr *attr)
{
	attr->ksymbol = 1;
	attr->bpf_event = !s->no_bpf_event;
	if (s->stack == USER_STACK_DEFER)
		attr__set_bit(attr, ATTR_BIT_DEFER_OUTPUT, true);
}

static void configure_tracking(const struct sampling *s, struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = 1;
	attr->comm = attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = s->switch_events;
	attr->namespaces = s->namespaces;
	attr->cgroup = s->cgroups;
	/* perf with libunwind looks for .eh_frame_hdr in the read-only mappings. */
	attr->mmap_data = s->address || s->data_mmap ||
			  (s->largest_copy && s->keep_copies);
	if (s->build_id)
		attr__set_bit(attr, ATTR_BIT_BUILD_ID, true);
	if (!s->output_apart)
		configure_output(s, attr);
}

static void configure_common(const struct sampling *s, struct perf_event_attr *attr, bool cpu,
			     bool read)
{
	attr->size = sizeof(*attr);
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	if (!s->no_time)
		attr->sample_type |= PERF_SAMPLE_TIME;
	if (s->use_clockid) {
		attr->use_clockid = 1;
		attr->clockid = s->clockid;
	}
	if (cpu || s->sample_cpu)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (s->many || s->identifier || read)
		attr->sample_type |= PERF_SAMPLE_IDENTIFIER;
	attr->read_format = PERF_FORMAT_ID | (s->count_lost ? PERF_FORMAT_LOST : 0);
	attr->sample_id_all = 1;
	attr->disabled = 1;
}

static bool wants_inherit(const struct sampling *s, const struct event_spec *spec)
{
	if (spec->sample_read && !s->inherit_read)
		return false;
	if (spec->terms.inherit != SWITCH_UNSET)
		return spec->terms.inherit == SWITCH_ON;
	return !s->no_inherit;
}

void sampling__configure(const struct sampling *s, const struct target *target,
			 struct event_spec *spec, bool tracking, bool leader)
{
	struct perf_event_attr *attr = &spec->attr;
	bool per_cpu = target->system_wide || target->has_cpus;

	configure_common(s, attr, per_cpu || spec->tp_name, spec->sample_read);
	configure_rate(s, spec, leader);
	configure_callchain(s, spec);
	configure_contents(s, spec);
	configure_read(s, spec, !leader || spec->has_members);
	/* The kernel maps no ring for an inherited event that is not bound to a CPU. */
	attr->inherit = !per_cpu && !target->per_thread && wants_inherit(s, spec);
	attr->write_backward = s->overwrite;
	attr->enable_on_exec = leader && s->enable_on_exec && !s->start_disabled;
	attr->disabled = leader;
	if (spec->every_cpu) { /* no task of ours begins or ends it */
		attr->inherit = attr->enable_on_exec = attr->disabled = 0;
		attr->sample_type |= PERF_SAMPLE_CPU;
	}
	if (tracking && !s->no_tracking)
		configure_tracking(s, attr);
}

void sampling__by_clock(struct event_spec *spec, u64 ns, u32 stack)
{
	struct perf_event_attr *attr = &spec->attr;

	attr->freq = 0;
	attr->sample_period = ns;
	attr->config1 = SAMPLED_BY_THREADS;
	attr->enable_on_exec = 0;
	attr->sample_type &= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			     PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			     PERF_SAMPLE_STACK_USER;
	attr->sample_type |= PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	attr->sample_stack_user = stack;
}

static void configure_silent(const struct sampling *s, struct event_spec *spec, bool cpu)
{
	spec->attr.type = PERF_TYPE_SOFTWARE;
	spec->attr.config = PERF_COUNT_SW_DUMMY;
	spec->attr.exclude_guest = 1;
	configure_common(s, &spec->attr, cpu, false);
	spec->attr.sample_period = 1;
}

void sampling__configure_dummy(const struct sampling *s, const struct target *target,
			       struct event_spec *spec)
{
	configure_silent(s, spec, !target->per_thread);
	configure_tracking(s, &spec->attr);
	if (spec->every_cpu)
		return;
	spec->attr.inherit = !target->system_wide && !target->per_thread && !s->no_inherit;
	spec->attr.enable_on_exec = s->enable_on_exec;
}

void sampling__configure_output(const struct sampling *s, struct event_spec *spec)
{
	configure_silent(s, spec, true);
	configure_output(s, &spec->attr);
	/* Enabled at once: the others may wait for the exec of the workload. */
	spec->attr.disabled = 0;
}

void sampling__configure_side(const struct sampling *s, struct event_spec *spec)
{
	configure_silent(s, spec, true);
	spec->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	spec->attr.sample_type |= PERF_SAMPLE_RAW;
	spec->attr.disabled = 0;
}

#define WALK_COPY 57344 /* what the program copies at most, in bytes */

void attr__without_copy(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
}

void attr__with_copy(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = sampling__all_regs();
	attr->sample_stack_user = WALK_COPY;
}
