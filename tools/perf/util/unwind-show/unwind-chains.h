/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user part of every callchain in a form for programs: the address of each frame in its binary,
 * how it was found, and whether the chain is whole. The format is in Documentation/perf-unwind.txt.
 */
#ifndef PERF_UNWIND_SHOW_UNWIND_CHAINS_H
#define PERF_UNWIND_SHOW_UNWIND_CHAINS_H

#include "../stack/frames.h"
#include "../text/textbuf.h"

struct unwind_chains {
	struct textbuf *tb;

	/* Internal. */
	struct machine *machine;
	struct resolver *resolver;
	u64 nr;                    /* samples so far */
	size_t nr_dsos;            /* that were printed */
	struct frames frames;
};

/* To be called before the pipeline is freed. */
void unwind_chains__free(struct unwind_chains *c);

/* The functions of a sink, see sink.h. @chains is the context. Return 0, or tb->error. */
void unwind_chains__begin(void *chains, struct machine *machine, struct symbols *symbols);
int unwind_chains__sample(void *chains, const struct whole_sample *ws);

#endif
