/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds synthesized records, each with the sample_id that the event requires. */
#ifndef PERF_LIVE_SYNTH_RECORD_H
#define PERF_LIVE_SYNTH_RECORD_H

#include <stdio.h>

#include "synthesize.h"

struct synth_mmap2 {
	u16 misc;               /* cpumode; the build-id bit is set when there is one */
	u32 pid, tid;
	u64 start, len, pgoff;
	u32 maj, min;
	u64 ino, ino_generation; /* the latter is 0 when it is not known */
	u32 prot, flags;
	struct build_id build_id;
	const char *filename;   /* cut at PATH_MAX */
};

/* Emits an MMAP2 record. Returns what s->emit() has returned. */
int synth__mmap2(struct synthesize *s, const struct synth_mmap2 *r);

/*
 * Emits a COMM record. @pid, @tid: of the thread; @comm: its name. Returns what s->emit() has
 * returned.
 */
int synth__comm(struct synthesize *s, u32 pid, u32 tid, const char *comm);

/*
 * Emits a FORK record.
 * @pid, @tid: of the new task
 * @ppid, @ptid: of its parent
 * Returns: what s->emit() has returned.
 */
int synth__fork(struct synthesize *s, u32 pid, u32 tid, u32 ppid, u32 ptid);

/*
 * Emits an EXIT record.
 * @pid, @tid: of the task that has ended
 * Returns: what s->emit() has returned.
 */
int synth__exit(struct synthesize *s, u32 pid, u32 tid);

/*
 * Emits a CGROUP record. @id: as samples name the group; @path: below the mount. Returns what
 * s->emit() has returned.
 */
int synth__cgroup(struct synthesize *s, u64 id, const char *path);

/*
 * Emits a record for each module of the kernel.
 * @modules: the text of /proc/modules; is cut into its lines
 * @deps: the text of @dir/modules.dep, which knows their files; or NULL
 * @dir: the directory of the modules
 * Returns: what s->emit() has returned.
 */
int synth__modules(struct synthesize *s, char *modules, const char *deps, const char *dir);

enum synth_ksymbol_type { /* PERF_RECORD_KSYMBOL_TYPE_* of linux/perf_event.h */
	SYNTH_KSYMBOL_BPF = 1,
	SYNTH_KSYMBOL_OUT_OF_LINE = 2,
};

/*
 * Emits a KSYMBOL record.
 * @start, @len: of the code, in bytes
 * @name: of the function
 * Returns: what s->emit() has returned.
 */
int synth__ksymbol(struct synthesize *s, u64 start, u32 len, enum synth_ksymbol_type type,
		   const char *name);

/*
 * Emits a record for each BPF program and trampoline.
 * @kallsyms: in the format of /proc/kallsyms; where addresses are hidden, nothing is emitted
 * Returns: what s->emit() has returned.
 */
int synth__ksymbols(struct synthesize *s, FILE *kallsyms);

#define SYNTH_NR_NAMESPACES 7

struct synth_namespace {
	u64 dev, ino;
};

/*
 * Emits a NAMESPACES record.
 * @pid, @tid: of the thread
 * @ns: in the order of NET_NS_INDEX to CGROUP_NS_INDEX (linux/perf_event.h)
 * Returns: what s->emit() has returned.
 */
int synth__namespaces(struct synthesize *s, u32 pid, u32 tid,
		      const struct synth_namespace ns[SYNTH_NR_NAMESPACES]);

/*
 * Emits a LOST_SAMPLES record: what the @id of the event s->event has @lost in all, whether there
 * was a LOST record or not. Returns what s->emit() has returned.
 */
int synth__lost_samples(struct synthesize *s, u64 id, u64 lost);

/*
 * Emits a LOST_SAMPLES record of no samples: up to s->time there was a CPU without events for a
 * moment (off_cpu__record()). Returns what s->emit() has returned.
 */
int synth__gap(struct synthesize *s);

/*
 * Emits a LOST record of no records: from s->time on there is a CPU without events
 * (off_cpu__record()). Returns what s->emit() has returned.
 */
int synth__unseen_cpu(struct synthesize *s);

#endif
