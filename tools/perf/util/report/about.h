/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `perf report --about` says of one function of a histogram: who calls it, what it calls, on
 * which lines, and by which paths it is reached. Each sample with the function on its stack counts
 * once in each list, however often the function is there (recursion): its outermost occurrence
 * decides on the caller and the path, its innermost one on the line and on what it calls.
 */
#ifndef PERF_REPORT_ABOUT_H
#define PERF_REPORT_ABOUT_H

#include "brief.h"

#define ABOUT_LIST 5       /* callers, callees, lines */
#define ABOUT_PATHS 3
#define ABOUT_CANDIDATES 5

/* One source line of the function. */
struct about_line {
	const char *text; /* "file:line"; the histogram's */
	u64 period, own;  /* .own: without what is called there */
	u32 nr;
};

struct about {
	/*
	 * What this page shares with `--brief`: .period and .nr of all samples, .paths (to the
	 * function; not of stacks that are cut) and .path_frames. The rest is empty.
	 */
	struct brief all;
	struct brief_item own, with_callees; /* .what: the function's frame; 0: no such function */
	u64 cut, unproven;        /* periods of .with_callees whose stacks are not known as whole */
	u64 no_caller;            /* of those: whole, and the function is the outermost */
	u64 unknown_caller;       /* of those: nothing is known behind it */
	BRIEF_LIST(ABOUT_LIST) callers; /* .what: a frame */
	BRIEF_LIST(ABOUT_LIST) callees; /* .what: a frame */
	struct about_line lines[ABOUT_LIST]; /* the largest, by .period */
	u32 nr_lines;
	/* Without such a function: the largest whose names contain that text. .what: a frame */
	BRIEF_LIST(ABOUT_CANDIDATES) candidates;
};

/*
 * Finds what there is to say of a function.
 * @a: for about__free()
 * @h: of one event, by address (stacks.by_address), with the key COLUMN_WHOLE; hist__finish() is
 *     not needed
 * @name: of the function, as it is printed; functions of this name in several binaries count as
 *        one. One that ends with "..." stands for those that begin so, of which the largest is
 *        taken.
 * @fold: depths of one recursion are one path: see stack/folding.h
 */
void about__make(struct about *a, const struct hist *h, const char *name, bool fold);

/* Frees the lists. */
void about__free(struct about *a);

#endif
