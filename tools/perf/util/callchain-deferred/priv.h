/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of the matcher. ../callchain-deferred.c takes records and finds matches, list.c keeps
 * the index of deferred records, reason.c finds out why there is no match. stream.c is the matcher
 * for recordings that can be read only once.
 */
#ifndef PERF_CALLCHAIN_DEFERRED_PRIV_H
#define PERF_CALLCHAIN_DEFERRED_PRIV_H

#include "../base/hash.h"
#include "../base/index.h"
#include "../callchain-deferred.h"
#include "../io/big-array.h"

/*
 * How far from a sample its record may be in the list of its thread's records: clocks of CPUs
 * differ a little, so that a thread that moves can have a few of them in the wrong order.
 */
#define DEFERRED_WINDOW 16

/*
 * A point in the recording: a time, or without times a place in the file. The records of a file are
 * in one mapping, so the header's address is the place.
 */
struct moment {
	u64 time;
	uintptr_t place;
};

typedef VEC(struct moment) moments;

/*
 * One CALLCHAIN_DEFERRED record: all that a match needs. So the record itself, which is in no
 * cache, is read only for its addresses. Records are at multiples of 8.
 */
struct index_entry {
	u64 time;
	u64 cookie;
	u64 place8 : 47; /* address of the record, in units of 8 bytes; 0: the end of a block */
	u64 used : 1;
	u64 nr : 16;     /* addresses in it */
};
_Static_assert(sizeof(struct index_entry) == 24, "what the index costs for each record");

/*
 * The entries of a thread, in the order of time once they are sealed, are in blocks: a small one
 * for the many threads that have few, then larger ones. When a thread has slept for long, none of
 * its lines are in the cache; the step to its next entry takes only one.
 */
struct index_block {
	u32 next, prev;  /* in units from 1; 0: none */
	u32 nr;          /* entries; of the last block only when it is sealed */
	struct index_entry v[]; /* with an end marker behind them */
};

/* The position of an entry; .block 0: behind the last one. */
struct index_pos {
	u32 block, i;
};

/*
 * What is known of a tid over the whole recording, in one cache line. Its entries come first: in
 * the first pass .at is behind the last one, in the last block; then it is the first one behind the
 * moment that was asked for last.
 */
struct task {
	u32 tid;
	u32 first, last;         /* blocks */
	struct index_pos at;
	u8 room;                 /* entries that the last block can still take */
	bool unsorted : 1;       /* its entries are not in the order of time */
	bool has_life : 1;       /* see deferred.lives */
	bool seen : 1;           /* in a sample behind its last record, with .last_cookie */
	bool unread : 1;         /* the same, but .last_cookie is not read yet */
	bool recorded : 1;       /* a deferred record came last: no sample is behind it */
	u16 last_tag;            /* of the entry added last, which is not in the cache */
	u64 last_time;           /* the same; in the second pass of the last query */
	/*
	 * The last cookie of samples behind its last record, the time of the last such sample, and
	 * the first such sample, whose .place is that of its cookie.
	 */
	u64 last_cookie, last_seen;
	struct moment last_cookie_since;
};
_Static_assert(sizeof(struct task) == 64, "the size of a line");

/* When threads with a tid were created, and when they exited. */
struct life {
	moments born, exited;
};

/* A time span in which a buffer dropped records. */
struct loss {
	u64 from, to;
};

struct deferred {
	struct big_array units;  /* the memory of blocks, ENTRY_UNIT bytes each */
	struct big_array tasks;  /* struct task */
	struct index by_tid;     /* of .tasks */
	u32 task_noted;          /* task of the last record, from 1: often of the next one */
	struct map64 lives;      /* tid -> struct life */
	struct map64 execs;      /* pid -> moments */
	VEC(struct loss) losses; /* after sealing: disjoint, in time order */
	u64 time_before;         /* of the previous record, in file order */
	u64 steps, asked;        /* of all queries, and their number; see MAX_STEPS */
	u64 nr_entries, used;
	bool sealed;
	struct deferred_stats stats;
};

/* Returns: when the record was written. */
static inline struct moment moment_of(const struct record *rec)
{
	return (struct moment){ .time = rec->time, .place = (uintptr_t)rec->hdr };
}

