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

void big_array__init(struct big_array *a, size_t item, size_t limit)
{
	*a = (struct big_array){ .item = item, .limit = limit, .fd = -1 };
}

static void let_go(void *v, size_t size, int fd)
{
	if (fd >= 0)
		munmap(v, size);
	else
		free(v);
}

void big_array__free(struct big_array *a)
{
	let_go(a->v, a->max * a->item, a->fd);
	if (a->fd >= 0)
		close(a->fd);
	big_array__init(a, a->item, a->limit);
}

/* The room is reserved on the disk: a full one must not end us by a signal later. */
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

void big_array__grow(struct big_array *a)
{
	size_t max = a->max ? a->max * 2 : FIRST_ITEMS, size = max * a->item;
	int fd = a->fd;
	void *v = NULL;

	if (size > a->limit) {
		if (fd < 0)
			fd = open_file();
		v = fd >= 0 ? map_file(fd, size) : NULL;
	}
	if (v && a->fd >= 0) {
		munmap(a->v, a->max * a->item); /* the same bytes of the same file */
	} else if (v) {
		if (a->nr)
			memcpy(v, a->v, a->nr * a->item);
		free(a->v);
		a->fd = fd;
	} else if (a->fd >= 0) {
		v = xmalloc(size);
		memcpy(v, a->v, a->nr * a->item);
		munmap(a->v, a->max * a->item);
		close(a->fd);
		a->fd = -1;
	} else {
		if (fd >= 0)
			close(fd);
		v = xrealloc(a->v, size);
	}
	a->v = v;
	a->max = max;
}
