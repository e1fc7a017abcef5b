/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What reading of DWARF may cost. Debug information can be made such that the same bytes are read
 * again and again: a million units with the same long list of ranges, or line program. So what is
 * read is counted, in bytes, against a budget for all files. Internal to this room.
 */
#ifndef PERF_DWARF_WORK_H
#define PERF_DWARF_WORK_H

#include "../../../lib/unwind/core/budget.h"

struct work {
	struct budget *file, *all; /* bytes; NULL: no limit */
	u64 left;     /* already taken from these */
	u64 done;     /* in all */
	bool spent;
	bool cut;     /* something was left out for another limit; what follows is read */
};

#define WORK_SLICE (1ull << 20)

/* Takes more than @bytes from the budgets. Returns: as work__take() does. */
static inline bool work__refill(struct work *w, u64 bytes)
{
	u64 slice = bytes > WORK_SLICE ? bytes : WORK_SLICE;

	if (w->spent || !budget__take(w->file, slice) || !budget__take(w->all, slice)) {
		w->spent = true;
		return false;
	}
	w->left += slice;
	return true;
}

/* Takes @bytes. Returns: false when they are not left, now and ever after. */
static inline bool work__take(struct work *w, u64 bytes)
{
	if (unlikely(w->left < bytes) && !work__refill(w, bytes))
		return false;
	w->left -= bytes;
	w->done += bytes;
	return true;
}

/* Returns: what to count for an entry of @bytes: its @nr_attrs attributes may have none. */
static inline u64 work__of_entry(u64 bytes, u64 nr_attrs)
{
	return bytes > 4 * nr_attrs ? bytes : 4 * nr_attrs;
}

/* Takes back what a thread with the same budgets has not used, and adds what it has done. */
static inline void work__join(struct work *w, const struct work *thread)
{
	w->left += thread->left;
	w->done += thread->done;
	w->spent |= thread->spent;
	w->cut |= thread->cut;
}

#endif
