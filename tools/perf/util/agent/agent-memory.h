/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory that the recorder shares with the agent in a program; see
 * tools/lib/perf-agent/agent-wire.h.
 *
 * The program can write to all of it at any time. So everything is copied before it is checked, and
 * what does not fit is left out and counted; a program can only falsify its own samples.
 */
#ifndef PERF_AGENT_AGENT_MEMORY_H
#define PERF_AGENT_AGENT_MEMORY_H

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"
#include "../../../lib/perf-agent/agent-wire.h"

struct agent_memory {
	u8 *base;
	int fd;      /* for the program; closed by agent_memory__close_fd() */
	bool python;   /* the program has one whose frames are read; set by who uses this */
	bool told_ids; /* the program knows where its ids are; set by who uses this */
	u64 damaged; /* records and rings that made no sense */
	u64 names;   /* bytes of names that were copied: each once, all of them are in the memory */
};

/*
 * Makes the memory, whose size nobody can change.
 * @m: filled; for agent_memory__free()
 * Returns: 0, or -errno with words.
 */
int agent_memory__new(struct agent_memory *m, struct error *err);

/*
 * Maps memory that a program has made.
 * @m: filled; for agent_memory__free()
 * @fd: becomes .fd in any case
 * @hello: out: what the program says in it
 * Returns: 0; -EINVAL: it is no such memory, or may become shorter; another -errno.
 */
int agent_memory__adopt(struct agent_memory *m, int fd, struct agent_hello *hello);

/*
 * Empties all rings, when nobody writes: what is in them is of an earlier recording.
 * @lives: tells whether the program still has a thread; rings of others become free
 */
void agent_memory__reset(struct agent_memory *m, bool (*lives)(void *ctx, u32 tid), void *ctx);

/* Closes .fd, when the program has its own. */
void agent_memory__close_fd(struct agent_memory *m);

/* Unmaps it. */
void agent_memory__free(struct agent_memory *m);

/*
 * Takes the records that are there, at most what fits into a ring of each.
 * @each: gets the record, which is checked but for its numbers, and the thread that the ring says
 *         it is of; frames, ids and stop are behind it
 * @ended: called once for a thread that says that it will write no more, behind its last record
 */
void agent_memory__read(struct agent_memory *m,
			void (*each)(void *ctx, u32 tid, const struct agent_record *rec),
			void (*ended)(void *ctx, u32 tid), void *ctx);

/* Returns: what a timer's record has of the registers and the stack; NULL: it is another's. */
static inline const struct agent_stop *agent_record__stop(const struct agent_record *rec)
{
	const u8 *ids = (const u8 *)(rec->frames + rec->nr);

	if (!(rec->flags & AGENT_CLOCKED))
		return NULL;
	return (const void *)(ids + ((rec->ids_size + 7) & ~7u));
}

/* Tells the program whether signals of timers are wanted: @on. */
void agent_memory__want_clock(struct agent_memory *m, bool on);

/* Tells the program where its ids are, which it does not know yet. */
void agent_memory__tell_ids(struct agent_memory *m, const struct agent_ids *ids);

/* The thread @tid has ended, and its ring was read: it may be another one's. */
void agent_memory__free_ring(struct agent_memory *m, u32 tid);

/* A name, copied. */
struct agent_name {
	char *name, *file;  /* UTF-8 as the program says, with a 0 at the end; for free() */
	u8 *lines;          /* of CPython's location table */
	u32 lines_size, first_line;
};

/*
 * Copies a name. Names that overlap, or are asked for again and again, end when the bytes of all
 * are more than the memory has room for.
 * @number: as frames have it
 * @out: for agent_name__free()
 * Returns: false when there is none.
 */
bool agent_memory__name(struct agent_memory *m, u32 number, struct agent_name *out);

/* Frees what a name has. */
void agent_name__free(struct agent_name *n);

#endif
