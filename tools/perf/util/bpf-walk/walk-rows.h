/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows that the walking program reads: pages of modules, in chunks of memory that are made when
 * they are needed (walk-layout.h). Internal to this room, like walk-page.h; what may be forgotten,
 * and when, is decided by walk-tables.c.
 */
#ifndef PERF_BPF_WALK_WALK_ROWS_H
#define PERF_BPF_WALK_WALK_ROWS_H

#include "../../../lib/unwind/walk/walk.h"
#include "walk-page.h"
#include "walk-program.h"

/* A stretch of code of a module, and where its first page is in the map of pages. */
struct walk_span {
	u64 start; /* vaddr */
	u32 page, nr_pages;
	u32 first; /* of the table's pages, counted over all spans */
};

struct walk_module {
	u32 id;
	struct rows *rows;
	struct unwind_module *um;
	u32 nr_pages;
	u32 next; /* of them, to be looked at in walk_rows__go_on() */
	VEC(struct walk_span) spans;
	struct walk_numbers numbers;
};

/* A page that a walk has come to: those near to it are likely to be next. */
struct walk_near {
	struct walk_module *module;
	u32 span, page; /* .page: in the span */
	u32 far;        /* how far away the next ones are, which are not looked at yet */
};

struct walk_rows {
	struct walk_program *program; /* borrowed */
	walk_page_place *pages;       /* mapped, as are the rules and chunks */
	struct walk_rules rules;
	u8 *first;             /* WALK_FIRST_CHUNKS chunks */
	VEC(u8 *) chunks;      /* all; those behind the first ones are mapped one by one */
	u32 chunk, used;       /* the chunk that is being filled, and how far */
	u32 nr_pages;          /* that were given out */
	struct map64 modules;  /* by id + 1 */
	VEC(struct walk_module *) begun; /* those that walk_rows__go_on() is not through with */
	VEC(struct walk_near) near;      /* the last one comes first */
	struct walk_page page; /* that is being made */
	struct error err;      /* why there are no more chunks */
	bool full;             /* there was no room for something */
	u64 made;              /* pages */
};

/*
 * Maps what is filled.
 * @w: zeros; for walk_rows__free() in any case
 * @program: loaded; borrowed
 * Returns: 0 or -errno with words.
 */
int walk_rows__init(struct walk_rows *w, struct walk_program *program, struct error *err);

/* Frees what it holds, and unmaps; zeros are fine. */
void walk_rows__free(struct walk_rows *w);

/* Forgets all. Nobody must walk by them: the epoch grows before this and after it. */
void walk_rows__clear(struct walk_rows *w);

/*
 * Gives a mapped module its places in the map of pages, when it is first seen.
 * @m: open, with a table
 * Returns: the module; NULL when there is no room for more.
 */
struct walk_module *walk_rows__module(struct walk_rows *w, const struct walk_map *m);

/*
 * Puts in some pages of what is likely to be needed, before stacks are so deep that a copy would be
 * cut: all of small modules, of others those that were kept from earlier recordings, and then those
 * near to where walks were. Some at a time, since other stacks wait meanwhile: to be called again
 * and again.
 * Returns: whether there is more to do.
 */
bool walk_rows__go_on(struct walk_rows *w);

/*
 * Puts in the page of @vaddr, if it is not there; those near to it are left to walk_rows__go_on().
 * @m: open, with a table
 */
void walk_rows__add_near(struct walk_rows *w, const struct walk_map *m, u64 vaddr);

/* The module with the number @module is about to be forgotten by the unwinder. */
void walk_rows__forget(struct walk_rows *w, u32 module);

#endif
