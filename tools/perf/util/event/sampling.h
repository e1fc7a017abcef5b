/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How samples are taken: rate, callchains, side-band records. Turns the bare attr of a parsed
 * event into the one that is opened. The choices are upstream's, so that its readers find what
 * they expect.
 */
#ifndef PERF_EVENT_SAMPLING_H
#define PERF_EVENT_SAMPLING_H

#include "parse-events.h"
#include "target.h"

struct sampling {
	u64 freq;              /* per second; 0: use period */
	u64 period;            /* 0: use freq */
	bool rate_given;       /* -F or -c: also for tracepoints */
	enum user_stack stack;
	u32 stack_size;        /* USER_STACK_COPY: bytes, a multiple of 8 below 64 kB */
	bool choose_stack_size; /* that many at least, and more if rate and rings allow it */
	u32 leaf_copy;         /* USER_STACK_DEFER: bytes of the stack in each sample; 0: none */
	bool whole_copy;       /* USER_STACK_DEFER: copies of .stack_size, in their place */
	bool fp_chain;         /* USER_STACK_COPY: and the kernel's chain by frame pointers */
	bool keep_copies;      /* the file gets the copies, and what others need to unwind them */
	bool sample_cpu;       /* --sample-cpu */
	bool period_given;     /* -P: each sample has its period */
	bool raw;              /* -R: raw bytes, for every event */
	bool address;          /* -d: data addresses, and mappings of data */
	bool data_mmap;        /* mappings of data alone */
	bool phys_addr, data_page_size, code_page_size, weight, transaction, identifier;
	bool mem_info;         /* where the data of an access came from; also with .address */
	bool running_time;     /* READ values of groups say how long the events counted */
	u64 user_regs, intr_regs; /* bits as of sampling__all_regs() */
	u64 branches;          /* -b, -j: branch_sample_type; 0: no branch stacks */
	bool no_samples;       /* -n: side-band records only */
	bool no_bpf_event;     /* no records of BPF programs */
	bool no_buffering;     /* the reader is woken for each sample */
	bool cgroups, namespaces, switch_events; /* records of these; samples name their cgroup */
	bool inherit_stat;     /* -s: READ records with the counts of each thread */
	bool no_user_chain, no_kernel_chain;
	bool use_clockid;      /* -k: times by .clockid */
	s32 clockid;
	bool timestamp;        /* -T: times in any case */
	bool no_time;          /* --per-thread: samples and side-band records without times */
	bool start_disabled;   /* samples start later than side-band records */
	bool no_tracking;      /* no side-band records at all */
	bool track_apart;      /* side-band records while the events themselves are disabled */
	bool overwrite;        /* rings are overwritten, and read at the end; with .track_apart */
	bool no_inherit;
	bool many;             /* several events: samples carry ids */
	bool enable_on_exec;   /* a workload that starts later */
	bool build_id;         /* the kernel puts build-ids into MMAP2 */
	bool weight_struct;    /* the kernel divides the weight in three */
	bool count_lost;       /* the kernel counts lost records for each event */
	bool inherit_read;     /* the kernel lets children inherit events that read (S) */
	u32 largest_copy;      /* bytes; 0: no event copies stacks; see sampling__largest_copy() */
	bool output_apart;     /* CALLCHAIN_DEFERRED records have an event of their own */
	bool side;             /* a BPF program writes in front of samples: event_spec.is_side */
	bool side_data;        /* samples have side data */
	bool walk;             /* and what it writes are user chains, in place of stack copies */
};

#define SAMPLING_DEFAULT_FREQ 4000
#define SAMPLING_DEFAULT_STACK 8192
#define SAMPLING_DEFAULT_LEAF 2048

/*
 * Limits .freq to kernel.perf_event_max_sample_rate.
 * @strict: a higher rate that the user gave is an error, not a warning
 * @limit: out: the rate that was taken instead; 0: .freq was allowed
 * Returns: 0; -EINVAL, with words that name the sysctl, for a rate that the kernel will not accept.
 */
