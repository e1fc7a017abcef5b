// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/log.h"
#include "callchain-deferred/priv.h"

/* Bytes of entries beyond which they go to a temporary file: 8 million records. */
#define MAX_MEMORY (200UL << 20)

/*
 * Samples are looked up in the order of time, so the position in a thread's list moves forward, by
 * less than one step for each sample and record. So many steps in all are far more than that takes.
 * In a file whose times make the position move back and forth, nothing is matched beyond them.
 */
#define MAX_STEPS(d) (16 * ((d)->nr_entries + (d)->asked) + 1000)

const char *deferred_result__name(enum deferred_result r)
{
	static const char *const names[DEFERRED_NR] = {
		[DEFERRED_NOT] = "not deferred",
		[DEFERRED_MATCHED] = "matched",
		[DEFERRED_LATE] = "late",
		[DEFERRED_ASLEEP] = "read while asleep",
		[DEFERRED_EXEC] = "exec",
		[DEFERRED_EXITED] = "exited",
		[DEFERRED_LOST] = "lost",
		[DEFERRED_IN_KERNEL] = "in kernel at end",
		[DEFERRED_NO_COOKIE] = "no cookie",
		[DEFERRED_NO_RECORD] = "no record",
		[DEFERRED_PASSED] = "passed unmerged",
	};

	return r < DEFERRED_NR ? names[r] : "?";
}

struct deferred_split deferred__split(const u64 *chain, u64 nr)
{
	struct deferred_split s = { .nr_kept = nr };

	/* The marker is the last entry but one, or the last when the cookie had no room. */
	for (u64 i = nr; i-- > 0;) {
		if (chain[i] != ABI_CONTEXT_USER_DEFERRED)
			continue;
		s.marked = true;
		s.nr_kept = i;
		s.cookie_known = i + 1 < nr;
		s.cookie = s.cookie_known ? chain[i + 1] : 0;
		break;
	}
	return s;
}

struct deferred *deferred__new(void)
{
	struct deferred *d = xzalloc(sizeof(*d));

	d->time_before = NO_TIME;
	big_array__init(&d->units, ENTRY_UNIT, MAX_MEMORY);
	big_array__init(&d->tasks, sizeof(struct task), MAX_MEMORY);
	return d;
}

void deferred__free(struct deferred *d)
{
	if (!d)
		return;
	map64__for_each(&d->lives, slot) {
		struct life *life = slot->value;

		vec__free(&life->born);
		vec__free(&life->exited);
		free(life);
	}
	map64__free(&d->lives);
	map64__for_each(&d->execs, slot) {
		moments *m = slot->value;

		vec__free(m);
		free(m);
	}
	map64__free(&d->execs);
	vec__free(&d->losses);
	index__free(&d->by_tid);
	big_array__free(&d->tasks);
	big_array__free(&d->units);
	free(d);
}

/* Returns the task of a tid; NULL when it has no records. */
static inline struct task *task__find(const struct deferred *d, u32 tid)
{
	const struct index *idx = &d->by_tid;
	struct index_probe p;

	for (u32 i = index__first(idx, deferred__hash_tid(tid), &p); i; i = index__next(idx, &p)) {
		struct task *t = (struct task *)d->tasks.v + i - 1;

		if (t->tid == tid)
			return t;
	}
	return NULL;
}

/* Makes the task of a tid. Valid until the next one is made. */
static struct task *task__make(struct deferred *d, u32 tid)
{
	struct task *t = task__find(d, tid);

	if (!t) {
		t = big_array__push(&d->tasks);
		*t = (struct task){ .tid = tid };
		index__add(&d->by_tid, deferred__hash_tid(tid), d->tasks.nr);
	}
	d->task_noted = t - (struct task *)d->tasks.v + 1;
	return t;
}

static inline struct task *task__get(struct deferred *d, u32 tid)
{
	u32 nr = d->task_noted;
	struct task *t = nr ? (struct task *)d->tasks.v + (nr - 1) : NULL;

	return t && t->tid == tid ? t : task__make(d, tid);
}

static int note_deferred(struct deferred *d, const struct record *rec)
{
	struct deferred_record r;
	int err = record__deferred(rec, &r);
	struct task *t;

	if (err)
		return err;
	d->stats.records++;
	t = task__get(d, rec->tid);
	if (rec->time >= t->last_seen) {
		t->seen = t->unread = false;
		t->recorded = true;
	}
	if (!task__add_entry(d, t, &(struct index_entry){
			.time = rec->time,
			.place8 = (uintptr_t)rec->hdr / 8,
			.cookie = r.cookie,
			.nr = r.nr,
	    }))
		d->stats.duplicates++;
	return 0;
}

