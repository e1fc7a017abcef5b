// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <errno.h>
#include <internal/mmap.h>
#include <linux/perf_event.h>
#include <perf/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void perf_mmap__init(struct perf_mmap *map, int idx, bool overwrite)
{
	memset(map, 0, sizeof(*map));
	map->fd = -1;
	map->idx = idx;
	map->cpu.cpu = -1;
	map->tid = -1;
	map->overwrite = overwrite;
}

static size_t mmap_len(size_t mask)
{
	return mask + 1 + libperf__page_size();
}

size_t perf_mmap__mmap_len(const struct perf_mmap *map)
{
	return mmap_len(map->mask);
}

int perf_mmap__mmap(struct perf_mmap *map, struct perf_mmap_param *mp, int fd,
		    struct perf_cpu cpu, pid_t tid)
{
	void *base = mmap(NULL, mmap_len(mp->mask), mp->prot, MAP_SHARED, fd, 0);

	if (base == MAP_FAILED) {
		int err = -errno;

		libperf__print(LIBPERF_DEBUG2, "mmap of event fd %d, %zu bytes: %s\n", fd,
			       mmap_len(mp->mask), strerror(-err));
		return err;
	}
	map->base = base;
	map->mask = mp->mask;
	map->fd = fd;
	map->cpu = cpu;
	map->tid = tid;
	map->prev = map->start = map->end = map->head = 0;
	__atomic_store_n(&map->refcnt, 2, __ATOMIC_RELEASE); /* the writers' and the reader's */
	return 0;
}

void perf_mmap__munmap(struct perf_mmap *map)
{
	if (!map)
		return;
	if (map->base)
		munmap(map->base, perf_mmap__mmap_len(map));
	map->base = NULL;
	map->fd = -1;
	free(map->event_copy);
	map->event_copy = NULL;
	map->event_copy_sz = 0;
	free(map->writers);
	map->writers = NULL;
	map->nr_writers = map->polled = 0;
	__atomic_store_n(&map->refcnt, 0, __ATOMIC_RELEASE);
}

void perf_mmap__put(struct perf_mmap *map)
{
	if (refcnt__put(&map->refcnt))
		perf_mmap__munmap(map);
}

int perf_mmap__add_writer(struct perf_mmap *map, int fd, bool filterable)
{
	struct perf_mmap_writer *writers = map->writers;
	int nr = map->nr_writers;

	if (!(nr & (nr - 1))) { /* full: room for twice as many */
		writers = realloc(writers, (nr ? 2 * nr : 1) * sizeof(*writers));
		if (!writers)
			return -ENOMEM;
		map->writers = writers;
	}
	writers[nr] = (struct perf_mmap_writer){ .fd = fd, .filterable = filterable };
	map->nr_writers++;
	return 0;
}

static bool is_mapped(const struct perf_mmap *map)
{
	return map->base && map->mask != SIZE_MAX;
}

/* Pairs with the kernel's barrier between writing records and publishing data_head. */
u64 perf_mmap__read_head(const struct perf_mmap *map)
{
	const struct perf_event_mmap_page *pc = map->base;

	return __atomic_load_n(&pc->data_head, __ATOMIC_ACQUIRE);
}

/* The kernel overwrites what is before tail, so all reads have to be done before. */
static void write_tail(struct perf_mmap *map, u64 tail)
{
	struct perf_event_mmap_page *pc = map->base;

	__atomic_store_n(&pc->data_tail, tail, __ATOMIC_RELEASE);
}

static unsigned char *ring_data(const struct perf_mmap *map)
{
	return (unsigned char *)map->base + libperf__page_size();
}

/* Records are multiples of 8, like the ring: a header never wraps, and is never misaligned. */
static u16 record_size_at(const struct perf_mmap *map, u64 pos)
{
	const struct perf_event_header *header;

	header = (const void *)(ring_data(map) + (pos & map->mask));
	return __atomic_load_n(&header->size, __ATOMIC_RELAXED);
}

/*
 * In a backward ring that is full, records from start on are complete up to the one that crosses
 * the size of the ring: the newest records have overwritten its end.
 */
static u64 overwrite_end(const struct perf_mmap *map, u64 start)
{
	u64 used = 0;

	for (;;) {
		u16 size = record_size_at(map, start + used);

		if (size < sizeof(struct perf_event_header) || used + size > map->mask + 1)
			return start + used;
		used += size;
		if (used == map->mask + 1)
			return start + used;
	}
}

