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

/* The program and its maps, as descriptors; negative: none. */
struct walk_program {
	int program;
	int control, processes, blocks, pages, first, chunks, rules, scratch, outputs;
	u32 nr_chunks; /* that there may be */
};

/*
 * Loads the program into the kernel.
 * @p: filled; to be closed by walk_program__close() in any case
 * @nr_cpus: the highest number of a CPU + 1
 * @nr_chunks: of rows, WALK_CHUNK bytes each, that there may be
 * Returns: 0, or -errno with words that say what is missing.
 */
int walk_program__load(struct walk_program *p, u32 nr_cpus, u32 nr_chunks, struct error *err);

/* Closes what is open; a program that is attached runs on until its events are closed. */
void walk_program__close(struct walk_program *p);

/* Makes a chunk of rows. Returns: its descriptor, or -errno with words. */
int walk_program__new_chunk(struct error *err);

#endif
