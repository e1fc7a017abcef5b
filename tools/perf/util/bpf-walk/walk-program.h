/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF program that walks the user stack of whoever is interrupted by a sample, by our tables of
 * rows (Documentation/design/bpf-walk.md). It runs before the sample is written, and what it writes
 * lies directly in front of the sample in the same ring.
 */
#ifndef PERF_BPF_WALK_WALK_PROGRAM_H
#define PERF_BPF_WALK_WALK_PROGRAM_H

#include "../bpf/bpf.h"
#include "walk-layout.h"

#define WALK_PROCESSES 16384u
#define WALK_BLOCKS 32768u
#define WALK_PAGES 262144u     /* of 64 kB of code: 16 GB */
#define WALK_RULES 65536u
#define WALK_WATCHERS 3

/* The program and its maps, as descriptors; negative: none. */
struct walk_program {
	int program;
	int control, processes, blocks, pages, first, chunks, rules, scratch, outputs, others;
	u32 nr_chunks; /* that there may be */
	/* The one that keeps the stacks of those that call execve(), its memory, and the stacks. */
	int keeper, keeper_link, keeper_scratch, kept;
	u32 nr_kept;   /* stacks at a time, a power of 2 */
	/* Those that count mappings of code: see walk-watch.h. */
	int python;    /* map: see walk-python.h; negative: the kernel refuses to read its frames */
	int changes, watchers[WALK_WATCHERS], watcher_links[WALK_WATCHERS];
};

/*
 * A function that becomes part of the program, so that one entry does both: it is called at each
 * sample of a user task with (the context, room for WALK_EXTRA_MAX bytes), and returns how many it
 * has written there. They are written behind the stack.
 */
struct walk_extra {
	/* Appends it to the program, at @label. NULL: there is none. */
	void (*append)(const void *ctx, struct bpf_asm *a, int label);
	const void *ctx;
};

struct walk_program_opts {
	u32 nr_cpus;   /* the highest number of a CPU + 1 */
	u32 nr_chunks; /* of rows, WALK_CHUNK bytes each, that there may be */
	struct walk_extra extra;
};

/*
 * Loads the program into the kernel, and the one that keeps stacks; where that is not possible, -v
 * says why, and there is none.
 * @p: filled; to be closed by walk_program__close() in any case
 * Returns: 0, or -errno with words that say what is missing.
 */
int walk_program__load(struct walk_program *p, const struct walk_program_opts *opts,
		       struct error *err);

/* Closes what is open; a program that is attached runs on until its events are closed. */
void walk_program__close(struct walk_program *p);

/* Makes a chunk of rows. Returns: its descriptor, or -errno with words. */
int walk_program__new_chunk(struct error *err);

#endif