/* Returns: when the record of the entry was written. */
static inline struct moment entry__moment(const struct index_entry *e)
{
	return (struct moment){ .time = e->time, .place = (uintptr_t)e->place8 * 8 };
}

/* Returns: <0, 0, >0 as @a is before, at or after @b. */
static inline int moment_cmp(const struct moment *a, const struct moment *b)
{
	if (a->time != NO_TIME && b->time != NO_TIME && a->time != b->time)
		return compare_of(a->time, b->time);
	return compare_of(a->place, b->place);
}

/* callchain-deferred/list.c */

#define ENTRY_UNIT 64 /* bytes: a line, and the size of the smallest block */

/* Returns: the block that begins at unit number @nr, from 1. */
static inline struct index_block *index_block(const struct deferred *d, u32 nr)
{
	return (struct index_block *)((u8 *)d->units.v + (size_t)(nr - 1) * ENTRY_UNIT);
}

/* Returns: the entry at a position; NULL behind the last one. */
static inline struct index_entry *entry_at(const struct deferred *d, struct index_pos pos)
{
	return pos.block ? &index_block(d, pos.block)->v[pos.i] : NULL;
}

/* Returns: the next position; behind the last entry .block is 0. */
static inline struct index_pos entry_next(const struct deferred *d, struct index_pos pos)
{
	const struct index_block *b = index_block(d, pos.block);

	return b->v[++pos.i].place8 ? pos : (struct index_pos){ b->next, 0 };
}

/*
 * Returns: the position before, from the end that of the last entry; before the first entry .block
 *         is 0.
 */
static inline struct index_pos entry_prev(const struct deferred *d, const struct task *t,
					  struct index_pos pos)
{
	if (pos.block && pos.i)
		return (struct index_pos){ pos.block, pos.i - 1 };
	pos.block = pos.block ? index_block(d, pos.block)->prev : t->last;
	pos.i = pos.block ? index_block(d, pos.block)->nr - 1 : 0;
	return pos;
}

/* Returns: some bits of @cookie, so that few cookies have to be compared. */
static inline u16 cookie_tag(u64 cookie)
{
	return cookie >> 32 ^ cookie;
}

/*
 * Appends an entry to those of a thread.
 * Returns: false when it says the same as the last one, or when there is no room for more.
 */
bool task__add_entry(struct deferred *d, struct task *t, const struct index_entry *new);

/*
 * Sorts the entries of a thread, and sets .at to the first one. Returns the number of duplicates
 * that were removed.
 */
u64 task__seal(struct deferred *d, struct task *t);

/* Returns: the contents of the record of an entry. They were checked when it was noted. */
static inline struct deferred_record entry__record(const struct index_entry *e)
{
	const struct perf_event_header *hdr = (const void *)((uintptr_t)e->place8 * 8);

	return (struct deferred_record){ e->cookie, (const u64 *)(hdr + 1) + 2, e->nr };
}

/*
 * Returns: a hash of @tid that puts threads which were made one after the other into one cache line
 *         of the index.
 */
static inline u64 deferred__hash_tid(u32 tid)
{
	return hash_u64(tid / 8) << 3 | tid % 8;
}

/* callchain-deferred/reason.c */

/* First pass: takes a LOST or LOST_SAMPLES record. */
void deferred__note_loss(struct deferred *d, const struct record *rec);

/* Ends the first pass. */
void deferred__seal_reasons(struct deferred *d);

/*
 * @m: sorted; may be NULL
 * Returns: whether one of @m is between @a and @b, whichever of these is the first.
 */
bool moments__any_between(const moments *m, const struct moment *a, const struct moment *b);

/*
 * Explains why there is no record for a sample: Documentation/design/callchain-deferred.md,
 * "Reasons".
 * @t: its thread; NULL: nothing is known of it
 * @lives: when its tid was given to threads, and when these exited; or NULL
 * @record: the first record of the thread that follows; or NULL
 * @execs: of its process; or NULL
 * @when: the sample's time
 * @cookie: the sample's
 * Returns: the reason.
 */
enum deferred_result deferred__why_missing(const struct deferred *d, const struct task *t,
					   const struct life *lives, const struct moment *record,
					   const moments *execs, const struct moment *when,
					   u64 cookie);

#endif
