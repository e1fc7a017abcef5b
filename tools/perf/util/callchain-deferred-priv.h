/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of the matcher: callchain-deferred.c keeps the index and finds matches,
 * callchain-deferred-reason.c says why there is none; callchain-deferred-stream.c does both for
 * what can be read only once.
 */
#ifndef PERF_CALLCHAIN_DEFERRED_PRIV_H
#define PERF_CALLCHAIN_DEFERRED_PRIV_H

#include "callchain-deferred.h"
#include "data/big-array.h"

/*
 * How far from a sample its record may be in the list of its thread's records: clocks of CPUs
 * differ a little, so that a thread that moves can have a few of them in the wrong order.
 */
#define DEFERRED_WINDOW 16

/*
 * A point in the recording: by time, or by place in the file where there are no times. All
 * records of a recording are in one mapping, so the header's address is the place.
 */
struct moment {
	u64 time;
	uintptr_t place;
};

typedef VEC(struct moment) moments;

/*
 * One CALLCHAIN_DEFERRED record. Those of a thread form a list, in the order of time once it is
 * sealed. What else it says is read where it is, in the file.
 */
struct entry {
	u64 time;
	u64 place : 48;  /* address of the record: user space ends at 2^47 */
	u64 tag : 16;    /* part of the hash of the cookie, so that few other records are read */
	u32 next;        /* number of the entry, from 1; 0: none */
	u32 prev : 31;
	u32 used : 1;
};
_Static_assert(sizeof(struct entry) == 24, "what the index costs for each record");

/* What is known of a tid over the whole recording. */
struct task {
	u32 first, last;         /* entries */
	u32 after;               /* the first entry behind the moment that was asked for last */
	bool unsorted;           /* before sealing: times go back in the list */
	bool seen;
	moments born, exited;
	/* The last cookie that its samples show, and the first sample that shows it. */
	u64 last_cookie;
	struct moment last_seen, last_cookie_since;
};

/* A stretch in which a buffer dropped something. */
struct loss {
	u64 from, to;
};

#define RECENT_TASKS 256

struct deferred {
	struct big_array entries; /* struct entry */
	struct map64 tasks;      /* tid -> struct task */
	struct { u32 tid; struct task *task; } recent[RECENT_TASKS]; /* a few of them */
	struct map64 execs;      /* pid -> moments */
	VEC(struct loss) losses; /* after sealing: disjoint, in time order */
	u64 time_before;         /* of the record before the one in hand, in file order */
	u64 steps, asked;        /* of all look-ups; see MAX_STEPS */
	u64 used;                /* entries */
	bool sealed;
	struct deferred_stats stats;
};

static inline struct moment moment_of(const struct record *rec)
{
	return (struct moment){ .time = rec->time, .place = (uintptr_t)rec->hdr };
}

static inline struct moment entry__moment(const struct entry *e)
{
	return (struct moment){ .time = e->time, .place = (uintptr_t)e->place };
}

/* <0, 0, >0 as @a is before, at or after @b. */
static inline int moment_cmp(const struct moment *a, const struct moment *b)
{
	if (a->time != NO_TIME && b->time != NO_TIME && a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* callchain-deferred-reason.c */

void deferred__note_loss(struct deferred *d, const struct record *rec);
void deferred__seal_reasons(struct deferred *d);
void moments__sort(moments *m);

/* Is one of @m (which may be NULL) between the two, whichever is the first? */
bool moments__any_between(const moments *m, const struct moment *a, const struct moment *b);

/*
 * Why there is no record for a sample of @t (NULL: nothing is known) at @when. @record: the
 * first one of the thread that follows, or NULL. Design document, "Reasons".
 */
enum deferred_result deferred__why_missing(const struct deferred *d, const struct task *t,
					   const struct moment *record, const moments *execs,
					   const struct moment *when, u64 cookie);

#endif
