/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ring buffers that the kernel overwrites (--overwrite): they hold the latest records, and are read
 * only for a snapshot.
 */
#ifndef PERF_LIVE_OVERWRITE_H
#define PERF_LIVE_OVERWRITE_H

#include <perf/evlist.h>

#include "../../../lib/unwind/core/types.h"

/*
 * Reads the records since the last call that are still there, newest first. The kernel drops and
 * counts records that arrive meanwhile.
 * @take: called for each record; false: stop
 * Returns: false when @take has returned false.
 */
bool overwrite__dump(struct perf_evlist *evlist,
		     bool (*take)(void *ctx, const struct perf_event_header *hdr), void *ctx);

#endif
