/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the code of several units at a time, by several threads. Each unit has its own tables,
 * and nothing else is written: what units share (abbreviations, first entries, split files) has
 * been read before. Internal to this room.
 */
#ifndef PERF_DWARF_READ_UNITS_H
#define PERF_DWARF_READ_UNITS_H

#include "inlines.h"

/* What is to be read of one unit. */
struct unit_job {
	struct info *in, *lines_in;     /* the file with the entries; with the line program */
	struct unit *of, *lines_of;     /* the unit there; roots have been read */
	bool has_entries;               /* the abbreviations of .of have been read */
	struct unit_code *code;         /* filled, but for .info */
	bool is_done;                   /* out */
};

/*
 * Reads units, the first one always.
 * @jobs, @nr: what is to be read
 * @max_size: when what was read takes so many bytes, no further unit is begun
 * @threads: at most so many read, this one included; 0: 1
 * @work: what is read is taken from it and its budgets
 */
void unit_jobs__run(struct unit_job *jobs, size_t nr, u64 max_size, u32 threads, struct work *work);

#endif
