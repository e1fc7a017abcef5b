/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records: the unit that flows through the pipeline, and their decoders.
 *
 * A struct record is a validated view: hdr->size bytes are readable at hdr, 8-byte aligned, in
 * the byte order of this machine, and are not ours to change. Whoever handed it out says how
 * long it lives (reader: until the reader is closed; streams and live rings: until released).
 *
 * Decoders check every length against hdr->size and return -EINVAL for a record whose contents
 * do not fit; what they fill in points into the record.
 */
#ifndef PERF_DATA_RECORD_H
#define PERF_DATA_RECORD_H

#include "recording.h"

#define NO_TIME ((u64)-1)
#define NO_ID ((u32)-1)

struct record {
	const struct perf_event_header *hdr;
	const struct evsel *event;      /* of a sample, or of another record's sample_id; or NULL */
	u64 offset;   /* in the file, or in the stream for a pipe; 0 for live records */
	u64 time;     /* ns, NO_TIME when the record has none */
	u32 pid, tid; /* from the sample or its sample_id; NO_ID when absent */
	u32 cpu;      /* the same */
	u32 stale;    /* stale bytes at its end: see record__end(); mostly 0 */
	void *owner;  /* of a stream or a ring: the block that its bytes are in; otherwise NULL */
};

/*
 * Fills event, time, pid, tid, cpu and stale of @rec from its hdr.
 * @r: the events
 * Returns: 0; -EINVAL for a sample or a trailer that does not fit. A record with an unknown id is
 *         no error: its event is NULL.
 */
int record__identify(struct record *rec, const struct recording *r);

typedef u64 (*record_id_fn)(const void *ctx, u64 id);

/*
 * Replaces the ids of events in a record that the kernel wrote.
 * @hdr: the record, whole
 * @l: of any event of the recording: ids are at one place in the records of all of them
 * @id_of: returns the id that there is to be instead; its first argument is @ctx
 */
void record__replace_ids(struct perf_event_header *hdr, const struct event_layout *l,
			 record_id_fn id_of, const void *ctx);

/*
 * Linux makes some records larger than what it writes: stale bytes are behind their sample_id.
 * @hdr: a record other than a sample
 * @size: its size in bytes
 * @r: the events
 * Returns: the size up to the end of the sample_id; mostly @size.
 */
size_t record__end(const struct perf_event_header *hdr, size_t size, const struct recording *r);

/* Returns: whether Linux may make records of @type too large. */
static inline bool record__may_be_oversized(u32 type)
{
	return type == PERF_RECORD_KSYMBOL || type == PERF_RECORD_BPF_EVENT ||
	       type == PERF_RECORD_TEXT_POKE;
}

/*
 * Returns: where the sample_id of such a record, of @size bytes, begins according to its body; 0
 *         when its contents do not fit.
 */
size_t record__body_end(const struct perf_event_header *hdr, size_t size);

struct sample_regs {
	u64 abi;      /* PERF_SAMPLE_REGS_ABI_*; 0: no registers in this sample */
	u64 mask;     /* attr.sample_regs_user or _intr; bit n: register n of the architecture */
	const u64 *v; /* popcount(mask) values, lowest bit first; NULL when abi is 0 */
};

/*
 * Finds a register.
 * @reg: PERF_REG_* of the machine's asm/perf_regs.h
 * @v: out
 * Returns: false when it was not sampled.
 */
static inline bool sample_regs__get(const struct sample_regs *r, u32 reg, u64 *v)
{
	if (!r->abi || !(r->mask >> reg & 1))
		return false;
	*v = r->v[__builtin_popcountll(r->mask & (BIT_ULL(reg) - 1))];
	return true;
}

/*
 * A SAMPLE, decoded. Fields that sample_type does not have are 0, NULL or NO_*; a period that is
 * not in the sample is the one of the attr (its frequency when attr.freq is set, as in perf).
 */
struct sample {
	u16 misc;
	u8 cpumode;          /* misc & ABI_MISC_CPUMODE_MASK */
	u64 ip, time, addr, id, stream_id, period;
	u32 pid, tid, cpu;
	u64 weight;          /* WEIGHT; WEIGHT_STRUCT: u32 var1, u16 var2, u16 var3, low to high */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const u64 *chain;    /* callchain as recorded, with context markers */
	u64 nr_chain;
	const void *raw;     /* PERF_SAMPLE_RAW payload */
	u32 raw_size;
	const struct perf_branch_entry *branches;
	u64 nr_branches;
	const u64 *read;     /* PERF_SAMPLE_READ values, laid out by attr.read_format */
	u32 read_size;
	struct sample_regs user_regs, intr_regs;
	const u8 *stack;     /* copy of the top of the user stack, from the user SP up */
	u64 stack_size;      /* bytes that the kernel really wrote (dyn_size), never more */
	u64 stack_room;      /* bytes that the record reserves for it */
	const void *aux;
	u64 aux_size;
	const u8 *rest;      /* bytes behind the last part: mostly none; see stack-notes.h */
	u32 rest_size;
};

/*
 * Decodes a sample that was identified.
 * @s: filled; points into the record
 * Returns: 0; -EINVAL when its contents do not fit.
 */
int sample__parse(struct sample *s, const struct record *rec);

