/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that count, for each process, when it maps code: a table that was made before may say
 * what is not so any more. The walking program compares, and copies the stack beside its chain
 * until the table is known to be right. That only decides whether there is a copy: whether a chain
 * is believed is for walk_tables__believes() alone, by the kernel's records. Private to this room.
 */
#ifndef PERF_BPF_WALK_WALK_WATCH_H
#define PERF_BPF_WALK_WALK_WATCH_H

#include "walk-generator.h"

/* Of the walking program: notes how many mappings of code there were. r0 to r5 are lost. */
void walk_watch__note(struct generator *g);

/*
 * The same: asks for a copy as well, when the table is not of that number. r1 and r2 are lost.
 * r0: the process's value in the map `processes'
 */
void walk_watch__compare(struct generator *g);

/*
 * Loads the programs that count, as far as the kernel has the functions; -v says what it has not.
 * @p: its maps are there
 * @b: the kernel's types
 */
void walk_watch__load(struct walk_program *p, const struct btf *b);

/* They count no more. */
void walk_watch__close(struct walk_program *p);

#endif