static int note_comm(struct deferred *d, const struct record *rec)
{
	struct comm_record comm;
	int err = record__comm(rec, &comm);
	moments *execs;

	if (err || !comm.exec)
		return err;
	execs = map64__get(&d->execs, comm.pid);
	if (!execs) {
		execs = xzalloc(sizeof(*execs));
		map64__set(&d->execs, comm.pid, execs);
	}
	*vec__push(execs) = moment_of(rec);
	return 0;
}

static int note_task(struct deferred *d, const struct record *rec)
{
	struct task_record task;
	int err = record__task(rec, &task);
	struct life *life;

	if (err)
		return err;
	life = map64__get(&d->lives, task.tid);
	if (!life) {
		life = xzalloc(sizeof(*life));
		map64__set(&d->lives, task.tid, life);
		task__get(d, task.tid)->has_life = true;
	}
	if (rec->hdr->type == PERF_RECORD_FORK)
		*vec__push(&life->born) = moment_of(rec);
	else
		*vec__push(&life->exited) = moment_of(rec);
	return 0;
}

/* Reads the cookie, the last entry of a chain that ends at @place. False: there is none. */
static bool read_cookie(uintptr_t place, u64 *cookie)
{
	const u64 *entry = (const u64 *)place;

	*cookie = entry[0];
	return entry[-1] == ABI_CONTEXT_USER_DEFERRED;
}

/*
 * Samples tell until when a thread is known to have returned to user mode, with or without a
 * record. Samples with a record behind them do not matter, so the end of a chain, which takes a
 * cache line, is not read before the next sample comes.
 */
static void task__note_sample(struct task *t, const struct moment *now)
{
	u64 cookie;

	if (now->time != NO_TIME && t->last_seen != NO_TIME && now->time < t->last_seen)
		return;
	t->last_seen = now->time;
	if (t->recorded) {
		t->recorded = false;
		t->unread = true;
		t->last_cookie_since = *now;
		return;
	}
	if (t->unread)
		t->seen = read_cookie(t->last_cookie_since.place, &t->last_cookie);
	t->unread = false;
	if (!read_cookie(now->place, &cookie) || (t->seen && cookie == t->last_cookie))
		return;
	t->last_cookie = cookie;
	t->last_cookie_since = *now;
	t->seen = true;
}

static int note_sample(struct deferred *d, const struct record *rec)
{
	struct moment now = { .time = rec->time };
	const u64 *chain;
	u64 nr;
	int err;

	if (!rec->event || !attr__test_bit(&rec->event->attr, ATTR_BIT_DEFER_CALLCHAIN))
		return 0;
	err = sample__chain(rec, &chain, &nr);
	if (err || nr < 2)
		return err;
	now.place = (uintptr_t)(chain + nr - 1);
	task__note_sample(task__get(d, rec->tid), &now);
	return 0;
}

/*
 * Records are taken in the order of memory; the reader and the matcher read a few cache lines of
 * each. (Prefetching an address that is not mapped does no harm.)
 */
static void fetch_stream(const struct record *rec)
{
	for (int line = 16; line < 19; line++)
		__builtin_prefetch((const u8 *)rec->hdr + 64 * line);
}

int deferred__note(struct deferred *d, const struct record *rec)
{
	int err = 0;

	BUG_ON(d->sealed);
	fetch_stream(rec);
	switch (rec->hdr->type) {
	case PERF_RECORD_SAMPLE:
		err = note_sample(d, rec);
		break;
	case ABI_RECORD_CALLCHAIN_DEFERRED:
		err = note_deferred(d, rec);
		break;
	case PERF_RECORD_COMM:
		err = note_comm(d, rec);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		err = note_task(d, rec);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		deferred__note_loss(d, rec);
		break;
	default:
		break;
	}
	if (rec->time != NO_TIME)
		d->time_before = rec->time;
	return err;
}

void deferred__seal(struct deferred *d)
{
	for (size_t i = 0; i < d->tasks.nr; i++) {
		struct task *t = (struct task *)d->tasks.v + i;

		if (t->unread)
			t->seen = read_cookie(t->last_cookie_since.place, &t->last_cookie);
		d->stats.duplicates += task__seal(d, t);
	}
	deferred__seal_reasons(d);
	d->sealed = true;
}