/* What .weight of a sample says: with PERF_SAMPLE_WEIGHT_STRUCT in three parts. */
struct sample_weights {
	u64 weight;
	u16 ins_lat, retire_lat; /* 0: there are no parts */
};

/*
 * Takes the weight of a sample apart.
 * @sample_type: of its event
 * Returns: zeros, where the event has none.
 */
struct sample_weights sample__weights(const struct sample *s, u64 sample_type);

/*
 * Finds the callchain alone, for users that need no more.
 * @chain: out: points into the record
 * @nr: out: entries; 0 when the sample has no callchain
 * Returns: 0; -EINVAL when the contents do not fit.
 */
int sample__chain(const struct record *rec, const u64 **chain, u64 *nr);

/*
 * Returns: the offset from hdr at which PERF_SAMPLE_RAW is, or would be; hdr->size if that is
 *         unknown.
 */
size_t sample__raw_at(const struct record *rec);

/* MMAP and MMAP2 in one form. */
struct mmap_record {
	u32 pid, tid;
	u64 start, len, pgoff;
	u32 maj, min;        /* 0 for MMAP and for records with a build-id */
	u64 ino, ino_generation;
	u32 prot, flags;     /* PROT_EXEC when the record is a plain MMAP of code */
	struct build_id build_id;
	const char *filename;
	u8 cpumode;
	bool is_data;        /* misc says that this is not code */
};

/* Decodes a MMAP or MMAP2 record. Returns 0, or -EINVAL when its contents do not fit. */
int record__mmap(const struct record *rec, struct mmap_record *out);

/*
 * Tells whether an MMAP2 record has a build-id in place of device and inode. Its misc bit alone
 * does not: from a recording that asks for build-ids, the kernel passes the bit on to another one
 * that runs at the same time. perf 6.1 crashes on such records.
 * @attr: of an event that may have asked for build-ids; or NULL
 * Returns: whether there is one.
 */
bool mmap2__has_build_id(const struct perf_event_header *hdr, const struct perf_event_attr *attr);

struct comm_record {
	u32 pid, tid;
	const char *comm;
	bool exec;
};

/* Decodes a COMM record. Returns 0, or -EINVAL when its contents do not fit. */
int record__comm(const struct record *rec, struct comm_record *out);

struct read_record {
	u32 pid, tid;
	u64 value; /* what an event counted in this thread */
};

/*
 * Decodes a READ record.
 * Returns: 0; -EINVAL when its contents do not fit, when its event is not known, or when it is of a
 *         group of events.
 */
int record__read(const struct record *rec, struct read_record *out);

struct task_record { /* FORK and EXIT */
	u32 pid, ppid, tid, ptid;
	u64 time;
};

/* Decodes a FORK or EXIT record. Returns 0, or -EINVAL when its contents do not fit. */
int record__task(const struct record *rec, struct task_record *out);

struct namespaces_record {
	u32 pid, tid;
	u64 nr; /* of namespaces that follow, not checked: a device and an inode each, both u64 */
};

/* Decodes a NAMESPACES record. Returns 0, or -EINVAL when its contents do not fit. */
int record__namespaces(const struct record *rec, struct namespaces_record *out);

struct cgroup_record {
	u64 id;
	const char *path; /* below the mount of cgroup2: "/user.slice" */
};

/* Decodes a CGROUP record. Returns 0, or -EINVAL when its contents do not fit. */
int record__cgroup(const struct record *rec, struct cgroup_record *out);

struct lost_record { /* LOST (type 2) and LOST_SAMPLES (13) */
	u64 id;              /* 0 for LOST_SAMPLES */
	u64 lost;
};

/* Decodes a LOST or LOST_SAMPLES record. Returns 0, or -EINVAL when its contents do not fit. */
int record__lost(const struct record *rec, struct lost_record *out);

struct switch_record { /* SWITCH and SWITCH_CPU_WIDE */
	bool out, preempt;
	u32 next_prev_pid, next_prev_tid; /* NO_ID for SWITCH */
};

/*
 * Decodes a SWITCH or SWITCH_CPU_WIDE record. Returns 0, or -EINVAL when its contents do not fit.
 */
int record__switch(const struct record *rec, struct switch_record *out);

struct ksymbol_record {
	u64 addr;
	u32 len;
	u16 type;            /* 1: bpf, 2: out of line */
	bool unregister;
	const char *name;
};

/* Decodes a KSYMBOL record. Returns 0, or -EINVAL when its contents do not fit. */
int record__ksymbol(const struct record *rec, struct ksymbol_record *out);

struct deferred_record { /* CALLCHAIN_DEFERRED: the user part of all samples with this cookie */
	u64 cookie;
	const u64 *ips;      /* innermost first, no context markers */
	u64 nr;              /* 0 is valid */
};

/* Decodes a CALLCHAIN_DEFERRED record. Returns 0, or -EINVAL when its contents do not fit. */
int record__deferred(const struct record *rec, struct deferred_record *out);

/*
 * Synthesized records have no time. Those of the start are read first in any case; those at the end
 * (perf record --tail-synthesize) belong in front, too.
 * @rec: gets the time 0 if it is one of these
 */
void record__place(struct record *rec);

#endif
