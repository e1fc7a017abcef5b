/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of a report and its sort keys, by perf's names: -s, -F.
 *
 * Some columns are numbers of the entry (overhead, sample, period), the others tell entries
 * apart. Of these, some belong to the thread that ran (the context), others to the frame.
 */
#ifndef PERF_PROFILE_SORT_KEYS_H
#define PERF_PROFILE_SORT_KEYS_H

#include "../base/error.h"
#include "stacks.h"

enum column {
	COLUMN_OVERHEAD_CHILDREN,
	COLUMN_OVERHEAD,
	COLUMN_SAMPLE,
	COLUMN_PERIOD,
	COLUMN_COMM,    /* the first that is a key */
	COLUMN_DSO,
	COLUMN_SYM,
	COLUMN_PID,     /* "Pid:Command" of the thread, as perf shows it */
	COLUMN_TID,
	COLUMN_CPU,
	COLUMN_SRCLINE,
	COLUMN_TRACE,
	COLUMN_NR
};
#define COLUMN_FIRST_KEY COLUMN_COMM
#define COLUMNS_MAX 16

struct column_list {
	enum column v[COLUMNS_MAX];
	unsigned int nr;
};

static inline bool column__is_key(enum column c)
{
	return c >= COLUMN_FIRST_KEY;
}

/*
 * "comm,dso,sym", or "+comm" as it is given where keys are added to others, appended to @l; a
 * column that is there already is left where it is.
 */
int column_list__parse(struct column_list *l, const char *arg, struct error *err);
void column_list__add(struct column_list *l, enum column c);
void column_list__add_first(struct column_list *l, enum column c);
bool column_list__has(const struct column_list *l, enum column c);
const char *column__title(enum column c); /* "Shared Object" */

#endif
