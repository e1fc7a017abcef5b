/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a recording, opened on their targets and with their rings mapped.
 */
#ifndef PERF_LIVE_EVENT_SET_H
#define PERF_LIVE_EVENT_SET_H

#include <perf/evlist.h>
#include <perf/evsel.h>

#include "../data/recording.h"
#include "../event/parse-events.h"
#include "../event/sampling.h"
#include "../event/target.h"

struct event_set {
	struct event_list *list;    /* borrowed; names and attrs as they were really opened */
	struct perf_evlist *evlist;
	VEC(struct perf_evsel *) evsels; /* owned by evlist; parallel to list->specs */
	u32 ring_pages;             /* data pages of each ring */
	size_t nr_threads, nr_cpus, nr_rings;
	bool kernel_excluded;       /* user space only, for lack of permission */
	bool user_ns;               /* of struct permissions */
	bool foreign_chains;        /* CALLCHAIN_DEFERRED records of other tasks come along */
	bool threads_unread;        /* S: this kernel does not follow new threads and children */
};

struct event_set_opts {
	struct sampling *sampling;
	const struct target *target;
	u32 ring_pages;             /* 0: choose, and take less when that much is not allowed */
	bool no_fallback;           /* do not replace cycles by cpu-clock */
};

/*
 * Configures and opens @list (and may append a side-band event to it), disabled, and maps the
 * rings. Errors say what to do.
 */
int event_set__open(struct event_set *set, struct event_list *list,
		    const struct event_set_opts *opts, struct error *err);
void event_set__close(struct event_set *set);

void event_set__enable(struct event_set *set);

/* Only those that bring side-band records; only the others (see sampling.track_apart). */
void event_set__enable_tracking(struct event_set *set);
void event_set__disable_samples(struct event_set *set);
void event_set__disable(struct event_set *set);

/* Those of that name alone, and what brings side-band records. False when there is none. */
bool event_set__toggle(struct event_set *set, const char *name, bool on);

/*
 * Reads the counter of each id: what it counted, and as .lost the records that found no room in a
 * ring (0 before Linux 6.0, which does not say it). LOST records say the same, but only once there
 * is room for one. @event: index into .list. Ends when @each returns other than 0, and returns it.
 */
typedef int (*event_set_count_fn)(void *ctx, size_t event, const struct perf_counts_values *count);
int event_set__each_count(const struct event_set *set, event_set_count_fn each, void *ctx);

/* What the events that sample have counted, all together: 0 when none of them happened. */
u64 event_set__counted(const struct event_set *set);

/* Describes the events, as opened or (@stitched) as rewritten samples have them, to @rec. */
int event_set__describe(const struct event_set *set, struct recording *rec, bool stitched,
			struct error *err);

#endif
