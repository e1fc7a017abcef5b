/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drain: a thread that only copies records out of the ring buffers, without the unused bytes of
 * stack copies, and gives their room back to the kernel at once.
 *
 * The copies go into chunks of a bounded arena. The reader takes chunks in the order in which they
 * were filled; a chunk returns to the arena when its last reference is put. The reader should call
 * rings__backlogged() and do less while it is true: when the arena is full, the drain waits, the
 * rings fill up, and the kernel drops records, which it counts in LOST records. The drain goes on
 * when the reader puts chunks: rings__take() returns -ENOBUFS when it waits and there is nothing to
 * take.
 *
 * Rings that the kernel overwrites are read when a snapshot is asked for, and at the end. Records
 * of the other rings are held back until then, as far as the arena has room, so that the reader
 * gets all of them in the order of time.
 *
 * What a BPF program writes in front of a sample becomes side data of the sample (ring-side.h).
 *
 * A pass over all rings is a round: records that were in a ring when a round ended are older than
 * all records of the rounds after the next one.
 */
#ifndef PERF_LIVE_RINGS_H
#define PERF_LIVE_RINGS_H

#include "../data/record.h"
#include "affinity.h"
#include "event-set.h"
#include "ring-side.h"

struct rings;

struct ring_chunk {
	struct rings *rings;     /* the chunk belongs to these */
	struct ring_chunk *next; /* internal */
	u64 refs;                /* the reader's thread only */
	size_t used;
	u64 pass;                /* that has written its last record; from 1 */
	bool round_ended;        /* behind the last record of this chunk */
	bool snapshot_ended;     /* the same: a snapshot, and two rounds */
	u8 data[] __attribute__((aligned(16)));
};

struct rings_opts {
	struct event_set *set;
	const struct recording *recording; /* tells where the parts of a sample lie */
	size_t arena_bytes;                /* bound of all chunks; 0: by the size of the rings */
	u32 priority;                      /* of SCHED_FIFO; 0: 1, or what is allowed instead */
	enum affinity_mode affinity;       /* of the thread, while it reads a ring */
	u64 flush_bytes;                   /* a pass waits for so many in a ring, or a second */
	int ready_fd;                      /* eventfd to write to when there is a chunk */
	u32 haste_ms;                      /* so long as after rings__make_haste(); 0: not */
	struct ring_side_opts side;        /* .kind 0, .add NULL: samples have no side data */
};

struct rings_stats {
	u64 drains;      /* passes over all rings; some of them are put together into one round */
	u64 wakeups;     /* passes that found something */
	u64 rounds, records;
	u64 bytes;       /* read from the rings */
	u64 copied;      /* of them: without the room that stack copies left unused */
	u64 stalls;      /* the arena was full */
	u64 peak, arena; /* bytes: most that was in use of the arena, and its bound */
	struct ring_side_stats side;
};

/*
 * Starts the thread.
 * @out: for rings__free()
 * @opts: copied; the set and the recording are borrowed
 * Returns: 0, or -errno with words.
 */
int rings__start(struct rings **out, const struct rings_opts *opts, struct error *err);

/*
 * Takes the next chunk. Never waits.
 * @out: the chunk, with one reference for the caller
 * Returns: 0; -EAGAIN: none now; -ENOBUFS: see above; -ESHUTDOWN: stopped, and all was taken.
 */
int rings__take(struct rings *r, struct ring_chunk **out);

/* Returns: the record at *@pos, which moves on; NULL at the end of the chunk. */
const struct perf_event_header *ring_chunk__next(const struct ring_chunk *c, size_t *pos);

/* Drops a reference; the last one gives the chunk back to the arena. */
void ring_chunk__put(struct ring_chunk *c);

/*
 * For the reader's thread. Returns true while much of the arena is in use, because the reader is
 * too slow.
 */
bool rings__backlogged(struct rings *r);

/*
 * Has the drain read the rings of another set, too: one of event_set__open_late(), whose events are
 * enabled afterwards. Its records get the ids that the first set has.
 * @late: borrowed until rings__free()
 */
void rings__add(struct rings *r, struct event_set *late);

/* Asks the drain for a pass now. */
void rings__pass(struct rings *r);

/* Asks the drain for a pass each 5 ms, for @ms milliseconds from now on. */
void rings__make_haste(struct rings *r, u32 ms);

/*
 * Returns: how many passes have begun. Those with higher numbers (struct ring_chunk) find all that
 *         was in the rings before the call.
 */
u64 rings__passes(struct rings *r);

/* Asks the drain to read the overwritten ring buffers. */
void rings__snapshot(struct rings *r);

/* Returns: true once every event has hung up: the recorded tasks have ended. */
bool rings__hung_up(struct rings *r);

/* Tells the thread to read what is left and to end. The events should be disabled before. */
void rings__stop(struct rings *r);

/* Reads the counts, once rings__take() has returned -ESHUTDOWN. */
void rings__stats(struct rings *r, struct rings_stats *out);

/* Ends the thread, and frees all chunks, also those that are still referenced. @r may be NULL. */
void rings__free(struct rings *r);

#endif
