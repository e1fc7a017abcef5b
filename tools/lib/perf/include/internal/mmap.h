/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A ring, for users that copy many records at a time instead of reading them one by one:
 *
 * 	n = perf_mmap__unread(map, span);    // span[0], then span[1], hold n bytes of whole records
 * 	copy them;
 * 	perf_mmap__skip(map, n);             // their room is the kernel's again
 *
 * The kernel's head is read once, by unread(), and skip() advances by what was copied: so no record
 * is seen twice or left out, whatever the kernel writes in between. Do not mix this with
 * perf_mmap__read_event() on the same ring.
 */
#ifndef LIBPERF_INTERNAL_MMAP_H
#define LIBPERF_INTERNAL_MMAP_H

#include <internal/cpumap.h>
#include <internal/lib.h>
#include <perf/mmap.h>
#include <sys/types.h>
#include <sys/uio.h>

/* header.size has 16 bits */
#define PERF_SAMPLE_MAX_SIZE (1 << 16)

struct perf_counts_values;

/* A descriptor that writes into a ring. */
struct perf_mmap_writer {
	int fd;
	bool filterable; /* not of a system-wide event */
};

struct perf_mmap {
	void *base;          /* control page (struct perf_event_mmap_page), then the data */
	size_t mask;         /* size of the data - 1; SIZE_MAX: no data, control page only */
	int fd;              /* of the event that owns the ring */
	int idx;             /* place among the rings of its list */
	struct perf_cpu cpu; /* -1: of a thread on any CPU */
	pid_t tid;           /* -1: of a CPU, whatever runs there */
	bool overwrite;      /* written backwards by the kernel, which overwrites unread records */
	/*
	 * One reference for the writers, dropped when all have hung up by poll(2), and one for the
	 * reader, dropped when it has read the last record. At 0 the ring is unmapped.
	 */
	int refcnt;
	u64 prev;            /* position: everything before it is read */
	u64 start, end;      /* being read */
	u64 head;            /* overwrite: where end will be the next time */
	void *event_copy;    /* a record that wraps around the end of the ring, in one piece */
	size_t event_copy_sz;
	/*
	 * The kernel wakes the wait queues of all writers of a ring, so only one of them is polled:
	 * the one at polled, until it hangs up. Filterable ones come before the others.
	 */
	struct perf_mmap_writer *writers;
	int nr_writers, polled;
};

struct perf_mmap_param {
	int prot;    /* PROT_READ, PROT_WRITE */
	size_t mask;
};

/*
 * @idx: its place among the rings of its list
 * @overwrite: the kernel writes it backwards, and overwrites it
 */
void perf_mmap__init(struct perf_mmap *map, int idx, bool overwrite);

/*
 * Maps a ring.
 * @fd: of the event that owns it; borrowed
 * @tid: -1: a ring of a CPU
 * Returns: 0 or -errno.
 */
int perf_mmap__mmap(struct perf_mmap *map, struct perf_mmap_param *mp, int fd,
		    struct perf_cpu cpu, pid_t tid);

/* Unmaps the ring. */
void perf_mmap__munmap(struct perf_mmap *map);

/* Returns: the bytes of the mapping: data and control page. */
size_t perf_mmap__mmap_len(const struct perf_mmap *map);

/* Drops a reference; the last one unmaps the ring. */
void perf_mmap__put(struct perf_mmap *map);

/*
 * Notes that a descriptor writes into the ring.
 * @fd: borrowed
 * @filterable: it does not belong to a system-wide event
 * Returns: 0 or -ENOMEM.
 */
int perf_mmap__add_writer(struct perf_mmap *map, int fd, bool filterable);

/* Returns: the position up to which the kernel has written. */
u64 perf_mmap__read_head(const struct perf_mmap *map);

/*
 * Finds the unread records. Not for overwrite rings.
 * @span: filled: one or two parts of the ring
 * Returns: their bytes; 0: nothing to read, or not mapped.
 */
size_t perf_mmap__unread(const struct perf_mmap *map, struct iovec span[2]);

/* Gives the room of @bytes back to the kernel. */
void perf_mmap__skip(struct perf_mmap *map, size_t bytes);

/*
 * Reads a counter of the calling thread without a system call.
 * @count: filled; ena and run are 0 when the CPU's clock does not tell them
 * Returns: 0; -EOPNOTSUPP when that is not possible.
 */
int perf_mmap__read_self(struct perf_mmap *map, struct perf_counts_values *count);

#endif
