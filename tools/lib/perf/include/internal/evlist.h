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
	PERF_POLLFD__NONFILTERABLE = 1, /* not counted by perf_evlist__filter_pollfd() */
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
	int map_err; /* why an event has no CPUs: perf_evlist__open() returns it */
	struct perf_pollfds pollfd;
	struct perf_sample_id *heads[PERF_EVLIST__HLIST_SIZE];
	/* Rings; an array is NULL if no event needs one, base is NULL where a place has none. */
	struct perf_mmap *mmap, *mmap_ovw;
	int nr_mmaps; /* length of both */
};

/* perf_evlist__new() and perf_evlist__delete() for a list that the caller has allocated. */
void perf_evlist__init(struct perf_evlist *evlist);
void perf_evlist__exit(struct perf_evlist *evlist);

/* @evsel will be opened on every online CPU, for all threads, whatever maps the list has. */
void perf_evlist__go_system_wide(struct perf_evlist *evlist, struct perf_evsel *evsel);

/*
 * Adds a descriptor for perf_evlist__poll(): a pipe, a signalfd. Before perf_evlist__mmap() or
 * after: its place does not change.
 * @fd: borrowed
 * @ptr: with PERF_POLLFD__RING a struct perf_mmap, else for the caller
 * @events: POLLIN and the like
 * @flags: enum perf_pollfd_flags
 * Returns: its place, or -errno.
 */
int perf_evlist__add_pollfd(struct perf_evlist *evlist, int fd, void *ptr, short events,
			    int flags);

/* Adds one of the descriptors that write into a ring. Returns its place, or -errno. */
int perf_evlist__add_ring(struct perf_evlist *evlist, struct perf_mmap *map);

/* Returns: what the last poll has reported for the descriptor at the place @pos. */
short perf_evlist__revents(const struct perf_evlist *evlist, int pos);

/*
 * Notes an id of a descriptor. perf_evlist__mmap() notes those of all descriptors: this is for
 * lists without rings, and for ids from elsewhere.
 * @cpu_map_idx, @thread: indices
 * @id: what records will have
 */
void perf_evlist__id_add(struct perf_evlist *evlist, struct perf_evsel *evsel, int cpu_map_idx,
			 int thread, u64 id);

/*
 * The same for the id of the descriptor @fd, which the kernel is asked for. @cpu_map_idx, @thread:
 * indices. Returns 0 or -errno.
 */
int perf_evlist__id_add_fd(struct perf_evlist *evlist, struct perf_evsel *evsel,
			   int cpu_map_idx, int thread, int fd);

/* Returns: what the @id of a record stands for; NULL: it does not belong to the list. */
struct perf_sample_id *perf_evlist__id2sid(const struct perf_evlist *evlist, u64 id);

/* Makes the table of ids anew, from the events that are in the list. */
void perf_evlist__reset_id_hash(struct perf_evlist *evlist);

/* Returns: the read_format of the first event; 0 for an empty list. */
u64 perf_evlist__read_format(struct perf_evlist *evlist);

#endif