/*
 * Moves t->at, from where it is, to the first entry after @when. Entries before it are not read
 * when time has advanced.
 */
static void go_to(struct deferred *d, struct task *t, const struct moment *when)
{
	const struct index_entry *e;
	struct index_pos pos;
	struct moment at;

	while (when->time == NO_TIME || when->time <= t->last_time) {
		pos = entry_prev(d, t, t->at);
		e = entry_at(d, pos);
		if (!e)
			break;
		at = entry__moment(e);
		if (moment_cmp(&at, when) <= 0 || d->steps++ > MAX_STEPS(d))
			break;
		t->at = pos;
	}
	while ((e = entry_at(d, t->at))) {
		at = entry__moment(e);
		if (moment_cmp(&at, when) > 0 || d->steps++ > MAX_STEPS(d))
			break;
		t->at = entry_next(d, t->at);
	}
	t->last_time = when->time;
}

/* A query, and what was found on the way. */
struct query {
	const struct task *task;
	const struct life *life; /* NULL: nothing is known of it */
	const moments *execs;
	struct moment when;
	u64 cookie;
	bool exec_between; /* there was a record, but of the program after or before an exec */
};

static bool answers(struct query *q, const struct index_entry *e)
{
	struct moment at;

	if (e->cookie != q->cookie)
		return false;
	at = entry__moment(e);
	if (q->life && moments__any_between(&q->life->born, &q->when, &at))
		return false;
	if (!q->execs || !moments__any_between(q->execs, &q->when, &at))
		return true;
	q->exec_between = true;
	return false;
}

/*
 * Returns the nearest entry in the list that matches the query. Mostly it is the next one; when a
 * thread is sampled on its way out of the kernel, after its record was written, it is the previous
 * one.
 */
static struct index_entry *find_entry(struct deferred *d, struct query *q)
{
	struct index_pos after = q->task->at, before = entry_prev(d, q->task, after);

	for (int i = 0; i < DEFERRED_WINDOW && (after.block || before.block); i++) {
		if (after.block && answers(q, entry_at(d, after)))
			return entry_at(d, after);
		if (before.block && answers(q, entry_at(d, before)))
			return entry_at(d, before);
		if (after.block)
			after = entry_next(d, after);
		if (before.block)
			before = entry_prev(d, q->task, before);
	}
	return NULL;
}

static enum deferred_result find_match(struct deferred *d, const struct record *sample, u64 cookie,
				       struct deferred_record *out)
{
	struct task *t = task__find(d, sample->tid);
	struct query q = {
		.task = t,
		.life = t && t->has_life ? map64__get(&d->lives, t->tid) : NULL,
		.execs = d->execs.nr ? map64__get(&d->execs, sample->pid) : NULL,
		.when = moment_of(sample),
		.cookie = cookie,
	};
	struct moment at = {};
	struct index_entry *e = NULL;

	d->asked++;
	if (t) {
		go_to(d, t, &q.when);
		e = find_entry(d, &q);
	}
	if (e) {
		__builtin_prefetch(e + 2); /* for the thread's next sample */
		__builtin_prefetch(e + 5);
		*out = entry__record(e);
		at = entry__moment(e);
		d->used += !e->used;
		e->used = 1;
		return moment_cmp(&at, &q.when) < 0 ? DEFERRED_LATE : DEFERRED_MATCHED;
	}
	if (q.exec_between)
		return DEFERRED_EXEC;
	if (t)
		e = entry_at(d, t->at);
	if (e)
		at = entry__moment(e);
	return deferred__why_missing(d, t, q.life, e ? &at : NULL, q.execs, &q.when, cookie);
}

enum deferred_result deferred__match(struct deferred *d, const struct record *sample,
				     const struct deferred_split *split,
				     struct deferred_record *out)
{
	enum deferred_result r = DEFERRED_NO_COOKIE;

	BUG_ON(!d->sealed || !split->marked);
	if (split->cookie_known)
		r = find_match(d, sample, split->cookie, out);
	d->stats.answers[r]++;
	return r;
}

struct deferred_stats deferred__stats(const struct deferred *d)
{
	struct deferred_stats stats = d->stats;

	stats.unused = stats.records - stats.duplicates - d->used;
	return stats;
}
