/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rings that the kernel writes over (--overwrite): they hold what came last, and are read only when
 * that is wanted.
 */
#ifndef PERF_LIVE_OVERWRITE_H
#define PERF_LIVE_OVERWRITE_H

#include <perf/evlist.h>

#include "../base/types.h"

/*
 * Hands what came since the last time, as far as it is still there, to @take, the newest record
 * first, until that returns false, which is then returned. The kernel drops (and counts) what comes
 * meanwhile.
 */
bool overwrite__dump(struct perf_evlist *evlist,
		     bool (*take)(void *ctx, const struct perf_event_header *hdr), void *ctx);

#endif
