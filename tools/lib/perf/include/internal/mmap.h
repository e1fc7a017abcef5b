/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A ring, for those who drain it themselves instead of asking for one record after the other:
 *
 *	n = perf_mmap__unread(map, span);    // span[0], then span[1], hold n bytes of whole records
 *	copy them;
 *	perf_mmap__skip(map, n);             // their room is the kernel's again
 *
 * The kernel's head is read once, by unread(), and skip() advances by what was copied: a stretch is
 * neither seen twice nor left out, whatever the kernel writes in between. Do not mix this with
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
	bool overwrite;      /* written backwards by the kernel, which does not wait for us */
	/*
	 * One of the writers, dropped when poll says that all have hung up, and one of the reader,
	 * dropped when it has read the last record. At 0 it is unmapped.
	 */
	int refcnt;
	u64 prev;            /* all before it is read */
	u64 start, end;      /* being read */
	u64 head;            /* overwrite: where end will be the next time */
	void *event_copy;    /* a record that wraps around the end of the ring, in one piece */
	size_t event_copy_sz;
	/*
	 * Every writer's wait queue is woken for a ring, so one is polled in the name of all: the
	 * one at polled, until it hangs up. A filterable one comes before the others.
	 */
	struct perf_mmap_writer *writers;
	int nr_writers, polled;
};

struct perf_mmap_param {
	int prot;    /* PROT_READ, PROT_WRITE */
	size_t mask;
};

void perf_mmap__init(struct perf_mmap *map, int idx, bool overwrite);
int perf_mmap__mmap(struct perf_mmap *map, struct perf_mmap_param *mp, int fd,
		    struct perf_cpu cpu, pid_t tid);
void perf_mmap__munmap(struct perf_mmap *map);
/* Of the mapping: the data and the control page. */
size_t perf_mmap__mmap_len(const struct perf_mmap *map);

void perf_mmap__put(struct perf_mmap *map);

int perf_mmap__add_writer(struct perf_mmap *map, int fd, bool filterable);

/* Up to where the kernel has written. */
u64 perf_mmap__read_head(const struct perf_mmap *map);

/* Not for overwrite rings. Returns 0 with nothing to read, and for a ring that is not mapped. */
size_t perf_mmap__unread(const struct perf_mmap *map, struct iovec span[2]);
void perf_mmap__skip(struct perf_mmap *map, size_t bytes);

/*
 * Reads a counter of this very thread without a system call; -EOPNOTSUPP where that cannot be. ena
 * and run are 0 where the CPU's clock does not tell them.
 */
int perf_mmap__read_self(struct perf_mmap *map, struct perf_counts_values *count);

#endif
