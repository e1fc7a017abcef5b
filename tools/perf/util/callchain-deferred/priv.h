/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of the matcher: callchain-deferred.c keeps the index and finds matches,
 * whose entries lie in callchain-deferred/list.c; callchain-deferred/reason.c says why there is
 * none; callchain-deferred/stream.c does all for what can be read only once.
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
 * A point in the recording: by time, or by place in the file where there are no times. The
 * records of a file are in one mapping, so the header's address is the place.
 */
struct moment {
	u64 time;
	uintptr_t place;
};

typedef VEC(struct moment) moments;

/*
 * One CALLCHAIN_DEFERRED record: all that an answer says, so that the record, which is in no cache,
 * is touched by nobody but who looks at its addresses. Records lie at multiples of 8.
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
 * Those of a thread, in the order of time once they are sealed, lie in blocks: a small one for the
 * many threads that have few, then larger ones. A thread that sleeps long is met with none of its
 * lines in the cache; to step to its next entry takes one.
 */
struct index_block {
	u32 next, prev;  /* in units from 1; 0: none */
	u32 nr;          /* entries; of the last block only when it is sealed */
	struct index_entry v[]; /* and the end behind them */
};

/* Where an entry is; .block 0 is the place behind the last one. */
struct index_pos {
	u32 block, i;
};

/*
 * What is known of a tid over the whole recording, as large as a line of the cache. First its
 * entries: while noting, .at is behind the last one, in the last block; then it is the first one
 * behind the moment that was asked for last.
 */
struct task {
	u32 tid;
	u32 first, last;         /* blocks */
	struct index_pos at;
	u8 room;                 /* entries that the last block can still take */
	bool unsorted : 1;       /* times go back */
	bool has_life : 1;       /* see deferred.lives */
	bool seen : 1;           /* in a sample behind its last record, with .last_cookie */
	bool unread : 1;         /* likewise, but the cookie was not looked at yet */
	bool recorded : 1;       /* what came last was a record: no sample is behind it */
	u16 last_tag;            /* of the entry noted last, which is not in the cache */
	u64 last_time;           /* likewise; then of what was asked for last */
	/*
	 * The last cookie that samples show behind its last record; when; and the first one that
	 * shows it, by the place of its cookie.
	 */
	u64 last_cookie, last_seen;
	struct moment last_cookie_since;
};
_Static_assert(sizeof(struct task) == 64, "the size of a line");

/* When a tid was given to a thread, and when that exited. */
struct life {
	moments born, exited;
};

/* A stretch in which a buffer dropped something. */
struct loss {
	u64 from, to;
};

struct deferred {
	struct big_array units;  /* what blocks of entries are made of */
	struct big_array tasks;  /* struct task */
	struct index by_tid;     /* of them */
	u32 task_noted;          /* the number of the last one from 1: often the next one, too */
	struct map64 lives;      /* tid -> struct life */
	struct map64 execs;      /* pid -> moments */
	VEC(struct loss) losses; /* after sealing: disjoint, in time order */
	u64 time_before;         /* of the record before the one in hand, in file order */
	u64 steps, asked;        /* of all look-ups; see MAX_STEPS */
	u64 nr_entries, used;
	bool sealed;
	struct deferred_stats stats;
};

static inline struct moment moment_of(const struct record *rec)
{
	return (struct moment){ .time = rec->time, .place = (uintptr_t)rec->hdr };
}

static inline struct moment entry__moment(const struct index_entry *e)
{
	return (struct moment){ .time = e->time, .place = (uintptr_t)e->place8 * 8 };
}

/* <0, 0, >0 as @a is before, at or after @b. */
static inline int moment_cmp(const struct moment *a, const struct moment *b)
{
	if (a->time != NO_TIME && b->time != NO_TIME && a->time != b->time)
		return compare_of(a->time, b->time);
	return compare_of(a->place, b->place);
}

/* callchain-deferred/list.c */

#define ENTRY_UNIT 64 /* bytes: a line, and the size of the smallest block */

static inline struct index_block *index_block(const struct deferred *d, u32 nr)
{
	return (struct index_block *)((u8 *)d->units.v + (size_t)(nr - 1) * ENTRY_UNIT);
}

/* NULL behind the last one. */
static inline struct index_entry *entry_at(const struct deferred *d, struct index_pos pos)
{
	return pos.block ? &index_block(d, pos.block)->v[pos.i] : NULL;
}

/* Behind the last one follows the end; in front of the first one the end, too. */
static inline struct index_pos entry_next(const struct deferred *d, struct index_pos pos)
{
	const struct index_block *b = index_block(d, pos.block);

	return b->v[++pos.i].place8 ? pos : (struct index_pos){ b->next, 0 };
}

static inline struct index_pos entry_prev(const struct deferred *d, const struct task *t,
					  struct index_pos pos)
{
	if (pos.block && pos.i)
		return (struct index_pos){ pos.block, pos.i - 1 };
	pos.block = pos.block ? index_block(d, pos.block)->prev : t->last;
	pos.i = pos.block ? index_block(d, pos.block)->nr - 1 : 0;
	return pos;
}

/* So that few cookies have to be compared. */
static inline u16 cookie_tag(u64 cookie)
{
	return cookie >> 32 ^ cookie;
}

/* False when it says the same as the last one, or when there is no room for more. */
bool task__add_entry(struct deferred *d, struct task *t, const struct index_entry *new);

/* Puts them in order, and .at to the first one; returns how many duplicates it took out. */
u64 task__seal(struct deferred *d, struct task *t);

/* What the record of an entry says. It was checked when it was noted. */
static inline struct deferred_record entry__record(const struct index_entry *e)
{
	const struct perf_event_header *hdr = (const void *)((uintptr_t)e->place8 * 8);

	return (struct deferred_record){ e->cookie, (const u64 *)(hdr + 1) + 2, e->nr };
}

/* Threads that were made one after the other share a line of the index. */
static inline u64 deferred__hash_tid(u32 tid)
{
	return hash_u64(tid / 8) << 3 | tid % 8;
}

/* callchain-deferred/reason.c */

void deferred__note_loss(struct deferred *d, const struct record *rec);
void deferred__seal_reasons(struct deferred *d);

/* Is one of @m (which may be NULL) between the two, whichever is the first? */
bool moments__any_between(const moments *m, const struct moment *a, const struct moment *b);

/*
 * Why there is no record for a sample of @t (NULL: nothing is known) at @when. @record: the
 * first one of the thread that follows, or NULL. Design document, "Reasons".
 */
enum deferred_result deferred__why_missing(const struct deferred *d, const struct task *t,
					   const struct life *lives, const struct moment *record,
					   const moments *execs, const struct moment *when,
					   u64 cookie);

#endif
