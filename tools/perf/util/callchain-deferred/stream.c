// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "stream.h"
#include "priv.h"

/* User parts that are kept for late samples: records of each thread, and bytes in all. */
#define RECENT_RECORDS 4
#define RECENT_BYTES (8U << 20)

/* Open kernel entries of one thread; there are several only after losses. */
#define MAX_OPEN 64

/* Time spans with losses that are kept. */
#define MAX_LOSSES 1024

/* When more samples than these have passed, every deferred record is kept. */
#define MAX_PASSED (1U << 20)

/* Exited threads that are kept for late records. */
#define MAX_EXITED 4096

/* What a thread did first after its samples, as far as records tell. */
enum evidence { EVIDENCE_NONE, EVIDENCE_ALIVE, EVIDENCE_EXIT, EVIDENCE_EXEC };

/* Kept as long as the stream: the EXIT of its leader does not end its other threads. */
struct process {
	u32 pid;
	u32 execs; /* so far */
};

/*
 * Samples that wait: those of one thread between entering the kernel and returning to user space.
 * They share a cookie.
 */
struct kernel_entry {
	u64 cookie;
	u64 since;         /* the time of its first sample */
	u64 evidence_time;
	struct process *process;
	struct kernel_entry *next; /* the next newer one of the same thread */
	u32 execs;         /* of the process, at its first sample */
	u32 others;        /* records of other kernel entries of the thread since then */
	u32 samples;       /* in the queue */
	enum evidence evidence;
	bool answered, given_up;
	struct deferred_answer answer;
};

/* A recent user part, for samples that come after it. */
struct recent {
	u64 cookie, pos; /* where its addresses are in deferred_stream.recent */
	u32 nr, execs;
	bool used;
};

struct thread_waits {
	struct kernel_entry *open, *last_open; /* oldest first */
	u32 nr_open;
	struct recent recent[RECENT_RECORDS];
	u32 nr_recent;                 /* so far */
	bool exited;
};

struct queued {
	struct record rec;
	struct kernel_entry *entry; /* NULL: waits only for those in front of it */
	struct deferred_answer answer;
	u64 *late;         /* addresses of its own, of a late match */
};

struct deferred_stream {
	struct deferred_stream_ops ops;
	u64 max_pending, pending; /* bytes */
	struct queued *queue;     /* a ring of .max, a power of two */
	u64 head, tail, max;
	struct map64 threads;     /* tid -> struct thread_waits */
	struct map64 processes;   /* pid -> struct process */
	struct map64 passed;      /* hash of tid and cookie -> how many samples */
	bool keep_all;            /* more than MAX_PASSED have passed */
	u64 *recent;              /* a ring of RECENT_BYTES; user parts as they came */
	u64 recent_pos;           /* words written so far */
	struct loss losses[MAX_LOSSES];
	u32 nr_losses;
	u32 exited[MAX_EXITED];   /* tids, a ring */
	u64 nr_exited;
	u64 time_before;
	u64 used;
	struct deferred_stats stats;
};

struct deferred_stream *deferred_stream__new(const struct deferred_stream_ops *ops,
					     u64 max_pending)
{
	struct deferred_stream *s = xzalloc(sizeof(*s));

	s->ops = *ops;
	s->max_pending = max_pending;
	s->recent = xmalloc(RECENT_BYTES);
	s->time_before = NO_TIME;
	return s;
}

static struct queued *queued_at(const struct deferred_stream *s, u64 nr)
{
	return &s->queue[nr & (s->max - 1)];
}

static void kernel_entry__put(struct kernel_entry *entry)
{
	if (!--entry->samples && entry->answered)
		free(entry);
}

static void leave_queue(struct deferred_stream *s, struct queued *q)
{
	s->pending -= q->rec.hdr->size + sizeof(*q);
	s->ops.release(s->ops.ctx, &q->rec);
	free(q->late);
	if (q->entry)
		kernel_entry__put(q->entry);
	s->head++;
}