LIBPERF_API int perf_mmap__read_init(struct perf_mmap *map)
{
	u64 head, size;

	if (!refcnt__read(&map->refcnt) || !is_mapped(map))
		return -ENOENT;
	head = perf_mmap__read_head(map);
	map->head = head;
	map->start = map->overwrite ? head : map->prev;
	map->end = map->overwrite ? map->prev : head;
	size = map->end - map->start;
	if (!size)
		return -EAGAIN;
	if (size <= map->mask + 1)
		return 0;
	if (map->overwrite) {
		map->end = overwrite_end(map, map->start);
		return 0;
	}
	libperf__print(LIBPERF_WARN, "ring buffer of fd %d: head and tail are %llu bytes apart, "
		       "skipped\n",
		       map->fd, (unsigned long long)size);
	map->prev = head;
	perf_mmap__consume(map);
	return -EAGAIN;
}

static bool reserve_copy(struct perf_mmap *map, size_t size)
{
	void *copy;

	if (map->event_copy_sz >= size)
		return true;
	copy = realloc(map->event_copy, size);
	if (!copy) {
		libperf__print(LIBPERF_ERR, "no memory for a record of %zu bytes\n", size);
		return false;
	}
	map->event_copy = copy;
	map->event_copy_sz = size;
	return true;
}

/* The record at start, in one piece. */
static union perf_event *ring_read(struct perf_mmap *map)
{
	size_t offset = map->start & map->mask, to_end = map->mask + 1 - offset;
	unsigned char *data = ring_data(map);
	size_t size;

	if (map->end - map->start < sizeof(struct perf_event_header))
		return NULL;
	size = record_size_at(map, map->start);
	if (size < sizeof(struct perf_event_header) || size > map->end - map->start)
		return NULL;
	if (size > to_end) {
		if (!reserve_copy(map, size))
			return NULL;
		memcpy(map->event_copy, data + offset, to_end);
		memcpy((char *)map->event_copy + to_end, data, size - to_end);
		data = map->event_copy;
		offset = 0;
	}
	map->start += size;
	return (union perf_event *)(data + offset);
}

LIBPERF_API union perf_event *perf_mmap__read_event(struct perf_mmap *map)
{
	union perf_event *event;

	if (!refcnt__read(&map->refcnt) || !is_mapped(map))
		return NULL;
	if (!map->overwrite && map->start == map->end)
		map->end = perf_mmap__read_head(map);
	event = ring_read(map);
	/* prev follows what was handed out, never the head: nothing is read twice or skipped */
	if (!map->overwrite)
		map->prev = map->start;
	return event;
}

/* Unmaps a ring that is read empty and whose events have all hung up. */
static void drop_when_finished(struct perf_mmap *map)
{
	if (refcnt__read(&map->refcnt) == 1 && perf_mmap__read_head(map) == map->prev)
		perf_mmap__put(map);
}

LIBPERF_API void perf_mmap__consume(struct perf_mmap *map)
{
	if (!is_mapped(map))
		return;
	if (!map->overwrite)
		write_tail(map, map->prev);
	drop_when_finished(map);
}

/* The next time, an overwrite ring is read up to the newest record of this time. */
LIBPERF_API void perf_mmap__read_done(struct perf_mmap *map)
{
	if (map->overwrite && refcnt__read(&map->refcnt))
		map->prev = map->head;
}

size_t perf_mmap__unread(const struct perf_mmap *map, struct iovec span[2])
{
	size_t offset = map->prev & map->mask, to_end = map->mask + 1 - offset;
	u64 size;

	memset(span, 0, 2 * sizeof(*span));
	if (!is_mapped(map) || map->overwrite)
		return 0;
	size = perf_mmap__read_head(map) - map->prev;
	if (size > map->mask + 1)
		return 0;
	span[0].iov_base = ring_data(map) + offset;
	span[0].iov_len = size < to_end ? size : to_end;
	span[1].iov_base = ring_data(map);
	span[1].iov_len = size - span[0].iov_len;
	return size;
}

void perf_mmap__skip(struct perf_mmap *map, size_t bytes)
{
	if (!is_mapped(map) || map->overwrite)
		return;
	map->prev += bytes;
	write_tail(map, map->prev);
	drop_when_finished(map);
}
