/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drain: a thread that does nothing but copy records out of the ring buffers, header and
 * used bytes only, and give their room back to the kernel at once.
 *
 * The copies go into chunks of a bounded arena. The reader takes chunks in the order in which
 * they were filled; a chunk returns to the arena when its last reference is put. The reader is
 * expected to ask rings__backlogged() and to save effort while it is true, since when the arena is
 * full the drain waits and the rings fill up: what then overflows is counted by the kernel in LOST
 * records, so nothing vanishes silently. To go on, the reader must put chunks: rings__take()
 * returns -ENOBUFS when the drain waits and there is nothing to take.
 *
 * Rings that are written over are read when a snapshot is asked for, and at the end. What the
 * others bring is held back until then, so that the reader gets all of it in the order of time, as
 * far as the arena holds it.
 *
 * A pass over all rings is a round: what was in a ring when a round ended precedes all that
 * rounds after the next one bring.
 */
#ifndef PERF_LIVE_RINGS_H
#define PERF_LIVE_RINGS_H

#include "../data/record.h"
#include "affinity.h"
#include "event-set.h"

struct rings;

struct ring_chunk {
	struct rings *rings;     /* whose it is */
	struct ring_chunk *next; /* internal */
	u64 refs;                /* the reader's thread only */
	size_t used;
	bool round_ended;        /* behind the last record of this chunk */
	bool snapshot_ended;     /* likewise; two rounds have then ended */
	u8 data[] __attribute__((aligned(16)));
};

struct rings_opts {
	struct event_set *set;
	const struct recording *recording; /* tells where the parts of a sample lie */
	size_t arena_bytes;                /* bound of all chunks; 0: by the size of the rings */
	u32 priority;                      /* SCHED_FIFO; 0: 1, or as much as is allowed */
	enum affinity_mode affinity;       /* of the thread, while it reads a ring */
	u64 flush_bytes;                   /* a pass waits for that much in a ring, or a second */
	int ready_fd;                      /* eventfd to write to when there is a chunk */
};

struct rings_stats {
	u64 drains;      /* passes over all rings; some of them are put together into one round */
	u64 wakeups;     /* passes that found something */
	u64 rounds, records;
	u64 bytes;       /* read from the rings */
	u64 copied;      /* of them: without the room that stack copies left unused */
	u64 stalls;      /* the arena was full */
	u64 peak, arena; /* bytes: most that was in use of the arena, and its bound */
};

/* Starts the thread. */
int rings__start(struct rings **out, const struct rings_opts *opts, struct error *err);

/*
 * The next chunk, with one reference for the caller. -EAGAIN: none now; -ENOBUFS: see above;
 * -ESHUTDOWN: stopped, and all was taken. Never waits.
 */
int rings__take(struct rings *r, struct ring_chunk **out);

/* The record at *pos, which moves on; NULL at the end. */
const struct perf_event_header *ring_chunk__next(const struct ring_chunk *c, size_t *pos);
void ring_chunk__put(struct ring_chunk *c);

/*
 * True while much of the arena is in use, because the reader is too slow. For the reader's thread.
 */
bool rings__backlogged(struct rings *r);

/* Asks the drain to read the overwritten ring buffers. */
void rings__snapshot(struct rings *r);

/* True once every event has hung up: the recorded tasks are gone. */
bool rings__hung_up(struct rings *r);

/* Tells the thread to read what is left and end; the events should be disabled before. */
void rings__stop(struct rings *r);

/* Once rings__take() said -ESHUTDOWN. */
void rings__stats(struct rings *r, struct rings_stats *out);

/* Ends the thread. Chunks that are still referenced go too. */
void rings__free(struct rings *r);

#endif
