/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a program names its code itself, in a perf map (symbol/perf-map.h): Node with
 * --perf-basic-prof, Python with -X perf. Internal to this room.
 */
#ifndef PERF_RUNTIME_PERF_MAP_WRITER_H
#define PERF_RUNTIME_PERF_MAP_WRITER_H

#include "../../../lib/unwind/core/types.h"

/*
 * Returns: whether the process @pid has its map open, as those do until they end. Its descriptors
 *         say so in any namespace. The file is not asked: its folder may be of a file system that
 *         never answers.
 */
bool perf_map_writer__is(u32 pid);

#endif
