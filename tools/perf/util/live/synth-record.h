/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds synthesized records, each with the sample_id that the event requires. */
#ifndef PERF_LIVE_SYNTH_RECORD_H
#define PERF_LIVE_SYNTH_RECORD_H

#include "synthesize.h"

struct synth_mmap2 {
	u16 misc;               /* cpumode; the build-id bit is set when there is one */
	u32 pid, tid;
	u64 start, len, pgoff;
	u32 maj, min;
	u64 ino;
	u32 prot, flags;
	struct build_id build_id;
	const char *filename;   /* cut at PATH_MAX */
};

/* Each returns what s->emit() returned. */
int synth__mmap2(struct synthesize *s, const struct synth_mmap2 *r);
int synth__comm(struct synthesize *s, u32 pid, u32 tid, const char *comm);
int synth__fork(struct synthesize *s, u32 pid, u32 tid, u32 ppid, u32 ptid);

int synth__cgroup(struct synthesize *s, u64 id, const char *path);

/*
 * A record for each module of @modules, the text of /proc/modules, which is cut into its lines.
 * @deps: the text of @dir/modules.dep, which knows their files, or NULL.
 */
int synth__modules(struct synthesize *s, char *modules, const char *deps, const char *dir);

#define SYNTH_NR_NAMESPACES 7

struct synth_namespace {
	u64 dev, ino;
};
int synth__namespaces(struct synthesize *s, u32 pid, u32 tid,
		      const struct synth_namespace ns[SYNTH_NR_NAMESPACES]);

/* What @id of the event s->event lost in all, LOST records or not. */
int synth__lost_samples(struct synthesize *s, u64 id, u64 lost);

#endif
