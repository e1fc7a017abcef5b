// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
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

short perf_evlist__revents(const struct perf_evlist *evlist, int pos)
{
	return pos >= 0 && pos < evlist->pollfd.nr ? evlist->pollfd.entries[pos].revents : 0;
}

LIBPERF_API int perf_evlist__poll(struct perf_evlist *evlist, int timeout)
{
	int n = poll(evlist->pollfd.entries, evlist->pollfd.nr, timeout);

	return n < 0 ? -errno : n;
}

LIBPERF_API int perf_evlist__filter_pollfd(struct perf_evlist *evlist, short revents_and_mask)
{
	struct perf_pollfds *fds = &evlist->pollfd;
	int i, left = 0;

	for (i = 0; i < fds->nr; i++) {
		struct pollfd *entry = &fds->entries[i];

		if (entry->fd < 0)
			continue;
		if (!(entry->revents & revents_and_mask)) {
			left += !(fds->priv[i].flags & PERF_POLLFD__NONFILTERABLE);
			continue;
		}
		entry->fd = -1; /* poll() passes it over */
		entry->revents = 0;
		if (fds->priv[i].flags & PERF_POLLFD__RING)
			perf_mmap__put(fds->priv[i].ptr);
	}
	return left;
}