void deferred_stream__free(struct deferred_stream *s)
{
	if (!s)
		return;
	while (s->head != s->tail)
		leave_queue(s, queued_at(s, s->head));
	map64__for_each(&s->threads, slot) {
		struct thread_waits *t = slot->value;

		for (struct kernel_entry *entry = t->open, *next; entry; entry = next) {
			next = entry->next;
			free(entry);
		}
		free(t);
	}
	map64__for_each(&s->processes, slot)
		free(slot->value);
	map64__free(&s->threads);
	map64__free(&s->processes);
	map64__free(&s->passed);
	free(s->queue);
	free(s->recent);
	free(s);
}

static void *find_or_make(struct map64 *map, u64 key, size_t size)
{
	void *v = map64__get(map, key);

	if (!v) {
		v = xzalloc(size);
		map64__set(map, key, v);
	}
	return v;
}

static struct thread_waits *thread_of(struct deferred_stream *s, u32 tid)
{
	return find_or_make(&s->threads, tid, sizeof(struct thread_waits));
}

static struct process *process_of(struct deferred_stream *s, u32 pid)
{
	struct process *p = find_or_make(&s->processes, pid, sizeof(struct process));

	p->pid = pid;
	return p;
}

void deferred_stream__observe(struct deferred_stream *s, const struct record *rec)
{
	u32 type = rec->hdr->type;

	if (rec->time == NO_TIME)
		return;
	if (type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES) {
		u64 from = s->time_before;

		if (from == NO_TIME || from > rec->time)
			from = rec->time;
		s->losses[s->nr_losses++ % MAX_LOSSES] = (struct loss){ from, rec->time };
	}
	s->time_before = rec->time;
}

static bool lost_between(const struct deferred_stream *s, u64 from, u64 to)
{
	for (u32 i = 0; i < min_of(s->nr_losses, (u32)MAX_LOSSES); i++)
		if (s->losses[i].to >= from && s->losses[i].from <= to)
			return true;
	return false;
}

/* The first evidence decides; an exec is noticed at the next one, or at the end. */
static void kernel_entry__see(struct kernel_entry *entry, enum evidence evidence, u64 time)
{
	if (entry->evidence != EVIDENCE_NONE)
		return;
	if (entry->process->execs != entry->execs)
		evidence = EVIDENCE_EXEC;
	entry->evidence = evidence;
	entry->evidence_time = time;
}

/* Returns why there is no record for a sample of @entry at @when. */
static enum deferred_result why_missing(const struct deferred_stream *s, struct kernel_entry *entry,
					u64 when)
{
	switch (entry->evidence) {
	case EVIDENCE_EXEC:
		return DEFERRED_EXEC;
	case EVIDENCE_EXIT:
		return DEFERRED_EXITED;
	case EVIDENCE_NONE:
		return DEFERRED_IN_KERNEL;
	default:
		if (when != NO_TIME && entry->evidence_time != NO_TIME &&
		    lost_between(s, when, entry->evidence_time))
			return DEFERRED_LOST;
		return DEFERRED_NO_RECORD;
	}
}

/* Removes @entry, which is behind @prev, from its thread's list: its answer is known. */
static void close_entry(struct thread_waits *t, struct kernel_entry *prev,
			struct kernel_entry *entry)
{
	if (prev)
		prev->next = entry->next;
	else
		t->open = entry->next;
	if (t->last_open == entry)
		t->last_open = prev;
	t->nr_open--;
	entry->next = NULL;
	entry->answered = true;
	if (!entry->samples)
		free(entry);
}

/* No record will come. Each of its samples gets the reason when its turn comes. */
static void give_up(struct thread_waits *t, struct kernel_entry *prev, struct kernel_entry *entry)
{
	kernel_entry__see(entry, EVIDENCE_NONE, NO_TIME); /* notices an exec */
	entry->given_up = true;
	close_entry(t, prev, entry);
}

static void give_all_up(struct thread_waits *t)
{
	while (t->open)
		give_up(t, NULL, t->open);
}

/* Returns the open entry of samples with @cookie. */
static struct kernel_entry *kernel_entry_of(struct deferred_stream *s, struct thread_waits *t,
					    const struct record *rec, u64 cookie)
{
	struct process *p = process_of(s, rec->pid);
	struct kernel_entry *found = NULL;

	for (struct kernel_entry *entry = t->open; entry; entry = entry->next) {
		if (entry->cookie == cookie && entry->execs == p->execs && entry->process == p)
			found = entry;
		else if (entry->cookie != cookie)
			kernel_entry__see(entry, EVIDENCE_ALIVE, rec->time);
	}
	if (found)
		return found;
	if (t->nr_open == MAX_OPEN)
		give_up(t, NULL, t->open);
	found = xzalloc(sizeof(*found));
	found->cookie = cookie;
	found->since = rec->time;
	found->process = p;
	found->execs = p->execs;
	if (t->last_open)
		t->last_open->next = found;
	else
		t->open = found;
	t->last_open = found;
	t->nr_open++;
	return found;
}

