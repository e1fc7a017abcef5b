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
	struct event_list *list;    /* borrowed; names and attrs become those opened */
	struct perf_evlist *evlist;
	VEC(struct perf_evsel *) evsels; /* owned by evlist; parallel to list->specs */
	u32 ring_pages;             /* data pages of each ring */
	size_t nr_threads, nr_cpus, nr_rings;
	bool kernel_excluded;       /* user space only, for lack of permission */
	bool user_ns;               /* of struct permissions */
	bool foreign_chains;        /* there are CALLCHAIN_DEFERRED records of other tasks, too */
	bool side, side_data;       /* of struct sampling; see event_set__takes_side() */
	bool threads_unread;        /* S: this kernel does not follow new threads and children */
	struct event_set *late;     /* event_set__open_late(): the last one, and so on; or NULL */
};

struct event_set_opts {
	struct sampling *sampling;
	const struct target *target;
	u32 ring_pages;             /* 0: choose, and take less when that much is not allowed */
	bool no_fallback;           /* do not replace cycles by cpu-clock */
	u64 clock_ns;               /* nothing is opened: see sampling__by_clock(); else 0 */
	u32 clock_stack;            /* the same */
};

/*
 * Configures and opens the events of @list (and may append side-band events to it), disabled, and
 * maps the rings.
 * @set: filled; for event_set__close()
 * @opts: its target and sampling are borrowed; sampling may be changed
 * Returns: 0; or -errno with words that say what to do.
 */
int event_set__open(struct event_set *set, struct event_list *list,
		    const struct event_set_opts *opts, struct error *err);

/*
 * Opens the same events on one more CPU, which has come online, where whole CPUs are recorded. They
 * belong to the set: whatever is done to it is done to them.
 * @opts: with which the set was opened
 * @cpu: its number
 * @out: the events there, a set of their own, disabled and without programs
 * Returns: 0; -EOPNOTSUPP: not of such events; or -errno with words.
 */
int event_set__open_late(struct event_set *set, const struct event_set_opts *opts, int cpu,
			 struct event_set **out, struct error *err);

/*
 * Returns: the id that @like has of the event whose id in the set @late is @id; @id when it is none
 *         of these.
 */
u64 event_set__id_of(const struct event_set *like, const struct event_set *late, u64 id);

/* Closes the events and unmaps the rings. */
void event_set__close(struct event_set *set);

/* Enables all events: those that bring side-band records first. */
void event_set__enable(struct event_set *set);

/* Enables only those that bring side-band records (see sampling.track_apart). */
void event_set__enable_tracking(struct event_set *set);

/* Disables only the others. */
void event_set__disable_samples(struct event_set *set);

/* Returns: whether deferred callchains still come then. */
bool event_set__defers_apart(const struct event_set *set);

/* Disables all events: those that bring side-band records last. */
void event_set__disable(struct event_set *set);

/*
 * Enables or disables the events called @name, and those that bring side-band records.
 * @on: enable them
 * Returns: false when there is no event of that name.
 */
bool event_set__toggle(struct event_set *set, const char *name, bool on);

typedef int (*event_set_count_fn)(void *ctx, size_t event, const struct perf_counts_values *count);

/*
 * Reads the counter of each id: what it counted, and as .lost the records that found no room in a
 * ring (0 before Linux 6.0). LOST records report the same, but only once there is room for one.
 * @each: gets the index of the event in .list; ends the visit when it returns other than 0
 * Returns: what @each has returned last.
 */
int event_set__each_count(const struct event_set *set, event_set_count_fn each, void *ctx);

/* Returns: the sum of what the sampling events have counted: 0 when none of them happened. */
u64 event_set__counted(const struct event_set *set);

/* Returns: the index of the event of what BPF programs write (event_spec.is_side); -1: none. */
int event_set__side_event(const struct event_set *set);

/*
 * Returns: whether a BPF program can run at the samples of the event with index @event, and does;
 *         or these samples get side data otherwise. Tracepoints have programs of another kind.
 */
bool event_set__takes_side(const struct event_set *set, size_t event);

/*
 * Visits the descriptors of the event with index @event, which stay the set's.
 * @each: ends the visit when it returns other than 0
 * Returns: what @each has returned last.
 */
int event_set__each_fd(const struct event_set *set, size_t event,
		       int (*each)(void *ctx, u32 cpu, int fd), void *ctx);

/*
 * Adds the events to a recording.
 * @stitched: not as they were opened, but as rewritten samples have them
 * Returns: 0, or -errno with words.
 */
int event_set__describe(const struct event_set *set, struct recording *rec, bool stitched,
			struct error *err);

#endif