int sampling__limit_freq(struct sampling *s, bool strict, u64 *limit, struct error *err);

/*
 * Returns: how the user stacks of an event are recorded: as its terms say, or else as for all
 *         events.
 */
enum user_stack sampling__stack_of(const struct sampling *s, const struct event_spec *spec);

/* Returns: the bytes of the stack that the events of @list copy at most; 0: none copies. */
u32 sampling__largest_copy(const struct sampling *s, const struct event_list *list);

/*
 * Completes the attr of @spec.
 * @tracking: it is the one event of the recording that brings the side-band records
 * @leader: it leads its group, or is in none: it is the one that gets enabled
 */
void sampling__configure(const struct sampling *s, const struct target *target,
			 struct event_spec *spec, bool tracking, bool leader);

/*
 * Makes the attr of @spec, configured, that of samples that threads take of themselves: at every
 * @ns of their CPU time, in user space, with what an agent knows of them.
 * @stack: bytes of the stack at most
 */
void sampling__by_clock(struct event_spec *spec, u64 ns, u32 stack);

/*
 * What attr.config1 says then: the kernel, which has no use for it in software events, never sees
 * it, and readers that do not know it have no use for it either.
 */
#define SAMPLED_BY_THREADS 0x62797468726561ull

/* Returns: whether the samples of an event were taken so: nothing of the kernel is in them. */
static inline bool attr__by_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config1 == SAMPLED_BY_THREADS;
}

/*
 * Makes @spec an event that never samples and brings side-band records from every CPU: with -C,
 * samples come from some CPUs only, but programs start and map elsewhere, too. Or, if @spec is not
 * for every CPU, from the tasks of @target, before the other events are enabled.
 */
void sampling__configure_dummy(const struct sampling *s, const struct target *target,
			       struct event_spec *spec);

/*
 * Makes @spec an event that brings the CALLCHAIN_DEFERRED records of every task from every CPU, for
 * recordings of single tasks: the events of a task are removed before the record of its last kernel
 * entry is made. It must have a side-band bit, or the kernel ignores it; KSYMBOL is the rarest.
 */
void sampling__configure_output(const struct sampling *s, struct event_spec *spec);

/*
 * Makes @spec the event of what BPF programs write, on every CPU: its records never reach a file.
 */
void sampling__configure_side(const struct sampling *s, struct event_spec *spec);

/*
 * With .walk: the attr of an event at whose samples the program runs is opened without user
 * registers and stack copy, and described with both.
 */
void attr__without_copy(struct perf_event_attr *attr);
void attr__with_copy(struct perf_event_attr *attr);

/*
 * Chooses the size of rings: what the configured events may bring in a quarter of a second up to 16
 * MB, or in a 16th; less if all rings together were too large, for themselves or for the memory.
 * @list: the events, configured
 * @nr_rings: number of rings
 * @memory: of the machine, in bytes
 * Returns: the bytes of each ring, a power of two.
 */
u64 sampling__ring_bytes(const struct sampling *s, const struct event_list *list, u64 nr_rings,
			 u64 memory);

/* What rings may take. */
struct ring_room {
	u64 given;             /* bytes of each ring, as the user says; 0: they are chosen */
	u64 memory;            /* of the machine */
	u64 lockable;          /* bytes for all rings, see permissions__lockable() */
};

/*
 * With .choose_stack_size: sets .stack_size, and the attrs of @list, which are configured
 * and not open yet. The kernel copies the stack as far as it goes, but takes room for a whole copy
 * in the ring: so this is the largest size of which a ring holds what comes until it is read.
 * @nr_rings: number of rings
 */
void sampling__choose_stack_size(struct sampling *s, struct event_list *list, u64 nr_rings,
				 const struct ring_room *room);

/* Returns: the pages that a ring needs for a few samples at least, a power of two. */
u32 sampling__min_ring_pages(const struct sampling *s, const struct event_list *list);

/* Returns: a bit for each register that a sample can have: every general one of this machine. */
u64 sampling__all_regs(void);

#endif
