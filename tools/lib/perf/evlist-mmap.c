// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The rings of a list. A slot is a CPU, or a thread on any CPU. The first event of a slot gets a
 * ring, the others are told to write into it. Events that overwrite cannot share one with those
 * that do not, so a slot has up to two rings: one in each of the arrays.
 */
#include <errno.h>
#include <internal/evlist.h>
#include <internal/xyarray.h>
#include <perf/threadmap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

struct slot {
	int idx;
	struct perf_cpu cpu;
	int thread; /* -1: all */
};

static int nr_slots(const struct perf_evlist *evlist)
{
	int nr = perf_cpu_map__nr(evlist->all_cpus);

	if (perf_cpu_map__has_any_cpu_or_is_empty(evlist->all_cpus))
		nr += perf_thread_map__nr(evlist->threads) - 1;
	return nr;
}

static struct perf_mmap *alloc_rings(struct perf_evlist *evlist, bool overwrite)
{
	struct perf_mmap *rings = calloc(evlist->nr_mmaps, sizeof(*rings));
	int i;

	for (i = 0; rings && i < evlist->nr_mmaps; i++)
		perf_mmap__init(&rings[i], i, overwrite);
	return rings;
}

static struct perf_mmap *slot_ring(struct perf_evlist *evlist, const struct slot *slot,
				   bool overwrite)
{
	struct perf_mmap **rings = overwrite ? &evlist->mmap_ovw : &evlist->mmap;

	if (!*rings)
		*rings = alloc_rings(evlist, overwrite);
	return *rings ? &(*rings)[slot->idx] : NULL;
}

static int redirect(struct perf_mmap *map, int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, map->fd)) {
		int err = -errno;

		libperf__print(LIBPERF_DEBUG, "cannot redirect event fd %d to the ring buffer of "
			       "fd %d: %s\n",
			       fd, map->fd, strerror(-err));
		return err;
	}
	return 0;
}

/* Gives the descriptor a ring: the slot's, or, as the first one, the slot's first. */
static int attach_ring(struct perf_mmap *map, size_t mask, const struct slot *slot, int fd,
		       pid_t tid)
{
	struct perf_mmap_param mp = {
		.prot = PROT_READ | (map->overwrite ? 0 : PROT_WRITE),
		.mask = mask,
	};

	return map->base ? redirect(map, fd) : perf_mmap__mmap(map, &mp, fd, slot->cpu, tid);
}

static int mmap_fd(struct perf_evlist *evlist, struct perf_evsel *evsel, size_t mask,
		   const struct slot *slot, int cpu_idx, int thread)
{
	struct perf_mmap *map = slot_ring(evlist, slot, evsel->attr.write_backward);
	int fd = perf_evsel__fd(evsel, cpu_idx, thread), err;
	pid_t tid = slot->thread < 0 ? -1 : perf_thread_map__pid(evsel->threads, thread);
	struct perf_sample_id *sid;

	if (fd < 0)
		return 0;
	if (!map)
		return -ENOMEM;
	err = attach_ring(map, mask, slot, fd, tid);
	if (err)
		return err;
	err = perf_mmap__add_writer(map, fd, !evsel->system_wide);
	if (err)
		return err;
	err = perf_evlist__id_add_fd(evlist, evsel, cpu_idx, thread, fd);
	sid = xyarray__entry(evsel->sample_id, cpu_idx, thread);
	if (sid)
		sid->idx = slot->idx;
	return err;
}

static int mmap_slot(struct perf_evlist *evlist, size_t mask, const struct slot *slot)
{
	struct perf_evsel *evsel;

	perf_evlist__for_each_evsel(evlist, evsel) {
		int cpu_idx = perf_cpu_map__idx(evsel->cpus, slot->cpu);
		int thread = slot->thread < 0 ? 0 : slot->thread;
		int last = slot->thread < 0 ? perf_thread_map__nr(evsel->threads) - 1 : thread;

		for (; cpu_idx >= 0 && thread <= last; thread++) {
			int err = mmap_fd(evlist, evsel, mask, slot, cpu_idx, thread);

			if (err)
				return err;
		}
	}
	return 0;
}

static int mmap_cpu(struct perf_evlist *evlist, size_t mask, struct slot *slot)
{
	int err = 0, thread;

	if (slot->cpu.cpu >= 0) {
		slot->thread = -1;
		err = mmap_slot(evlist, mask, slot);
		slot->idx++;
		return err;
	}
	for (thread = 0; !err && thread < perf_thread_map__nr(evlist->threads); thread++) {
		slot->thread = thread;
		err = mmap_slot(evlist, mask, slot);
		slot->idx++;
	}
	return err;
}

static int poll_rings(struct perf_evlist *evlist, struct perf_mmap *rings)
{
	int i, err = 0;

	for (i = 0; rings && i < evlist->nr_mmaps && !err; i++) {
		if (rings[i].base)
			err = perf_evlist__add_ring(evlist, &rings[i]);
	}
	return err;
}

LIBPERF_API int perf_evlist__mmap(struct perf_evlist *evlist, int pages)
{
	size_t mask = (size_t)pages * libperf__page_size() - 1;
	struct slot slot = { .idx = 0 };
	int i, err = 0;

	if (pages <= 0 || (pages & (pages - 1)) || evlist->nr_mmaps)
		return -EINVAL;
	evlist->nr_mmaps = nr_slots(evlist);
	perf_cpu_map__for_each_cpu(slot.cpu, i, evlist->all_cpus) {
		err = mmap_cpu(evlist, mask, &slot);
		if (err)
			break;
	}
	if (!err)
		err = poll_rings(evlist, evlist->mmap);
	if (!err)
		err = poll_rings(evlist, evlist->mmap_ovw);
	if (err)
		perf_evlist__munmap(evlist);
	return err;
}

static void free_rings(struct perf_evlist *evlist, struct perf_mmap **rings)
{
	int i;

	for (i = 0; *rings && i < evlist->nr_mmaps; i++)
		perf_mmap__munmap(&(*rings)[i]);
	free(*rings);
	*rings = NULL;
}

/* Drops the descriptors of rings; the places of all others stay the same. */
static void forget_pollfds(struct perf_pollfds *fds)
{
	int i;

	for (i = 0; i < fds->nr; i++) {
		if (fds->priv[i].flags & PERF_POLLFD__RING) {
			fds->entries[i].fd = -1;
			fds->priv[i].flags = 0;
		}
	}
	while (fds->nr && fds->entries[fds->nr - 1].fd < 0)
		fds->nr--;
}

LIBPERF_API void perf_evlist__munmap(struct perf_evlist *evlist)
{
	forget_pollfds(&evlist->pollfd);
	free_rings(evlist, &evlist->mmap);
	free_rings(evlist, &evlist->mmap_ovw);
	evlist->nr_mmaps = 0;
}

LIBPERF_API struct perf_mmap *perf_evlist__next_mmap(struct perf_evlist *evlist,
						     struct perf_mmap *map, bool overwrite)
{
	struct perf_mmap *rings = overwrite ? evlist->mmap_ovw : evlist->mmap;

	if (!rings)
		return NULL;
	for (map = map ? map + 1 : rings; map < rings + evlist->nr_mmaps; map++) {
		if (map->base)
			return map;
	}
	return NULL;
}
