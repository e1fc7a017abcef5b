/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tables of a process say of its mappings, and which of that holds: private to this room.
 *
 * A chain says by the table of which number it was walked. The ranges of that table are known as
 * long as such chains may come, so that each address of the chain can be judged by the mapping that
 * it was walked through: what else has changed in the process does not matter.
 */
#ifndef PERF_BPF_WALK_WALK_RANGES_H
#define PERF_BPF_WALK_WALK_RANGES_H

#include "../base/vec.h"
#include "../state/machine.h"

/* A mapping, or a part of one, that is in a table, and what it was made of. */
struct walk_range {
	u64 key, end, text, place;       /* as struct walk_entry has it; .end: behind the last */
	u64 map_start, map_end, pgoff;
	u32 module, module_serial;       /* see walk_modules__serial() */
	/* Internal from here on: the tables that have it, and whether it is out of date. */
	u32 first, last;
	bool broken;
};

struct walk_ranges {
	VEC(struct walk_range) now;  /* of the newest table, ascending */
	VEC(struct walk_range) gone; /* of older ones alone; .last ascends */
	u32 oldest, newest;          /* numbers of the tables that are known; 0: none */
	u64 maps_generation;         /* of the process's mappings, for which .nr_broken is known */
	u32 nr_broken;               /* of .now */
};

/* Numbers of modules are given out again when they are forgotten: tells the modules apart. */
struct walk_modules {
	VEC(u32) forgotten; /* how often, by number */
};

/* Returns: the number of modules that had the number @module before. */
u32 walk_modules__serial(const struct walk_modules *m, u32 module);

/* The module with the number @module is about to be forgotten. */
void walk_modules__forget(struct walk_modules *m, u32 module);

/* Forgets all: the address space is another one, @maps. */
void walk_ranges__begin(struct walk_ranges *r, const struct maps *maps);

/* Frees what it holds. */
void walk_ranges__free(struct walk_ranges *r);

/*
 * The next table has these ranges, all of which hold. Those that it does not have are known still.
 * @v, @nr: ascending, without overlaps
 * @number: the least that the next table may have
 * Returns: false: the newest table has just these.
 */
bool walk_ranges__take(struct walk_ranges *r, const struct walk_range *v, size_t nr, u32 number);

/* The table of the ranges that were taken last has the number @number. */
void walk_ranges__number(struct walk_ranges *r, u32 number);

/* Becomes what is known of the parent, whose newest table fits (walk_ranges__fit()). */
void walk_ranges__copy(struct walk_ranges *r, const struct walk_ranges *from);

/* Keeps up with the mappings of the process. */
void walk_ranges__update(struct walk_ranges *r, const struct walk_modules *m, struct maps *maps);

/* Returns: whether, by the last update, all is true that table @number says. */
bool walk_ranges__hold(const struct walk_ranges *r, u32 number);

/*
 * Judges a chain that was walked by the table with the number @number.
 * @maps: of its process at its time, which may be a child
 * @ips: its @nr addresses
 * Returns: how many of them are true: each was walked to through mappings that are what the table
 *          says. The first one always is.
 */
u64 walk_ranges__judge(const struct walk_ranges *r, const struct walk_modules *m,
		       const struct maps *maps, u32 number, const u64 *ips, u64 nr);

/*
 * Returns: whether a child with @maps can be walked by the newest table: what that says is so, but
 *          for where the child has nothing.
 */
bool walk_ranges__fit(const struct walk_ranges *r, const struct walk_modules *m,
		      const struct maps *maps);

#endif