static const u64 *recent_ips(const struct deferred_stream *s, const struct recent *r)
{
	u64 words = RECENT_BYTES / sizeof(u64);

	return s->recent_pos - r->pos <= words ? s->recent + r->pos % words : NULL;
}

static struct recent *find_recent(const struct deferred_stream *s, struct thread_waits *t,
				  u64 cookie)
{
	for (u32 i = 0; i < min_of(t->nr_recent, (u32)RECENT_RECORDS); i++) {
		struct recent *r = &t->recent[(t->nr_recent - 1 - i) % RECENT_RECORDS];

		if (r->cookie == cookie && recent_ips(s, r))
			return r;
	}
	return NULL;
}

/* Keeps the addresses of a record, in one piece: the end of the ring may stay unused. */
static struct recent *remember(struct deferred_stream *s, struct thread_waits *t,
			       const struct deferred_record *r, u32 execs)
{
	struct recent *recent = &t->recent[t->nr_recent++ % RECENT_RECORDS];
	u64 words = RECENT_BYTES / sizeof(u64), at = s->recent_pos % words;

	if (words - at < r->nr)
		s->recent_pos += words - at;
	*recent = (struct recent){
		.cookie = r->cookie, .pos = s->recent_pos, .nr = r->nr, .execs = execs,
	};
	if (r->nr)
		memcpy(s->recent + s->recent_pos % words, r->ips, r->nr * sizeof(u64));
	s->recent_pos += r->nr;
	return recent;
}

static bool is_duplicate(const struct deferred_stream *s, struct thread_waits *t,
			 const struct deferred_record *r)
{
	const struct recent *same = find_recent(s, t, r->cookie);

	return same && same->nr == r->nr &&
	       (!r->nr || !memcmp(recent_ips(s, same), r->ips, r->nr * sizeof(u64)));
}

static u64 passed_key(u32 tid, u64 cookie)
{
	return hash_u64(cookie) ^ tid;
}

static void use(struct deferred_stream *s, struct recent *r)
{
	s->used += !r->used;
	r->used = true;
}

static void answer_entries(struct deferred_stream *s, struct thread_waits *t,
			   const struct record *rec, const struct deferred_record *r)
{
	struct kernel_entry *prev = NULL, *next;
	struct recent *recent = find_recent(s, t, r->cookie);

	for (struct kernel_entry *entry = t->open; entry; entry = next) {
		next = entry->next;
		if (entry->cookie != r->cookie) {
			kernel_entry__see(entry, EVIDENCE_ALIVE, rec->time);
			if (++entry->others < DEFERRED_WINDOW) {
				prev = entry;
				continue;
			}
			give_up(t, prev, entry);
			continue;
		}
		entry->answer.result = DEFERRED_EXEC;
		if (entry->execs == entry->process->execs) {
			entry->answer = (struct deferred_answer){ DEFERRED_MATCHED, *r };
			if (recent)
				use(s, recent);
		}
		close_entry(t, prev, entry);
	}
}

static void process_deferred(struct deferred_stream *s, const struct record *rec,
			     struct deferred_answer *answer)
{
	struct deferred_record r;
	struct thread_waits *t;
	struct recent *recent;
	bool passed;

	if (record__deferred(rec, &r))
		return;
	s->stats.records++;
	/* Whether samples have passed that need this record. */
	passed = map64__del(&s->passed, passed_key(rec->tid, r.cookie));
	if (passed || s->keep_all)
		answer->result = DEFERRED_PASSED;
	t = thread_of(s, rec->tid);
	if (is_duplicate(s, t, &r)) {
		s->stats.duplicates++;
		return;
	}
	recent = remember(s, t, &r, process_of(s, rec->pid)->execs);
	if (passed)
		use(s, recent);
	answer_entries(s, t, rec, &r);
}

