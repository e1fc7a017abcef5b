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
	bool keep_copies;      /* copies stay in the file: record what others need to unwind them */
	bool sample_cpu;       /* --sample-cpu */
	bool period_given;     /* -P: each sample says its period */
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
	bool start_disabled;   /* samples begin later than side-band records */
	bool no_tracking;      /* no side-band records at all */
	bool track_apart;      /* side-band records while the events themselves are disabled */
	bool overwrite;        /* rings are written over, and read at the end: with track_apart */
	bool no_inherit;
	bool many;             /* several events: samples carry ids */
	bool enable_on_exec;   /* a workload that starts later */
	bool build_id;         /* the kernel puts build-ids into MMAP2 */
	bool weight_struct;    /* the kernel divides the weight in three */
	bool count_lost;       /* the kernel counts lost records for each event */
	bool inherit_read;     /* the kernel lets children inherit events that read (S) */
	u32 largest_copy;      /* bytes; 0: no event copies stacks; see sampling__largest_copy() */
	bool output_apart;     /* an event of its own brings the CALLCHAIN_DEFERRED records */
};

#define SAMPLING_DEFAULT_FREQ 4000
#define SAMPLING_DEFAULT_STACK 8192

/*
 * Limits freq to kernel.perf_event_max_sample_rate: *limit is then the rate taken. -EINVAL when
 * the user gave a rate that the kernel will not accept (words name the sysctl).
 */
int sampling__limit_freq(struct sampling *s, bool strict, u64 *limit, struct error *err);

/* How the user stacks of an event come about: as its terms say, or else as all do. */
enum user_stack sampling__stack_of(const struct sampling *s, const struct event_spec *spec);

/* Bytes that an event copies of a stack at most; 0: none copies. */
u32 sampling__largest_copy(const struct sampling *s, const struct event_list *list);

/*
 * Completes @spec->attr. Exactly one event of a recording is the @tracking one. A group is enabled
 * by its @leader, which an event outside of groups is, too.
 */
void sampling__configure(const struct sampling *s, const struct target *target,
			 struct event_spec *spec, bool tracking, bool leader);

/*
 * An event that never samples and brings side-band records from every CPU: with -C samples come
 * from some CPUs only, but programs start and map elsewhere too. Or, where @spec is not for every
 * CPU, from the tasks of @target, before the other events are enabled.
 */
void sampling__configure_dummy(const struct sampling *s, const struct target *target,
			       struct event_spec *spec);

/*
 * An event that brings CALLCHAIN_DEFERRED records of every task from every CPU, for recordings of
 * single tasks: the events of a task are gone before the record of its last kernel entry is made.
 * It must have a side-band bit, or the kernel does not look at it; KSYMBOL is the quietest.
 */
void sampling__configure_output(const struct sampling *s, struct event_spec *spec);

/*
 * The size that each of @nr_rings rings should have, a power of two: what the configured events of
 * @list may bring in a quarter of a second up to 16 MB, or in a 16th, all of them together being
 * bounded, and by a part of @memory, too.
 */
u64 sampling__ring_bytes(const struct sampling *s, const struct event_list *list, u64 nr_rings,
			 u64 memory);

/* What rings may take. */
struct ring_room {
	u64 given;             /* bytes of each ring, as the user says; 0: they are chosen */
	u64 memory;            /* of the machine */
	u64 lockable;          /* for all rings, see permissions__lockable() */
};

/*
 * With .choose_stack_size: sets .stack_size, and the attrs of @list likewise, which are configured
 * and not open yet. The kernel copies what there is of a stack, but takes the room of a whole copy
 * in the ring: the largest size is taken of which a ring holds what comes until it is read.
 */
void sampling__choose_stack_size(struct sampling *s, struct event_list *list, u64 nr_rings,
				 const struct ring_room *room);

/* Pages below which a ring has no room for a few samples: a power of two. */
u32 sampling__min_ring_pages(const struct sampling *s, const struct event_list *list);

/* The registers that a sample can have: every general one of this machine. */
u64 sampling__all_regs(void);

#endif
