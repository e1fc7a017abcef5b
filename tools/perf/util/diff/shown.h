/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of functions in a comparison as people read them: tables have full names, which are the
 * same in all recordings.
 */
#ifndef PERF_DIFF_SHOWN_H
#define PERF_DIFF_SHOWN_H

#include "../symbol/short-names.h"

struct shown_text {
	const char *text, *name; /* as given; the name in it, of the arena */
	u32 at, len;             /* of the name in the text */
};

struct diff_shown {
	struct arena *arena;
	struct short_names names;
	VEC(struct shown_text) v;
	struct map64 of;         /* a text as it was given -> as it is shown */
};

/*
 * @s: all zero at first; for diff_shown__free()
 * @text: "[k] name", "name [binary]" or only that; lives as long
 */
void diff_shown__add(struct diff_shown *s, const char *text);

/* Makes them, once all texts were added. */
void diff_shown__make(struct diff_shown *s);

/* Returns: how to show @text, a pointer; @text when it was not added. @s: NULL: as it is */
const char *diff_shown__of(const struct diff_shown *s, const char *text);

/* Frees all. */
void diff_shown__free(struct diff_shown *s);

#endif
