// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "callchain-deferred.h"

/*
 * One CALLCHAIN_DEFERRED record. Entries of one key form a list in file order: more than one is
 * rare (a cookie that repeats after a wrap of its 32-bit counter, or after a reboot in a
 * concatenated file).
 */
struct entry {
	u64 cookie;
	u64 time;
	const struct perf_event_header *hdr;
	u32 tid;
	u32 next : 31; /* index + 1 of the next entry of this key; 0: none */
	u32 used : 1;
};

/* More different records of one key than any real recording has: a hostile file. */
#define MAX_PER_KEY 8

/*
 * A point in the recording: by time, or by place in the file where there are no times. All
 * records of a recording are in one mapping, so the header's address is the place.
 */
struct moment {
	u64 time;
	uintptr_t place;
};

typedef VEC(struct moment) moments;

/* What is known of a tid over the whole recording. */
struct task {
	moments born, exited;
	moments records;         /* CALLCHAIN_DEFERRED records of it */
	/* The last cookie that its samples show, and the first sample that shows it. */
	u64 last_cookie;
	struct moment last_seen, last_cookie_since;
	bool seen;
};

/* A stretch in which a buffer dropped something. */
struct loss {
	u64 from, to;
};

struct deferred {
	VEC(struct entry) entries;
	u32 *slots;              /* open addressing: index + 1 of the first entry of a key */
	size_t max_slots;
	size_t nr_keys;
	struct map64 tasks;      /* tid -> struct task */
	struct map64 execs;      /* pid -> moments */
	VEC(struct loss) losses; /* after sealing: disjoint, in time order */
	u64 time_before;         /* of the record before the one in hand, in file order */
	bool sealed;
	struct deferred_stats stats;
};

