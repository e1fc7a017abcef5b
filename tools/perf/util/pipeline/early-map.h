/* SPDX-License-Identifier: GPL-2.0-only */
/* Mappings that sinks are told of before their time. Internal to this room. */
#ifndef PERF_PIPELINE_EARLY_MAP_H
#define PERF_PIPELINE_EARLY_MAP_H

#include "../sink/sink.h"

/*
 * Hands a mapping to those sinks that want it, as if it came at @time.
 * @sinks: the first one
 * @recording: of the record
 * @map: the record
 * Returns: 0, or what a sink has returned.
 */
int early_map__emit(const struct sink *sinks, const struct recording *recording,
		    const struct record *map, u64 time);

#endif
