// SPDX-License-Identifier: GPL-2.0-only
#include "stack-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../io/process-memory.h"
#include "../io/side-process.h"

#define WATCHES 16          /* threads that are remembered */
#define FIRST_PAUSE (4 * NSEC_PER_MSEC)
#define MAX_DOUBLED 10      /* 4 s between two watches of a thread for which they are in vain */
#define OPENED_PER_S 200    /* of all threads */
/* A sample may just be written when a piece is read: that pass and the next may not see it. */
#define PASSES 2
#define PIECES_MAX 32       /* of a stack, 1 MB */

/* A part of the stack below the watched word, and behind it. */
struct stack_piece {
	u64 addr;
	size_t size;
	u64 pass;      /* of the drain, from which on all has come that was before it was read */
	u64 since;     /* time of the last record of that pass; UINT64_MAX: it has not come yet */
	u8 bytes[PROCESS_MEMORY_MAX];
};

struct stack_watch {
	u32 tid;       /* 0: free */
	int fd;        /* of the breakpoint; negative: none */
	int maps_fd;   /* of the address space: it is empty when that is gone, as by execve() */
	u64 addr;      /* of the word */
	u32 nr_pieces;
	struct stack_piece *pieces[PIECES_MAX]; /* in the order in which they were read */
	u32 in_vain;   /* how many watches of this thread were no use, one after the other */
	u64 not_before;/* CLOCK_MONOTONIC: when another one may begin */
	u64 used;      /* the last one has the highest number */
};

struct stack_watches {
	struct memory_reader reader;
	struct stack_watch *reads;   /* for a sample of .time, when .passes had begun */
	u64 time, passes;
	bool is_tried;               /* .cannot is known */
	int cannot;                  /* of try_breakpoint() */
	bool too_new;                /* a piece was read that is not known to be older than that */
	u64 nr_used, nr_begun;
	u64 second;    /* the present one, and what was opened in it */
	u32 nr_of_second;
	struct stack_watch watches[WATCHES];
};

struct stack_watches *stack_watches__new(void)
{
	struct stack_watches *w = xzalloc(sizeof(*w));

	for (u32 i = 0; i < WATCHES; i++)
		w->watches[i].fd = w->watches[i].maps_fd = -1;
	return w;
}

static void stack_watch__end(struct stack_watch *watch)
{
	if (watch->fd >= 0)
		close(watch->fd);
	if (watch->maps_fd >= 0)
		close(watch->maps_fd);
	watch->fd = watch->maps_fd = -1;
	for (u32 i = 0; i < watch->nr_pieces; i++)
		free(watch->pieces[i]);
	watch->nr_pieces = 0;
}

void stack_watches__free(struct stack_watches *w)
{
	if (!w)
		return;
	for (u32 i = 0; i < WATCHES; i++)
		stack_watch__end(&w->watches[i]);
	memory_reader__free(&w->reader);
	free(w);
}

/* The one of the thread, or that which was used longest ago. */
static struct stack_watch *stack_watches__of(struct stack_watches *w, u32 tid)
{
	struct stack_watch *oldest = &w->watches[0];

	for (u32 i = 0; i < WATCHES; i++) {
		if (w->watches[i].tid == tid)
			return &w->watches[i];
		if (w->watches[i].used < oldest->used)
			oldest = &w->watches[i];
	}
	stack_watch__end(oldest);
	*oldest = (struct stack_watch){ .tid = tid, .fd = -1, .maps_fd = -1 };
	return oldest;
}

/* A breakpoint of the thread, which is off when it was hit once. */
static int open_breakpoint(u32 tid, u64 addr)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W,
		.bp_addr = addr, .bp_len = HW_BREAKPOINT_LEN_8, .sample_period = 1, .disabled = 1,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	if (!ioctl(fd, PERF_EVENT_IOC_REFRESH, 1))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

/*
 * Some virtual machines let breakpoints be opened, and never tell of a hit.
 * Returns: 0; -ENODEV: they do that here; another -errno.
 */
static int try_breakpoint(void)
{
	volatile u64 word = 0;
	u64 hits = 0;
	int fd = open_breakpoint(gettid(), (uintptr_t)&word), ret = 0;

	if (fd < 0)
		return fd;
	word = 1;
	if (read(fd, &hits, sizeof(hits)) != sizeof(hits) || hits != 1)
		ret = -ENODEV;
	close(fd);
	return ret;
}

