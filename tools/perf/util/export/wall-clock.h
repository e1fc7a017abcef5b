/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time of day of samples. A recording made with --clockid says how its clock and the time of
 * day compare; of another one, the file's time of change is taken for that of its last sample.
 */
#ifndef PERF_EXPORT_WALL_CLOCK_H
#define PERF_EXPORT_WALL_CLOCK_H

#include "export.h"

/*
 * Call it when all samples are known.
 * @x: its samples' times, its recording and its reader
 * @time: of a sample, ns of the recording's clock
 * Returns: ns since 1970; 0: unknown, as of a recording that came through a pipe.
 */
u64 export__wall_clock(const struct export *x, u64 time);

#endif
