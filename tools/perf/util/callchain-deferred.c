// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "callchain-deferred-priv.h"

/* Bytes of entries beyond which they go to a temporary file: 8 million records. */
#define MAX_MEMORY (200UL << 20)

/*
 * Samples are asked for in the order of time, so the place in the list moves on step by step,
 * less than one for each sample and record. This many in all are far more than enough; a file
 * that makes us go to and fro gets no answers beyond them.
 */
#define MAX_STEPS(d) (16 * ((d)->entries.nr + (d)->asked) + 1000)

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
	big_array__init(&d->entries, sizeof(struct entry), MAX_MEMORY);
	return d;
}

static void free_tasks(struct map64 *tasks)
{
	map64__for_each(tasks, slot) {
		struct task *t = slot->value;

		vec__free(&t->born);
		vec__free(&t->exited);
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
	big_array__free(&d->entries);
	free(d);
}

/* NULL when nothing was noted of it. */
static struct task *task__find(struct deferred *d, u32 tid)
{
	struct task *t = d->recent[tid % RECENT_TASKS].task;

	if (t && d->recent[tid % RECENT_TASKS].tid == tid)
		return t;
	t = map64__get(&d->tasks, tid);
	if (t) {
		d->recent[tid % RECENT_TASKS].tid = tid;
		d->recent[tid % RECENT_TASKS].task = t;
	}
	return t;
}

static struct task *task__get(struct deferred *d, u32 tid)
{
	struct task *t = task__find(d, tid);

	if (!t) {
		t = xzalloc(sizeof(*t));
		map64__set(&d->tasks, tid, t);
	}
	return t;
}

static inline struct entry *entry_at(const struct deferred *d, u32 nr)
{
	return nr ? (struct entry *)d->entries.v + nr - 1 : NULL;
}

static void entry__record(const struct entry *e, struct deferred_record *out)
{
	struct record rec = { .hdr = (const void *)(uintptr_t)e->place };

	/* Checked when it was noted; the bytes are not ours, so a file may have changed since. */
	if (record__deferred(&rec, out))
		*out = (struct deferred_record){};
}

static u16 cookie_tag(u64 cookie)
{
	return hash_u64(cookie) >> 48;
}

static bool says_the_same(const struct entry *a, const struct entry *b)
{
	struct deferred_record x, y;

	if (a->tag != b->tag)
		return false;
	entry__record(a, &x);
	entry__record(b, &y);
	return x.cookie == y.cookie && x.nr == y.nr &&
	       (!x.nr || !memcmp(x.ips, y.ips, x.nr * sizeof(*x.ips)));
}

/* Two output events in one session write every record twice, one behind the other. */
static void add_entry(struct deferred *d, struct task *t, const struct entry *new)
{
	struct entry *last = entry_at(d, t->last), *e;

	if ((last && says_the_same(last, new)) || d->entries.nr >= INT32_MAX) {
		d->stats.duplicates++;
		return;
	}
	if (last && new->time != NO_TIME && last->time != NO_TIME && new->time < last->time)
		t->unsorted = true;
	e = big_array__push(&d->entries);
	*e = *new;
	e->prev = t->last;
	if (t->last)
		entry_at(d, t->last)->next = d->entries.nr;
	else
		t->first = d->entries.nr;
	t->last = d->entries.nr;
}

static int note_deferred(struct deferred *d, const struct record *rec)
{
	struct deferred_record r;
	int err = record__deferred(rec, &r);

	if (err)
		return err;
	d->stats.records++;
	add_entry(d, task__get(d, rec->tid), &(struct entry){
		.time = rec->time,
		.place = (uintptr_t)rec->hdr,
		.tag = cookie_tag(r.cookie),
	});
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

/* Samples tell how long a thread is known to have come back to user mode, record or not. */
static int note_sample(struct deferred *d, const struct record *rec)
{
	struct deferred_split split;
	struct moment now = moment_of(rec);
	struct task *t;
	const u64 *chain;
	u64 nr;
	int err;

	if (!rec->event || !attr__test_bit(&rec->event->attr, ATTR_BIT_DEFER_CALLCHAIN))
		return 0;
	err = sample__chain(rec, &chain, &nr);
	if (err)
		return err;
	split = deferred__split(chain, nr);
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
		deferred__note_loss(d, rec);
		break;
	default:
		break;
	}
	if (rec->time != NO_TIME)
		d->time_before = rec->time;
	return err;
}

static int entry_cmp(const void *a, const void *b, void *ctx)
{
	const struct deferred *d = ctx;
	struct moment x = entry__moment(entry_at(d, *(const u32 *)a));
	struct moment y = entry__moment(entry_at(d, *(const u32 *)b));

	return moment_cmp(&x, &y);
}

/*
 * Puts the list of a thread in the order of time. A recorder that wrote a stretch of a ring twice
 * has written equal records of equal times, which stand together then: one of them is enough.
 */
static void sort_entries(struct deferred *d, struct task *t)
{
	VEC(u32) all = {};
	u32 prev = 0;

	for (u32 i = t->first; i; i = entry_at(d, i)->next)
		*vec__push(&all) = i;
	qsort_r(all.v, all.nr, sizeof(*all.v), entry_cmp, d);
	t->first = t->last = 0;
	for (size_t i = 0; i < all.nr; i++) {
		struct entry *e = entry_at(d, all.v[i]);

		if (prev && says_the_same(entry_at(d, prev), e)) {
			d->stats.duplicates++;
			continue;
		}
		e->prev = prev;
		e->next = 0;
		if (prev)
			entry_at(d, prev)->next = all.v[i];
		else
			t->first = all.v[i];
		t->last = prev = all.v[i];
	}
	vec__free(&all);
}

void deferred__seal(struct deferred *d)
{
	map64__for_each(&d->tasks, slot) {
		struct task *t = slot->value;

		if (t->unsorted)
			sort_entries(d, t);
		t->after = t->first;
	}
	deferred__seal_reasons(d);
	d->sealed = true;
}

/* Moves t->after to the first entry that is after @when, from where it was. */
static void go_to(struct deferred *d, struct task *t, const struct moment *when)
{
	const struct entry *e;
	struct moment at;

	while ((e = entry_at(d, t->after ? entry_at(d, t->after)->prev : t->last))) {
		at = entry__moment(e);
		if (moment_cmp(&at, when) <= 0 || d->steps++ > MAX_STEPS(d))
			break;
		t->after = t->after ? entry_at(d, t->after)->prev : t->last;
	}
	while ((e = entry_at(d, t->after))) {
		at = entry__moment(e);
		if (moment_cmp(&at, when) > 0 || d->steps++ > MAX_STEPS(d))
			break;
		t->after = e->next;
	}
}

/* What is asked for, and what was found on the way. */
struct query {
	const struct task *task;
	const moments *execs;
	struct moment when;
	u64 cookie;
	u16 tag;
	bool exec_between; /* there was a record, but of the program after or before an exec */
};

static bool answers(struct query *q, const struct entry *e, struct deferred_record *out)
{
	struct moment at;

	if (e->tag != q->tag)
		return false;
	entry__record(e, out);
	if (out->cookie != q->cookie)
		return false;
	at = entry__moment(e);
	if (moments__any_between(&q->task->born, &q->when, &at))
		return false;
	if (!moments__any_between(q->execs, &q->when, &at))
		return true;
	q->exec_between = true;
	return false;
}

/*
 * The entry for the query that is nearest in the list. Mostly it is the next one; a thread that
 * is on its way out of the kernel after its record was written has it behind itself.
 */
static struct entry *find_entry(struct deferred *d, struct query *q, struct deferred_record *out)
{
	struct entry *after = entry_at(d, q->task->after);
	struct entry *before = entry_at(d, after ? after->prev : q->task->last);

	for (int i = 0; i < DEFERRED_WINDOW && (after || before); i++) {
		if (after && answers(q, after, out))
			return after;
		if (before && answers(q, before, out))
			return before;
		after = after ? entry_at(d, after->next) : NULL;
		before = before ? entry_at(d, before->prev) : NULL;
	}
	*out = (struct deferred_record){};
	return NULL;
}

static enum deferred_result find_match(struct deferred *d, const struct record *sample, u64 cookie,
				       struct deferred_record *out)
{
	struct task *t = task__find(d, sample->tid);
	struct query q = {
		.task = t,
		.execs = d->execs.nr ? map64__get(&d->execs, sample->pid) : NULL,
		.when = moment_of(sample),
		.cookie = cookie,
		.tag = cookie_tag(cookie),
	};
	struct moment at = {};
	struct entry *e = NULL;

	d->asked++;
	if (t) {
		go_to(d, t, &q.when);
		e = find_entry(d, &q, out);
	}
	if (e) {
		d->used += !e->used;
		e->used = 1;
		at = entry__moment(e);
		return moment_cmp(&at, &q.when) < 0 ? DEFERRED_LATE : DEFERRED_MATCHED;
	}
	if (q.exec_between)
		return DEFERRED_EXEC;
	if (t && t->after)
		at = entry__moment(entry_at(d, t->after));
	return deferred__why_missing(d, t, t && t->after ? &at : NULL, q.execs, &q.when, cookie);
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
