/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the walking program knows of processes and of their code, and how it learns it: from walks
 * of stack copies. A stack that the program could not walk comes as a copy; when that was walked
 * here, the mappings of its process and the pages of rows that the walk has touched are put into
 * the program's maps, so that the next such stack needs no copy.
 *
 * Tables may be older than a sample, and mappings may have changed. So each table of a process has
 * a number, which comes back with each chain: walk_tables__believes() tells how much of the chain
 * was walked through mappings that are still what that table says.
 *
 * All is used by the thread of the pipeline.
 */
#ifndef PERF_BPF_WALK_WALK_TABLES_H
#define PERF_BPF_WALK_WALK_TABLES_H

#include "../../../lib/unwind/space/backend.h"
#include "../state/machine.h"
#include "walk-program.h"

#define WALK_DEFAULT_BYTES (256ull << 20)

struct walk_tables;

struct walk_tables_opts {
	u64 bytes;  /* of rows at most; 0: WALK_DEFAULT_BYTES */
	bool check; /* each stack is copied, too, for a comparison */
	struct walk_extra extra; /* what else the program does */
};

struct walk_tables_stats {
	u64 processes, pages;  /* that were put into the maps */
	u64 inherited;         /* processes that went on with their parent's table */
	u64 held, blocks;      /* processes that are there now, and what their tables take */
	u64 bytes;             /* of the maps: what they take now */
	u64 resets;            /* all was forgotten because the tables were full */
	u64 outdated;          /* chains of which a part was not believed, without a copy */
	u64 missed[WALK_STOP_NR]; /* stacks that came as a copy, by reason */
	u64 walked;
	u64 compared, different; /* chains with a copy; and of them those that are not the same */
	u64 runs, ns;          /* of the program, as far as kernel.bpf_stats_enabled is set */
};

/*
 * Loads the program, with empty tables.
 * @out: for walk_tables__free()
 * Returns: 0; -errno with words that say what is missing.
 */
int walk_tables__new(struct walk_tables **out, const struct walk_tables_opts *opts,
		     struct error *err);

/* @t may be NULL. A program that is attached runs on until its events are closed. */
void walk_tables__free(struct walk_tables *t);

/* Returns: the program and its maps; owned by @t. */
const struct walk_program *walk_tables__program(const struct walk_tables *t);

/*
 * Asks about a chain, at the time of its sample.
 * @thread: whose it is, as of that time
 * @ips: its @nr addresses, from the sampled one on
 * Returns: how many of them are true: the next was walked to through a mapping that is not of that
 *          time. The first one always is.
 */
u64 walk_tables__believes(struct walk_tables *t, const struct thread *thread,
			  const struct walk_note *note, const u64 *ips, u64 nr);

/*
 * Learns from the walk of a stack copy, at the time of its sample.
 * @thread: whose it is
 * @space: the address space in which it was walked
 * @chain: what was found
 */
void walk_tables__learn(struct walk_tables *t, const struct thread *thread,
			const struct walk_note *note, struct unwind_space *space,
			const struct unwind_chain *chain);

/*
 * Tells the program where the frames of Python are in the process @pid.
 * @note: of a sample of it
 */
void walk_tables__python(struct walk_tables *t, u32 pid, const struct walk_note *note,
			 const struct python_layout *at);

/*
 * Goes on with what is likely to be needed soon, for some 2 ms: to be called when nothing else is
 * to be done. Returns: whether there is more.
 */
bool walk_tables__go_on(struct walk_tables *t);

/* Counts a chain that was compared with the walk of a copy. @same: they are equal */
void walk_tables__compared(struct walk_tables *t, bool same);

/* Process @pid has ended: its table is taken away. One that goes on gets another one. */
void walk_tables__exit(struct walk_tables *t, u32 pid);

/* The module with the number @module is about to be forgotten by the unwinder. */
void walk_tables__forget(struct walk_tables *t, u32 module);

/* Fills @out. */
void walk_tables__stats(const struct walk_tables *t, struct walk_tables_stats *out);

#endif