const char *deferred_result__name(enum deferred_result r)
{
	static const char *const names[DEFERRED_NR] = {
		[DEFERRED_NOT] = "not deferred",
		[DEFERRED_MATCHED] = "matched",
		[DEFERRED_LATE] = "late",
		[DEFERRED_EXEC] = "exec",
		[DEFERRED_EXITED] = "exited",
		[DEFERRED_LOST] = "lost",
		[DEFERRED_IN_KERNEL] = "in kernel at end",
		[DEFERRED_NO_COOKIE] = "no cookie",
		[DEFERRED_NO_RECORD] = "no record",
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
	return d;
}

static void free_tasks(struct map64 *tasks)
{
	map64__for_each(tasks, slot) {
		struct task *t = slot->value;

		vec__free(&t->born);
		vec__free(&t->exited);
		vec__free(&t->records);
		free(t);
	}
	map64__free(tasks);
}

void deferred__free(struct deferred *d)
{
	if (!d)
		return;
	free_tasks(&d->tasks);
	map64__for_each(&d->execs, slot) {
		moments *m = slot->value;

		vec__free(m);
		free(m);
	}
	map64__free(&d->execs);
	vec__free(&d->losses);
	vec__free(&d->entries);
	free(d->slots);
	free(d);
}

static struct moment moment_of(const struct record *rec)
{
	return (struct moment){ .time = rec->time, .place = (uintptr_t)rec->hdr };
}

/* <0, 0, >0 as @a is before, at or after @b. */
static int moment_cmp(const struct moment *a, const struct moment *b)
{
	if (a->time != NO_TIME && b->time != NO_TIME && a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static int moment_cmp_qsort(const void *a, const void *b)
{
	return moment_cmp(a, b);
}

static struct task *task__get(struct deferred *d, u32 tid)
{
	struct task *t = map64__get(&d->tasks, tid);

	if (!t) {
		t = xzalloc(sizeof(*t));
		map64__set(&d->tasks, tid, t);
	}
	return t;
}

static u64 key_hash(u32 tid, u64 cookie)
{
	return hash_u64(cookie ^ (u64)tid << 40 ^ tid);
}

/* The slot of a key: either its list or the free slot where that would begin. */
static u32 *find_slot(const struct deferred *d, u32 tid, u64 cookie)
{
	size_t mask = d->max_slots - 1;
	size_t i = key_hash(tid, cookie) & mask;

	for (; d->slots[i]; i = (i + 1) & mask) {
		const struct entry *e = &d->entries.v[d->slots[i] - 1];

		if (e->cookie == cookie && e->tid == tid)
			break;
	}
	return &d->slots[i];
}

static void grow_slots(struct deferred *d)
{
	u32 *old = d->slots;
	size_t nr = d->max_slots;

	d->max_slots = nr ? nr * 2 : 1024;
	d->slots = xcalloc(d->max_slots, sizeof(*d->slots));
	for (size_t i = 0; i < nr; i++) {
		if (old[i]) {
			const struct entry *e = &d->entries.v[old[i] - 1];

			*find_slot(d, e->tid, e->cookie) = old[i];
		}
	}
	free(old);
}

static void entry__record(const struct entry *e, struct deferred_record *out)
{
	struct record rec = { .hdr = e->hdr };

	/* Checked when it was noted; the bytes are not ours, so a file may have changed since. */
	if (record__deferred(&rec, out))
		*out = (struct deferred_record){ .cookie = e->cookie };
}

static bool says_the_same(const struct entry *e, const struct deferred_record *r)
{
	struct deferred_record other;

	entry__record(e, &other);
	return other.nr == r->nr &&
	       !memcmp(other.ips, r->ips, r->nr * sizeof(*r->ips));
}

/* False when the record adds nothing to what its key has. */
static bool add_entry(struct deferred *d, const struct record *rec,
		      const struct deferred_record *r)
{
	struct entry *e;
	u32 *slot, last = 0;
	unsigned int nr = 0;

	if (d->nr_keys * 2 >= d->max_slots)
		grow_slots(d);
	slot = find_slot(d, rec->tid, r->cookie);
	for (u32 i = *slot; i; i = d->entries.v[i - 1].next) {
		if (says_the_same(&d->entries.v[i - 1], r) || ++nr >= MAX_PER_KEY)
			return false;
		last = i;
	}
	if (d->entries.nr >= INT32_MAX)
		return false;
	e = vec__push(&d->entries);
	*e = (struct entry){
		.cookie = r->cookie,
		.time = rec->time,
		.hdr = rec->hdr,
		.tid = rec->tid,
	};
	if (last) {
		d->entries.v[last - 1].next = d->entries.nr;
	} else {
		*slot = d->entries.nr;
		d->nr_keys++;
	}
	return true;
}

static int note_deferred(struct deferred *d, const struct record *rec)
{
	struct deferred_record r;
	int err = record__deferred(rec, &r);

	if (err)
		return err;
	d->stats.records++;
	if (add_entry(d, rec, &r))
		*vec__push(&task__get(d, rec->tid)->records) = moment_of(rec);
	else
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
	struct task *t;

	if (err)
		return err;
	t = task__get(d, task.tid);
	if (rec->hdr->type == PERF_RECORD_FORK)
		*vec__push(&t->born) = moment_of(rec);
	else
		*vec__push(&t->exited) = moment_of(rec);
	return 0;
}

/*
 * A LOST record is written when there is room again, so what it counts was lost between it and
 * the record before it in the same buffer. A buffer's records stand together in the file; where
 * the one before belongs to another buffer, its time can be later: then only the end is known.
 */
static void note_lost(struct deferred *d, const struct record *rec)
{
	u64 from = d->time_before;

	if (rec->time == NO_TIME)
		return;
	if (from == NO_TIME || from > rec->time)
		from = rec->time;
	*vec__push(&d->losses) = (struct loss){ .from = from, .to = rec->time };
}

/* Samples tell how long a thread is known to have come back to user mode, record or not. */
static int note_sample(struct deferred *d, const struct record *rec)
{
	struct deferred_split split;
	struct moment now = moment_of(rec);
	struct sample s;
	struct task *t;
	int err;

	if (!rec->event || !attr__test_bit(&rec->event->attr, ATTR_BIT_DEFER_CALLCHAIN))
		return 0;
	err = sample__parse(&s, rec);
	if (err)
		return err;
	split = deferred__split(s.chain, s.nr_chain);
	if (!split.cookie_known)
		return 0;
	t = task__get(d, rec->tid);
	if (t->seen && moment_cmp(&now, &t->last_seen) < 0)
		return 0;
	if (!t->seen || t->last_cookie != split.cookie) {
		t->last_cookie = split.cookie;
		t->last_cookie_since = now;
	}
	t->last_seen = now;
	t->seen = true;
	return 0;
}

int deferred__note(struct deferred *d, const struct record *rec)
{
	int err = 0;

	BUG_ON(d->sealed);
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
		note_lost(d, rec);
		break;
	default:
		break;
	}
	if (rec->time != NO_TIME)
		d->time_before = rec->time;
	return err;
}

static void sort_moments(moments *m)
{
	if (m->nr > 1)
		qsort(m->v, m->nr, sizeof(*m->v), moment_cmp_qsort);
}

static int loss_cmp(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void merge_losses(struct deferred *d)
{
	size_t nr = 0;

	if (!d->losses.nr)
		return;
	qsort(d->losses.v, d->losses.nr, sizeof(*d->losses.v), loss_cmp);
	for (size_t i = 1; i < d->losses.nr; i++) {
		struct loss *last = &d->losses.v[nr];

		if (d->losses.v[i].from <= last->to)
			last->to = max_of(last->to, d->losses.v[i].to);
		else
			d->losses.v[++nr] = d->losses.v[i];
	}
	d->losses.nr = nr + 1;
}

void deferred__seal(struct deferred *d)
{
	map64__for_each(&d->tasks, slot) {
		struct task *t = slot->value;

		sort_moments(&t->born);
		sort_moments(&t->exited);
		sort_moments(&t->records);
	}
	map64__for_each(&d->execs, slot)
		sort_moments(slot->value);
	merge_losses(d);
	d->sealed = true;
}

/* The first of @m that is after @when, or NULL. */
static const struct moment *first_after(const moments *m, const struct moment *when)
{
	size_t lo = 0, hi = m->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (moment_cmp(&m->v[mid], when) > 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo < m->nr ? &m->v[lo] : NULL;
}

static bool any_between(const moments *m, const struct moment *a, const struct moment *b)
{
	bool ordered = moment_cmp(a, b) <= 0;
	const struct moment *first = first_after(m, ordered ? a : b);

	return first && moment_cmp(first, ordered ? b : a) < 0;
}

static bool lost_between(const struct deferred *d, u64 from, u64 to)
{
	size_t lo = 0, hi = d->losses.nr;

	while (lo < hi) { /* the first loss that ends at @from or later */
		size_t mid = lo + (hi - lo) / 2;

		if (d->losses.v[mid].to >= from)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo < d->losses.nr && d->losses.v[lo].from <= to;
}

/* Why no record stands for a sample of @t at @when. Design document, "Reasons". */
static enum deferred_result why_missing(const struct deferred *d, const struct task *t,
					const moments *execs, const struct moment *when, u64 cookie)
{
	const struct moment *exec = execs ? first_after(execs, when) : NULL;
	const struct moment *life = t ? first_after(&t->records, when) : NULL;
	const struct moment *exit = t ? first_after(&t->exited, when) : NULL;

	if (t && t->seen && t->last_cookie != cookie &&
	    moment_cmp(&t->last_cookie_since, when) > 0 &&
	    (!life || moment_cmp(&t->last_cookie_since, life) < 0))
		life = &t->last_cookie_since;
	if (exec && (!life || moment_cmp(exec, life) < 0) &&
	    (!exit || moment_cmp(exec, exit) < 0))
		return DEFERRED_EXEC;
	if (exit && (!life || moment_cmp(exit, life) < 0))
		return DEFERRED_EXITED;
	if (!life)
		return DEFERRED_IN_KERNEL;
	if (when->time != NO_TIME && life->time != NO_TIME &&
	    lost_between(d, when->time, life->time))
		return DEFERRED_LOST;
	return DEFERRED_NO_RECORD;
}

static u64 distance(const struct moment *a, const struct moment *b)
{
	if (a->time == NO_TIME || b->time == NO_TIME)
		return a->place < b->place ? b->place - a->place : a->place - b->place;
	return a->time < b->time ? b->time - a->time : a->time - b->time;
}

static struct moment moment_of_entry(const struct entry *e)
{
	return (struct moment){ .time = e->time, .place = (uintptr_t)e->hdr };
}

/*
 * The nearest entry of the key that the same thread wrote while it ran the same program.
 * @exec_between: there was one, but of the program after (or before) an exec.
 */
static struct entry *best_entry(struct deferred *d, u32 first, const struct task *t,
				const moments *execs, const struct moment *when,
				bool *exec_between)
{
	struct entry *best = NULL;
	u64 best_distance = 0;

	for (u32 i = first; i; i = d->entries.v[i - 1].next) {
		struct entry *e = &d->entries.v[i - 1];
		struct moment at = moment_of_entry(e);

		if (t && any_between(&t->born, when, &at))
			continue;
		if (execs && any_between(execs, when, &at)) {
			*exec_between = true;
			continue;
		}
		if (!best || distance(&at, when) < best_distance) {
			best = e;
			best_distance = distance(&at, when);
		}
	}
	return best;
}

static enum deferred_result find_match(struct deferred *d, const struct record *sample, u64 cookie,
				       struct deferred_record *out)
{
	const struct task *t = map64__get(&d->tasks, sample->tid);
	const moments *execs = map64__get(&d->execs, sample->pid);
	struct moment when = moment_of(sample), at;
	bool exec_between = false;
	struct entry *e = NULL;

	if (d->max_slots)
		e = best_entry(d, *find_slot(d, sample->tid, cookie), t, execs, &when,
			       &exec_between);
	if (!e)
		return exec_between ? DEFERRED_EXEC : why_missing(d, t, execs, &when, cookie);
	e->used = 1;
	entry__record(e, out);
	at = moment_of_entry(e);
	return moment_cmp(&at, &when) < 0 ? DEFERRED_LATE : DEFERRED_MATCHED;
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

	for (size_t i = 0; i < d->entries.nr; i++)
		stats.unused += !d->entries.v[i].used;
	return stats;
}
