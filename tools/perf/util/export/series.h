/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of each thread in their order, one list for each event, for formats that show time.
 * A sample takes 24 bytes. A thread that gets another name is another thread.
 */
#ifndef PERF_EXPORT_SERIES_H
#define PERF_EXPORT_SERIES_H

#include "export.h"

struct series_point {
	u64 time, period;
	u32 node, cpu;
};

struct series {
	u32 pid, tid, event;
	const char *comm;
	u64 until;                /* the time of the last sample */
	VEC(struct series_point) points;
};

struct series_set {
	bool merge;               /* samples in a row with one stack are one point */
	/*
	 * Periods are ns: where the time in front of a sample is more than it stands for, by as
	 * much again, there is a point with node 0 for what is between.
	 */
	bool *gaps;               /* by event; or NULL */
	VEC(struct series) v;     /* in the order in which they came */
	struct index index;
};

/* Adds a sample. @set: all zero but .merge */
void series_set__add(struct series_set *set, const struct export_sample *s);

/* Writes the periods of a list as an array of JSON. */
void series__put_periods(const struct series *s, struct textbuf *tb);

/* Frees it. */
void series_set__free(struct series_set *set);

#endif