static int open_maps(u32 tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/maps", tid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static bool stack_watch__is_over(const struct stack_watch *watch)
{
	u64 hits;
	char c;

	return read(watch->fd, &hits, sizeof(hits)) != sizeof(hits) || hits ||
	       pread(watch->maps_fd, &c, 1, 0) != 1;
}

static bool stack_watches__may_open(struct stack_watches *w, u64 now)
{
	if (now / NSEC_PER_SEC != w->second) {
		w->second = now / NSEC_PER_SEC;
		w->nr_of_second = 0;
	}
	return w->nr_of_second++ < OPENED_PER_S;
}

/* Returns: whether the thread is watched. */
static bool stack_watches__begin(struct stack_watches *w, struct stack_watch *watch, u64 addr)
{
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (!w->is_tried) {
		w->cannot = try_breakpoint();
		w->is_tried = true;
		if (w->cannot)
			pr_debug("other stacks cannot be watched: %s\n", w->cannot == -ENODEV ?
				 "breakpoints are never hit here" : strerror(-w->cannot));
	}
	if (w->cannot || now < watch->not_before || addr % 8 || !stack_watches__may_open(w, now))
		return false;
	stack_watch__end(watch);
	watch->not_before = now + (FIRST_PAUSE << watch->in_vain);
	watch->in_vain = min_of(watch->in_vain + 1, (u32)MAX_DOUBLED);
	watch->addr = addr;
	watch->maps_fd = open_maps(watch->tid);
	watch->fd = watch->maps_fd < 0 ? -errno : open_breakpoint(watch->tid, addr);
	if (watch->fd < 0)
		pr_debug("the other stack of thread %u cannot be watched: %s\n", watch->tid,
			 strerror(-watch->fd));
	w->nr_begun++;
	return watch->fd >= 0;
}

void stack_watches__passed(struct stack_watches *w, u64 pass, u64 newest)
{
	for (u32 i = 0; i < WATCHES; i++) {
		const struct stack_watch *watch = &w->watches[i];

		for (u32 j = 0; j < watch->nr_pieces; j++)
			if (watch->pieces[j]->since == UINT64_MAX && pass >= watch->pieces[j]->pass)
				watch->pieces[j]->since = newest;
	}
}

bool stack_watches__reads(struct stack_watches *w, const struct sample *s, u64 addr, u64 passes)
{
	struct stack_watch *watch = stack_watches__of(w, s->tid);

	watch->used = ++w->nr_used;
	w->reads = watch;
	w->time = s->time;
	w->passes = passes;
	w->too_new = false;
	return (watch->fd >= 0 && watch->addr == addr && !stack_watch__is_over(watch)) ||
	       stack_watches__begin(w, watch, addr);
}

/* Words are asked for, one after the other, and the other process is far away. */
static struct stack_piece *stack_watches__add(struct stack_watches *w, u64 addr)
{
	struct stack_watch *watch = w->reads;
	struct stack_piece *piece;
	ssize_t size;

	if (watch->nr_pieces == PIECES_MAX)
		return NULL;
	piece = xmalloc(sizeof(*piece));
	size = memory_reader__read(&w->reader, watch->tid, addr, piece->bytes,
				   sizeof(piece->bytes));
	if (size <= 0) {
		free(piece);
		return NULL;
	}
	piece->addr = addr;
	piece->size = size;
	piece->pass = w->passes + PASSES;
	piece->since = UINT64_MAX;
	return watch->pieces[watch->nr_pieces++] = piece;
}

static bool stack_piece__has(const struct stack_piece *piece, u64 addr, size_t size)
{
	u64 skip = addr - piece->addr;

	return addr >= piece->addr && skip <= piece->size && size <= piece->size - skip;
}

bool stack_watches__read(struct stack_watches *w, u64 addr, void *to, size_t size)
{
	struct stack_watch *watch = w->reads;
	struct stack_piece *piece = NULL;

	for (u32 i = 0; i < watch->nr_pieces && !piece; i++)
		if (stack_piece__has(watch->pieces[i], addr, size))
			piece = watch->pieces[i];
	if (!piece)
		piece = stack_watches__add(w, addr);
	if (!piece || !stack_piece__has(piece, addr, size))
		return false;
	w->too_new |= w->time <= piece->since;
	memcpy(to, piece->bytes + (addr - piece->addr), size);
	return true;
}

bool stack_watches__stood(struct stack_watches *w)
{
	if (w->too_new || stack_watch__is_over(w->reads))
		return false;
	w->reads->in_vain = 0;
	return true;
}

u64 stack_watches__nr_begun(const struct stack_watches *w)
{
	return w->nr_begun;
}
