// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>

#include <internal/evlist.h>
#include <internal/mmap.h>
#include <perf/event.h>

#include "../base/log.h"
#include "overwrite.h"

static void pause_output(struct perf_evlist *evlist, bool pause)
{
	struct perf_mmap *map;

	perf_evlist__for_each_mmap(evlist, map, true)
		if (ioctl(map->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause))
			pr_debug("cannot %s a ring buffer: %s\n", pause ? "pause" : "resume",
				 strerror(errno));
}

static bool dump_ring(struct perf_mmap *map,
		      bool (*take)(void *ctx, const struct perf_event_header *hdr), void *ctx)
{
	union perf_event *event;
	bool ok = true;

	if (perf_mmap__read_init(map))
		return true;
	while (ok && (event = perf_mmap__read_event(map)))
		ok = take(ctx, &event->header);
	perf_mmap__read_done(map);
	return ok;
}

bool overwrite__dump(struct perf_evlist *evlist,
		     bool (*take)(void *ctx, const struct perf_event_header *hdr), void *ctx)
{
	struct perf_mmap *map;
	bool ok = true;

	pause_output(evlist, true);
	perf_evlist__for_each_mmap(evlist, map, true)
		if (ok)
			ok = dump_ring(map, take, ctx);
	pause_output(evlist, false);
	return ok;
}
