// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The descriptors that a list polls: rings by their writers, and others. See internal/evlist.h. */
#include <errno.h>
#include <internal/evlist.h>
#include <stdlib.h>

static int reserve(struct perf_pollfds *fds)
{
	int alloc = fds->alloc ? 2 * fds->alloc : 64;
	struct perf_pollfd_priv *priv;
	struct pollfd *entries;

	if (fds->nr < fds->alloc)
		return 0;
	entries = realloc(fds->entries, alloc * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	fds->entries = entries;
	priv = realloc(fds->priv, alloc * sizeof(*priv));
	if (!priv)
		return -ENOMEM;
	fds->priv = priv;
	fds->alloc = alloc;
	return 0;
}

int perf_evlist__add_pollfd(struct perf_evlist *evlist, int fd, void *ptr, short events, int flags)
{
	struct perf_pollfds *fds = &evlist->pollfd;
	int pos = fds->nr, err = reserve(fds);

	if (err)
		return err;
	fds->entries[pos] = (struct pollfd){ .fd = fd, .events = events };
	fds->priv[pos] = (struct perf_pollfd_priv){ .ptr = ptr, .flags = flags };
	fds->nr++;
	return pos;
}

LIBPERF_API int perf_evlist__pollfd(struct perf_evlist *evlist, int pos)
{
	return pos >= 0 && pos < evlist->pollfd.nr ? evlist->pollfd.entries[pos].fd : -ENOENT;
}

short perf_evlist__revents(const struct perf_evlist *evlist, int pos)
{
	return pos >= 0 && pos < evlist->pollfd.nr ? evlist->pollfd.entries[pos].revents : 0;
}

/*
 * Polls one descriptor. The kernel reports a wake-up only once: one that is reported here is passed
 * on to the next perf_evlist__poll().
 */
static bool has_hung_up(struct perf_evlist *evlist, int fd, short mask)
{
	struct pollfd entry = { .fd = fd, .events = POLLIN };

	if (poll(&entry, 1, 0) <= 0)
		return false;
	evlist->pollfd.woken |= entry.revents & POLLIN;
	return entry.revents & mask;
}

/* Polls the next writer that has not hung up instead. Returns false when there is none. */
static bool next_writer(struct perf_evlist *evlist, struct perf_mmap *map, short mask)
{
	while (++map->polled < map->nr_writers) {
		if (!has_hung_up(evlist, map->writers[map->polled].fd, mask))
			return true;
	}
	return false;
}

static void sort_writers(struct perf_mmap *map)
{
	int i, nr = 0;

	for (i = 0; i < map->nr_writers; i++) {
		struct perf_mmap_writer writer = map->writers[i];

		if (writer.filterable) {
			map->writers[i] = map->writers[nr];
			map->writers[nr++] = writer;
		}
	}
}

static void poll_writer(struct perf_evlist *evlist, int pos)
{
	struct perf_pollfd_priv *priv = &evlist->pollfd.priv[pos];
	struct perf_mmap *map = priv->ptr;
	struct perf_mmap_writer *writer = &map->writers[map->polled];

	evlist->pollfd.entries[pos].fd = writer->fd;
	priv->flags = PERF_POLLFD__RING | (writer->filterable ? 0 : PERF_POLLFD__NONFILTERABLE);
}

int perf_evlist__add_ring(struct perf_evlist *evlist, struct perf_mmap *map)
{
	int pos = perf_evlist__add_pollfd(evlist, -1, map, map->overwrite ? 0 : POLLIN, 0);

	if (pos < 0)
		return pos;
	sort_writers(map);
	poll_writer(evlist, pos);
	return 0;
}

LIBPERF_API int perf_evlist__poll(struct perf_evlist *evlist, int timeout)
{
	struct perf_pollfds *fds = &evlist->pollfd;
	bool woken = fds->woken;
	int n = poll(fds->entries, fds->nr, woken ? 0 : timeout);

	if (n < 0)
		return -errno;
	fds->woken = false;
	return n ? n : woken;
}

/* A polled writer has hung up: polls another one, or none. */
static void drop_writer(struct perf_evlist *evlist, int pos, short mask)
{
	struct perf_pollfd_priv *priv = &evlist->pollfd.priv[pos];
	struct perf_mmap *map = priv->ptr;

	if (next_writer(evlist, map, mask)) {
		poll_writer(evlist, pos);
		return;
	}
	priv->flags = 0;
	priv->ptr = NULL;
	perf_mmap__put(map);
}

LIBPERF_API int perf_evlist__filter_pollfd(struct perf_evlist *evlist, short revents_and_mask)
{
	struct perf_pollfds *fds = &evlist->pollfd;
	int i, left = 0;

	for (i = 0; i < fds->nr; i++) {
		struct pollfd *entry = &fds->entries[i];

		if (entry->fd >= 0 && entry->revents & revents_and_mask) {
			entry->fd = -1; /* ignored by poll() */
			entry->revents = 0;
			if (fds->priv[i].flags & PERF_POLLFD__RING)
				drop_writer(evlist, i, revents_and_mask);
		}
		left += entry->fd >= 0 && !(fds->priv[i].flags & PERF_POLLFD__NONFILTERABLE);
	}
	return left;
}
