/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
#ifndef LIBPERF_INTERNAL_EVLIST_H
#define LIBPERF_INTERNAL_EVLIST_H

#include <internal/evsel.h>
#include <internal/mmap.h>
#include <perf/evlist.h>
#include <poll.h>

#define PERF_EVLIST__HLIST_BITS 10
#define PERF_EVLIST__HLIST_SIZE (1 << PERF_EVLIST__HLIST_BITS)

enum perf_pollfd_flags {
	PERF_POLLFD__NONFILTERABLE = 1, /* does not count as one that is left */
	PERF_POLLFD__RING = 2,          /* ptr is a struct perf_mmap: the writers' reference */
};

struct perf_pollfds {
	struct pollfd *entries; /* fd -1: dropped */
	struct perf_pollfd_priv {
		void *ptr;
		int flags;
	} *priv;
	int nr, alloc;
	bool woken; /* a wake-up was taken that the next poll has to report */
};

struct perf_evlist {
	struct perf_evsel *first, *last;
	int nr_entries;
	bool needs_map_propagation; /* set_maps() was called */
	struct perf_cpu_map *user_requested_cpus;
	struct perf_thread_map *threads;
	struct perf_cpu_map *all_cpus; /* of all events together */
	int map_err; /* why an event has no CPUs: open() says it */
	struct perf_pollfds pollfd;
	struct perf_sample_id *heads[PERF_EVLIST__HLIST_SIZE];
	/* Rings; an array is NULL if no event needs one, base is NULL where a place has none. */
	struct perf_mmap *mmap, *mmap_ovw;
	int nr_mmaps; /* length of both */
};

void perf_evlist__init(struct perf_evlist *evlist);
void perf_evlist__exit(struct perf_evlist *evlist);

/* evsel is opened on every online CPU, for all threads, whatever maps the list has. */
void perf_evlist__go_system_wide(struct perf_evlist *evlist, struct perf_evsel *evsel);

/*
 * One more descriptor for perf_evlist__poll(): a pipe, a signalfd. Returns its place, or -errno.
 * Before perf_evlist__mmap() or after: the places stay.
 */
int perf_evlist__add_pollfd(struct perf_evlist *evlist, int fd, void *ptr, short events,
			    int flags);
/* The same for a ring, through its writers. */
int perf_evlist__add_ring(struct perf_evlist *evlist, struct perf_mmap *map);
/* What the last poll said of the descriptor at that place. */
short perf_evlist__revents(const struct perf_evlist *evlist, int pos);

/*
 * The ids of all descriptors are asked for by perf_evlist__mmap(); these are for lists without
 * rings, and for ids from elsewhere.
 */
void perf_evlist__id_add(struct perf_evlist *evlist, struct perf_evsel *evsel, int cpu_map_idx,
			 int thread, u64 id);
int perf_evlist__id_add_fd(struct perf_evlist *evlist, struct perf_evsel *evsel,
			   int cpu_map_idx, int thread, int fd);
/* NULL: an id that is not of this list. */
struct perf_sample_id *perf_evlist__id2sid(const struct perf_evlist *evlist, u64 id);
void perf_evlist__reset_id_hash(struct perf_evlist *evlist);

u64 perf_evlist__read_format(struct perf_evlist *evlist);

#endif