/* Answers at once if possible; else returns the entry that the sample has to wait for. */
static struct kernel_entry *process_sample(struct deferred_stream *s, const struct record *rec,
					   struct deferred_answer *answer)
{
	struct deferred_split split;
	struct thread_waits *t;
	struct recent *recent;
	const u64 *chain;
	u64 nr;

	if (!rec->event || sample__chain(rec, &chain, &nr))
		return NULL;
	split = deferred__split(chain, nr);
	if (!split.marked)
		return NULL;
	answer->result = DEFERRED_NO_COOKIE;
	if (!split.cookie_known)
		return NULL;
	t = thread_of(s, rec->tid);
	recent = find_recent(s, t, split.cookie);
	if (!recent)
		return kernel_entry_of(s, t, rec, split.cookie);
	answer->result = DEFERRED_EXEC;
	if (recent->execs != process_of(s, rec->pid)->execs)
		return NULL;
	answer->result = DEFERRED_LATE;
	answer->user = (struct deferred_record){ split.cookie, recent_ips(s, recent), recent->nr };
	use(s, recent);
	return NULL;
}

/* Forgets a thread that exited long ago and has no records since then. */
static void forget_exited(struct deferred_stream *s, u32 tid)
{
	struct thread_waits *t = map64__get(&s->threads, tid);

	if (t && t->exited && !t->open)
		free(map64__del(&s->threads, tid));
}

static void process_exit(struct deferred_stream *s, struct thread_waits *t, u32 tid, u64 time)
{
	u32 *slot = &s->exited[s->nr_exited++ % MAX_EXITED], before = *slot;

	for (struct kernel_entry *entry = t->open; entry; entry = entry->next)
		kernel_entry__see(entry, EVIDENCE_EXIT, time);
	t->exited = true;
	*slot = tid;
	if (s->nr_exited > MAX_EXITED)
		forget_exited(s, before);
}

static void process_task(struct deferred_stream *s, const struct record *rec)
{
	struct task_record task;
	struct thread_waits *t;

	if (record__task(rec, &task))
		return;
	t = map64__get(&s->threads, task.tid);
	if (!t)
		return;
	if (rec->hdr->type == PERF_RECORD_FORK) {
		give_all_up(t);
		t->nr_recent = 0;
		t->exited = false;
		return;
	}
	process_exit(s, t, task.tid, rec->time);
}

static void process_comm(struct deferred_stream *s, const struct record *rec)
{
	struct comm_record comm;
	struct process *p;

	if (record__comm(rec, &comm) || !comm.exec)
		return;
	p = map64__get(&s->processes, comm.pid);
	if (p)
		p->execs++;
}

static struct kernel_entry *process_in_order(struct deferred_stream *s, const struct record *rec,
					     struct deferred_answer *answer)
{
	switch (rec->hdr->type) {
	case PERF_RECORD_SAMPLE:
		return process_sample(s, rec, answer);
	case ABI_RECORD_CALLCHAIN_DEFERRED:
		process_deferred(s, rec, answer);
		break;
	case PERF_RECORD_COMM:
		process_comm(s, rec);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		process_task(s, rec);
		break;
	default:
		break;
	}
	return NULL;
}

static int emit(struct deferred_stream *s, const struct record *rec,
		const struct deferred_answer *answer)
{
	if (rec->hdr->type == PERF_RECORD_SAMPLE && answer->result != DEFERRED_NOT)
		s->stats.answers[answer->result]++;
	return s->ops.emit(s->ops.ctx, rec, answer);
}

/* @rec is held. */
static void enqueue(struct deferred_stream *s, const struct record *rec, struct kernel_entry *entry,
		    const struct deferred_answer *answer)
{
	struct queued *q, *old = s->queue;
	u64 max = s->max;

	if (s->tail - s->head == max) {
		s->max = max ? max * 2 : 1024;
		s->queue = xmalloc(s->max * sizeof(*s->queue));
		for (u64 i = s->head; i != s->tail; i++)
			*queued_at(s, i) = old[i & (max - 1)];
		free(old);
	}
	q = queued_at(s, s->tail++);
	*q = (struct queued){ .rec = *rec, .entry = entry, .answer = *answer };
	if (answer->result == DEFERRED_LATE && answer->user.nr) {
		q->late = xmemdup(answer->user.ips, answer->user.nr * sizeof(u64));
		q->answer.user.ips = q->late;
	}
	if (entry)
		entry->samples++;
	s->pending += rec->hdr->size + sizeof(*q);
}

