/* SPDX-License-Identifier: GPL-2.0-only */
/* Sort keys that are texts of samples: of tracepoints, waits, time, names, memory. */
#ifndef PERF_REPORT_SAMPLE_KEYS_H
#define PERF_REPORT_SAMPLE_KEYS_H

#include "../data/cpu-topology.h"
#include "../data/tracepoint.h"
#include "../profile/hist.h"
#include "../state/cgroups.h"

struct sample_keys {
	/* Set before the first sample; borrowed. */
	const struct column_list *keys;      /* those that are wanted */
	u64 quantum;                         /* --sort time: ns that are one entry */
	bool ns;                             /* and with nine decimals */
	bool raw_trace;                      /* --sort trace: fields as they are */
	const struct recording *recording;
	struct symbols *symbols;
	struct machine *machine;
	struct tracepoints *traces;
	struct arena *arena;                 /* of texts */
	/* Found out as samples need it. */
	struct cpu_topology topology;
	bool has_topology;
	struct map64 processes;              /* --sort tgid: pid -> struct process_name */
	struct cgroups cgroups;              /* --sort cgroup: cgroups__record() fills them */
};

/*
 * Fills @c with the texts of a sample, by the keys.
 * @ws: the sample
 * @frames: of it
 */
void sample_keys__describe(struct sample_keys *k, const struct whole_sample *ws,
			   const struct frames *frames, struct hist_context *c);

/* Frees what was found out. */
void sample_keys__free(struct sample_keys *k);

/* Returns: what a sample counts for with --mem-mode: its weight; 1 if it has none. */
u64 sample_keys__memory_cost(const struct whole_sample *ws);

#define NO_SOCKET UINT32_MAX

/* Returns: the socket that @cpu is in; NO_SOCKET: the recording does not say. */
u32 sample_keys__socket(struct sample_keys *k, u32 cpu);

#endif
