// SPDX-License-Identifier: GPL-2.0-only
#include "big-array.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/mem.h"
#include "tempfile.h"

#define FIRST_ITEMS 1024

/* Arrays above this size use large pages. */
#define RESERVE_MIN (2UL << 20)
#define LARGE_PAGE (2UL << 20)

void big_array__init(struct big_array *a, size_t item, size_t limit)
{
	*a = (struct big_array){ .item = item, .limit = limit, .fd = -1 };
}

static void release_items(const struct big_array *a)
{
	if (a->mapped)
		munmap(a->v, a->mapped);
	else
		free(a->v);
}

void big_array__free(struct big_array *a)
{
	release_items(a);
	if (a->fd >= 0)
		close(a->fd);
	big_array__init(a, a->item, a->limit);
}

/* Reserves the space on disk now: on a full disk, writing to the mapping would raise SIGBUS. */
static void *map_file(int fd, size_t size)
{
	void *v;

	if (posix_fallocate(fd, 0, size))
		return NULL;
	v = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return v == MAP_FAILED ? NULL : v;
}

static int open_file(void)
{
	struct tempfile t;
	int fd;

	if (tempfile__open(&t, NULL))
		return -1;
	fd = t.fd;
	t.fd = -1;
	tempfile__close(&t);
	return fd;
}

/*
 * Reserves address space for all that may be held in memory, so that a growing array is never
 * copied; pages take memory only when they are written to. Large pages make that a hundred times
 * faster, and random access faster, too. Returns NULL when there is not enough address space.
 */
static void *reserve(size_t size)
{
	u8 *v = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t head;

	if (v == MAP_FAILED)
		return NULL;
	head = align_up((uintptr_t)v, LARGE_PAGE) - (uintptr_t)v;
	if (head)
		munmap(v, head);
	munmap(v + head + size, LARGE_PAGE - head);
	(void)madvise(v + head, size, MADV_HUGEPAGE); /* without them it is only slower */
	return v + head;
}

/* Moves the items to @v, which does not overlap their present place. */
static void move(struct big_array *a, void *v, size_t mapped)
{
	if (a->nr)
		memcpy(v, a->v, a->nr * a->item);
	release_items(a);
	a->v = v;
	a->mapped = mapped;
}

static bool grow_file(struct big_array *a, size_t size)
{
	int fd = a->fd >= 0 ? a->fd : open_file();
	void *v = fd >= 0 ? map_file(fd, size) : NULL;

	if (!v) {
		if (fd >= 0)
			close(fd);
		a->fd = -1;
		return false;
	}
	if (a->fd < 0) {
		move(a, v, size);
	} else {
		release_items(a); /* the same bytes of the same file */
		a->v = v;
		a->mapped = size;
	}
	a->fd = fd;
	return true;
}

void big_array__grow(struct big_array *a)
{
	size_t max = a->max ? a->max * 2 : FIRST_ITEMS, size = max * a->item;
	size_t room = a->limit & ~(LARGE_PAGE - 1);
	void *v;

	if (size > a->limit && grow_file(a, size)) {
		;
	} else if (size <= room && size >= RESERVE_MIN && (v = reserve(room))) {
		move(a, v, room);
		max = room / a->item;
	} else if (a->mapped) {
		move(a, xmalloc(size), 0);
	} else {
		a->v = xrealloc(a->v, size);
	}
	a->max = max;
}