/* Lets a sample pass without its user part; its record will be kept when it comes. */
static void pass(struct deferred_stream *s, struct queued *q)
{
	u64 key = passed_key(q->rec.tid, q->entry->cookie);

	q->answer.result = DEFERRED_PASSED;
	if (s->passed.nr >= MAX_PASSED)
		s->keep_all = true;
	else
		map64__set(&s->passed, key, s);
}

/* False when @q has to wait. */
static bool settle(struct deferred_stream *s, struct queued *q)
{
	if (!q->entry)
		return true;
	if (q->entry->answered && !q->entry->given_up) {
		q->answer = q->entry->answer;
	} else if (q->entry->given_up || q->entry->process->execs != q->entry->execs) {
		/* A record behind an exec would be one of the new program. */
		kernel_entry__see(q->entry, EVIDENCE_NONE, NO_TIME);
		q->answer.result = why_missing(s, q->entry, q->rec.time);
	} else if (s->pending > s->max_pending) {
		pass(s, q);
	} else {
		return false;
	}
	return true;
}

static int drain(struct deferred_stream *s)
{
	int ret = 0;

	while (!ret && s->head != s->tail) {
		struct queued *q = queued_at(s, s->head);

		if (!settle(s, q))
			break;
		ret = emit(s, &q->rec, &q->answer);
		leave_queue(s, q);
	}
	return ret;
}

int deferred_stream__push(struct deferred_stream *s, const struct record *rec)
{
	struct deferred_answer answer = {};
	struct record held = *rec;
	bool queued = s->head != s->tail;
	struct kernel_entry *entry;

	/* Before the waiting ones are emitted: their answers point into this record. */
	if (queued)
		s->ops.hold(s->ops.ctx, &held);
	entry = process_in_order(s, &held, &answer);
	if (!queued && !entry)
		return emit(s, rec, &answer);
	if (!queued)
		s->ops.hold(s->ops.ctx, &held);
	enqueue(s, &held, entry, &answer);
	return drain(s);
}

static bool kernel_entry__is_open(const struct deferred_stream *s, const struct kernel_entry *entry)
{
	return entry->evidence == EVIDENCE_NONE && entry->process->execs == entry->execs &&
	       entry->since != NO_TIME && !lost_between(s, entry->since, UINT64_MAX);
}

void deferred_stream__each_wait(const struct deferred_stream *s, deferred_wait_fn each, void *ctx)
{
	map64__for_each(&s->threads, slot) {
		const struct thread_waits *t = slot->value;
		const struct kernel_entry *entry = t->last_open;
		struct deferred_wait wait = { .tid = slot->key };

		if (!entry || !kernel_entry__is_open(s, entry))
			continue;
		wait.pid = entry->process->pid;
		wait.cookie = entry->cookie;
		each(ctx, &wait);
	}
}

int deferred_stream__answer(struct deferred_stream *s, const struct deferred_wait *wait,
			    const u64 *ips, u64 nr)
{
	struct thread_waits *t = map64__get(&s->threads, wait->tid);
	struct kernel_entry *entry = t ? t->open : NULL, *prev = NULL;

	while (entry && entry != t->last_open) {
		prev = entry;
		entry = entry->next;
	}
	if (!entry || entry->cookie != wait->cookie || entry->process->pid != wait->pid ||
	    !kernel_entry__is_open(s, entry))
		return 0;
	entry->answer = (struct deferred_answer){ DEFERRED_ASLEEP, { wait->cookie, ips, nr } };
	close_entry(t, prev, entry);
	return drain(s);
}

int deferred_stream__finish(struct deferred_stream *s)
{
	map64__for_each(&s->threads, slot)
		give_all_up(slot->value);
	return drain(s);
}

u64 deferred_stream__pending(const struct deferred_stream *s)
{
	return s->pending;
}

struct deferred_stats deferred_stream__stats(const struct deferred_stream *s)
{
	struct deferred_stats stats = s->stats;

	stats.unused = stats.records - stats.duplicates - s->used;
	return stats;
}
