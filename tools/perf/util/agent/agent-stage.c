// SPDX-License-Identifier: GPL-2.0-only
#include "agent-stage.h"

#include <stdlib.h>
#include <string.h>

#include "../data/sample-splice.h"
#include "../data/side-data.h"

#define DEFAULT_PENDING (64ULL << 20)
#define RECORD_MAX 65536
/* Threads of a process that records are of: the numbers are what the program says. */
#define THREADS_MAX 65536
#define GAP_MAX 65536 /* of the program's numbers that are believed to be missing at a time */
/* Bytes of names that are kept, of all processes: each has agent_memory__name()'s bound, too. */
#define NAMES_MAX (512ULL << 20)

/* A process with an agent, until its last sample has left. */
struct process {
	struct process *next, *older; /* of all; of the same pid */
	u32 pid, nr;
	u64 start, end;               /* end: meaningful when it has .ended */
	bool ended, mapped, dropped;  /* dropped: its records are of no use any more */
	struct agent_memory memory;   /* .base is NULL when it is of no use any more */
	struct agent_codes codes;
	struct map64 threads;         /* struct agent_thread by tid */
	struct agent_stage *stage;
};

/* What waits: a record, or a sample with its stack. */
struct held {
	struct held *next, *next_of_thread;
	struct held *same;            /* the last that is known to be where this is; NULL: itself */
	struct record rec;
	size_t bytes;
	struct process *process;      /* NULL: nothing is waited for */
	struct agent_thread *thread;
	struct agent_sample at;
	enum user_part user_part;
	enum deferred_result deferred;
	enum unwind_stop stop;
	u32 found[UNWIND_METHOD_NR];
	u32 nr_user, nr_restored;
	u64 nr_chain;                 /* of the recorded chain */
	u64 *user, *sps;
	u8 *methods;
	struct perf_event_header hdr[];
};

struct agent_stage {
	struct sink to;
	u64 max_pending;
	struct machine *machine;
	int (*map)(void *ctx, u32 pid, u32 nr, u64 time, const struct agent_codes *codes);
	void *map_ctx;
	u32 (*ids)(void *ctx, u32 pid, u32 kind, const u8 *data, u32 size, u8 *out);
	void *ids_ctx;
	void (*stop)(void *ctx, u32 pid, u32 tid, const struct agent_record *rec);
	void (*thread_ended)(void *ctx, u32 pid, u32 tid);
	void *stop_ctx;
	u8 payload[AGENT_ACTIVITY_MAX];
	struct process *processes;
	struct map64 by_pid;
	u32 nr_processes;
	struct held *first, **last;
	struct map64 last_of_thread;  /* struct held, by tid */
	u64 bytes, now;               /* now: the time of what came last */
	u64 record_bytes;             /* that the agents' records take */
	u64 names, names_max;         /* bytes of names, of all processes */
	bool finishing;
	u8 *record;                   /* RECORD_MAX bytes */
	struct agent_account account;
};

struct agent_stage *agent_stage__new(u64 max_names)
{
	struct agent_stage *a = xzalloc(sizeof(*a));

	a->last = &a->first;
	a->record = xmalloc(RECORD_MAX);
	a->names_max = max_names ?: NAMES_MAX;
	return a;
}

void agent_stage__on_range(struct agent_stage *a,
			   int (*map)(void *ctx, u32 pid, u32 nr, u64 time,
				      const struct agent_codes *codes), void *ctx)
{
	a->map = map;
	a->map_ctx = ctx;
}

void agent_stage__on_ids(struct agent_stage *a,
			 u32 (*ids)(void *ctx, u32 pid, u32 kind, const u8 *data, u32 size,
				    u8 *out), void *ctx)
{
	a->ids = ids;
	a->ids_ctx = ctx;
}

void agent_stage__on_stop(struct agent_stage *a,
			  void (*stop)(void *ctx, u32 pid, u32 tid, const struct agent_record *rec),
			  void (*ended)(void *ctx, u32 pid, u32 tid), void *ctx)
{
	a->stop = stop;
	a->thread_ended = ended;
	a->stop_ctx = ctx;
}

/* Nothing more is read of its memory. */
static void process__close(struct process *p)
{
	const struct agent_header *h = (void *)p->memory.base;

	if (!h)
		return;
	p->stage->account.no_ring += min_of(h->no_ring, UINT32_MAX + 0ULL);
	p->stage->account.damaged += p->memory.damaged;
	agent_memory__free(&p->memory);
}

static void process__free(struct process *p)
{
	process__close(p);
	map64__for_each(&p->threads, s) {
		agent_thread__free(s->value);
		free(s->value);
	}
	map64__free(&p->threads);
	agent_codes__free(&p->codes);
	free(p);
}

static struct held *pop(struct agent_stage *a)
{
	struct held *h = a->first;

	a->first = h->next;
	if (!a->first)
		a->last = &a->first;
	a->bytes -= h->bytes;
	if (h->next_of_thread && h->same != h)
		h->next_of_thread->same = h->same;
	if (h->thread && map64__get(&a->last_of_thread, h->rec.tid) == h)
		map64__del(&a->last_of_thread, h->rec.tid);
	return h;
}

void agent_stage__free(struct agent_stage *a)
{
	struct process *p;

	if (!a)
		return;
	while (a->first)
		free(pop(a));
	while ((p = a->processes)) {
		a->processes = p->next;
		process__free(p);
	}
	map64__free(&a->by_pid);
	map64__free(&a->last_of_thread);
	free(a->record);
	free(a);
}

static void process__end(struct process *p, u64 time)
{
	if (!p->ended)
		p->end = time;
	p->ended = true;
}

void agent_stage__begin_process(struct agent_stage *a, u32 pid, u64 time,
				const struct agent_memory *memory, u64 range_start, u64 range_size)
{
	struct process *p = xzalloc(sizeof(*p));

	p->stage = a;
	p->pid = pid;
	p->start = time;
	p->nr = a->nr_processes++;
	p->memory = *memory;
	agent_codes__init(&p->codes, range_start, range_size);
	p->codes.python = memory->python;
	p->next = a->processes;
	a->processes = p;
	p->older = map64__set(&a->by_pid, pid, p);
	if (p->older)
		process__end(p->older, time);
	a->account.processes++;
}

void agent_stage__end_process(struct agent_stage *a, u32 pid, u64 time)
{
	struct process *p = map64__get(&a->by_pid, pid);

	if (p)
		process__end(p, time);
}

static struct agent_thread *process__thread(struct process *p, u32 tid)
{
	struct agent_thread *t = map64__get(&p->threads, tid);

	if (t)
		return t;
	t = xzalloc(sizeof(*t));
	map64__set(&p->threads, tid, t);
	return t;
}

/* Keeps a record. Where they are too many, the oldest of its thread go. */
static void keep_hit(struct agent_stage *a, struct agent_thread *t, struct agent_hit *hit)
{
	a->record_bytes -= t->bytes;
	agent_thread__add(t, hit);
	while (a->record_bytes + t->bytes > a->max_pending && agent_thread__drop_oldest(t))
		a->account.given_up++;
	a->record_bytes += t->bytes;
}

static void forget_hits(struct agent_stage *a, struct agent_thread *t, u64 time)
{
	a->record_bytes -= t->bytes;
	agent_thread__forget(t, time);
	a->record_bytes += t->bytes;
}

/* No sample of the process will ask for its records any more. */
static void drop_hits(struct agent_stage *a, struct process *p)
{
	map64__for_each(&p->threads, s) {
		struct agent_thread *t = s->value;

		a->record_bytes -= t->bytes;
		agent_thread__free(t);
	}
	p->dropped = true;
}

/* What the record's ids become is left in .payload. Returns its bytes. */
static u32 take_ids(struct process *p, const struct agent_record *rec)
{
	struct agent_stage *a = p->stage;

	if (!rec->ids_size || !a->ids)
		return 0;
	return a->ids(a->ids_ctx, p->pid, rec->ids_kind, (const u8 *)(rec->frames + rec->nr),
		      rec->ids_size, a->payload);
}

/* The addresses of names are looked up at once: the memory may be gone when they are needed. */
static void take_frames(struct process *p, const struct agent_record *rec, struct agent_hit *hit)
{
	struct agent_stage *a = p->stage;
	u64 before;

	if (a->names > a->names_max)
		p->memory.names = AGENT_NAMES_SIZE;
	before = p->memory.names;
	for (u32 i = 0; i < rec->nr; i++) {
		const struct agent_frame *f = &rec->frames[i];

		hit->places[i].entry = f->entry;
		hit->places[i].outermost = f->code & AGENT_OUTERMOST;
		hit->places[i].address = agent_codes__address(&p->codes, &p->memory,
							      f->code & ~AGENT_OUTERMOST, f->at);
	}
	a->names += p->memory.names - before;
}

/* Samples by timers that are missing: with events the kernel says so. */
static void note_gap(struct agent_stage *a, struct agent_thread *t, const struct agent_record *rec)
{
	if ((rec->flags & AGENT_CLOCKED) && rec->seq > t->seq)
		a->account.skipped += min_of(rec->seq - t->seq - 1, (u64)GAP_MAX);
	t->seq = rec->seq;
}

static void take_record(void *ctx, u32 tid, const struct agent_record *rec)
{
	struct process *p = ctx;
	struct agent_hit *hit;
	u32 ids_size;

	/* A child may share the memory, and write on when the process has ended. */
	if (p->dropped || (p->threads.nr >= THREADS_MAX && !map64__get(&p->threads, tid))) {
		p->stage->account.given_up++;
		return;
	}
	ids_size = take_ids(p, rec);
	hit = xmalloc(sizeof(*hit) + rec->nr * sizeof(hit->places[0]) + ids_size);
	*hit = (struct agent_hit){
		.seq = rec->seq, .t_start = rec->t_start, .t_end = rec->t_end, .ip = rec->ip,
		.sp = rec->sp, .blocked = rec->flags & AGENT_BLOCKED,
		.clocked = rec->flags & AGENT_CLOCKED, .nr = rec->nr, .ids_size = ids_size,
	};
	memcpy(hit->places + hit->nr, p->stage->payload, ids_size);
	take_frames(p, rec, hit);
	p->stage->account.records++;
	p->stage->account.took[min_of((rec->t_end - rec->t_start) / AGENT_TOOK_NS,
				      ARRAY_SIZE(p->stage->account.took) - 1)]++;
	p->stage->account.torn += rec->flags & AGENT_TORN ? 1 : 0;
	p->stage->account.cut += rec->flags & AGENT_CUT ? 1 : 0;
	note_gap(p->stage, process__thread(p, tid), rec);
	keep_hit(p->stage, process__thread(p, tid), hit);
	if ((rec->flags & AGENT_CLOCKED) && p->stage->stop)
		p->stage->stop(p->stage->stop_ctx, p->pid, tid, rec);
}

static void end_thread(void *ctx, u32 tid)
{
	struct process *p = ctx;

	if (p->stage->thread_ended)
		p->stage->thread_ended(p->stage->stop_ctx, p->pid, tid);
}

void agent_stage__read(struct agent_stage *a)
{
	for (struct process *p = a->processes; p; p = p->next) {
		if (!p->memory.base)
			continue;
		agent_memory__read(&p->memory, take_record, end_thread, p);
		/* Whatever the program wrote is older than what has ended it. */
		if (p->ended)
			process__close(p);
	}
}

void agent_stage__each_memory(struct agent_stage *a,
			      void (*each)(void *ctx, u32 pid, struct agent_memory *m), void *ctx)
{
	for (struct process *p = a->processes; p; p = p->next)
		if (p->memory.base && !p->ended)
			each(ctx, p->pid, &p->memory);
}

/* The process of a sample, as it was then. */
static struct process *find_process(const struct agent_stage *a, u32 pid, u64 time)
{
	struct process *p = map64__get(&a->by_pid, pid);

	while (p && p->start > time)
		p = p->older;
	return p && p->ended && p->end < time ? NULL : p;
}

/* As far as registers and cookies tell. */
static bool same_stay(const struct agent_sample *a, const struct agent_sample *b)
{
	return a->ip == b->ip && a->sp == b->sp && a->cookie == b->cookie;
}

/*
 * Whether a later sample of the thread, from before @until, was of other user code. A thread may
 * have many thousand samples in one stay in the kernel: what was compared for one is known for the
 * next.
 */
static bool moved(struct agent_stage *a, struct held *h, u64 until)
{
	struct held *n = h->same ?: h;

	while (n->next_of_thread && n->next_of_thread->rec.time < until) {
		a->account.compared++;
		if (!same_stay(&n->next_of_thread->at, &h->at))
			break;
		n = n->next_of_thread;
	}
	h->same = n;
	return n->next_of_thread && n->next_of_thread->rec.time < until;
}

/* Decides about the oldest. Returns false when it has to wait. */
static bool decide(struct agent_stage *a, struct held *h, enum agent_result *result,
		   const struct agent_hit **hit)
{
	struct agent_thread *t = h->thread;
	size_t at;

	forget_hits(a, t, h->rec.time);
	at = agent_thread__after(t, h->rec.time);
	if (at == t->hits.nr) {
		*result = t->ended || h->process->ended ? AGENT_EXITED : AGENT_WAITS;
		return *result == AGENT_EXITED || a->finishing || a->bytes > a->max_pending;
	}
	if (a->now <= t->hits.v[at]->t_start && !a->finishing &&
	    a->bytes <= a->max_pending)
		return false;
	*result = agent_thread__judge(t, at, &h->at, moved(a, h, t->hits.v[at]->t_start));
	*hit = t->hits.v[at];
	return true;
}

static int map_range(struct agent_stage *a, struct process *p, u64 time)
{
	if (p->mapped || !p->codes.functions.nr || !a->map)
		return 0;
	p->mapped = true;
	return a->map(a->map_ctx, p->pid, p->nr, time, &p->codes);
}

/* Describes a sample that waited as complete__sample() has described it. */
static bool describe(struct agent_stage *a, const struct held *h, struct whole_sample *ws,
		     struct sample *s)
{
	if (sample__parse(s, &h->rec))
		return false;
	*ws = (struct whole_sample){
		.rec = &h->rec, .s = s, .thread = machine__thread(a->machine, s->pid, s->tid),
		.chain = s->chain, .nr_chain = min_of(h->nr_chain, s->nr_chain), .user = h->user,
		.nr_user = h->nr_user, .user_part = h->user_part, .deferred = h->deferred,
		.stop = h->stop, .nr_restored = h->nr_restored, .sps = h->sps,
		.methods = h->user_part == USER_PART_UNWOUND ? h->methods : NULL,
	};
	memcpy(ws->found, h->found, sizeof(ws->found));
	return true;
}

/* Hands on a sample with the frames of its record. */
static int emit_joined(struct agent_stage *a, struct held *h, struct whole_sample *ws,
		       const struct agent_hit *hit)
{
	const struct agent_chain native = { h->user, h->sps, h->methods, h->nr_user };
	struct agent_chain all = {
		.ips = xcalloc(h->nr_user + hit->nr + 1, sizeof(u64)),
		.methods = xzalloc(h->nr_user + hit->nr + 1),
	};
	int ret = map_range(a, h->process, h->rec.time);

	ws->nr_user = agent_stage__splice(&native, hit, &all);
	ws->user = all.ips;
	ws->methods = all.methods;
	ws->sps = NULL;
	memset(ws->found, 0, sizeof(ws->found));
	for (u64 i = 0; i < all.nr; i++)
		ws->found[all.methods[i]]++;
	a->account.frames += ws->nr_user - h->nr_user;
	a->account.misplaced += hit->nr && ws->nr_user == h->nr_user;
	ret = ret ?: a->to.sample(a->to.ctx, ws);
	free(all.ips);
	free(all.methods);
	return ret;
}

/* Adds the ids of its record to a sample, which is copied to where there is room for it. */
static void add_ids(struct agent_stage *a, struct held *h, const struct agent_hit *hit)
{
	struct perf_event_header *copy = (void *)a->record;

	memcpy(copy, h->rec.hdr, h->rec.hdr->size);
	if (side_data__add(copy, RECORD_MAX, 0, SIDE_ACTIVITY, agent_hit__ids(hit),
			   hit->ids_size) < 0)
		return;
	h->rec.hdr = copy;
	a->account.ids++;
}

static int emit_sample(struct agent_stage *a, struct held *h, enum agent_result result,
		       const struct agent_hit *hit)
{
	struct whole_sample ws;
	struct sample s;

	a->account.results[result]++;
	a->account.agreed += result == AGENT_MATCHED && h->at.cookie;
	if (result == AGENT_MATCHED && hit->ids_size && attr__has_side_data(&h->rec.event->attr))
		add_ids(a, h, hit);
	if (!describe(a, h, &ws, &s))
		return 0;
	if (result == AGENT_MATCHED && hit->nr)
		return emit_joined(a, h, &ws, hit);
	return a->to.sample(a->to.ctx, &ws);
}

static bool is_exec(const struct record *rec)
{
	struct comm_record comm;

	return rec->hdr->type == PERF_RECORD_COMM && !record__comm(rec, &comm) && comm.exec;
}

/* What is known of threads, when it is their turn in what left the queue. */
static void leave(struct agent_stage *a, const struct record *rec)
{
	bool exits = rec->hdr->type == PERF_RECORD_EXIT;
	struct process *p = exits || is_exec(rec) ? map64__get(&a->by_pid, rec->pid) : NULL;

	if (exits && p && p->memory.base)
		agent_memory__free_ring(&p->memory, rec->tid);
	for (; p && !p->dropped; p = p->older)
		if (p->ended && p->end <= rec->time)
			drop_hits(a, p);
}

static int advance(struct agent_stage *a)
{
	const struct agent_hit *hit = NULL;
	enum agent_result result;
	struct held *h;
	int ret = 0;

	while (!ret && (h = a->first)) {
		bool is_sample = h->rec.hdr->type == PERF_RECORD_SAMPLE;

		result = h->process ? AGENT_NO_STACK : AGENT_NONE;
		if (h->thread && !decide(a, h, &result, &hit))
			break;
		pop(a);
		if (is_sample) {
			ret = emit_sample(a, h, result, hit);
		} else {
			leave(a, &h->rec);
			ret = a->to.record(a->to.ctx, &h->rec);
		}
		free(h);
	}
	return ret;
}

/* Makes room for a copy of @size bytes of a record, and @nr_user addresses. */
static struct held *new_held(const struct record *rec, const void *bytes, size_t size, u64 nr_user,
			     bool sps)
{
	size_t aligned = (size + 7) & ~7ULL, words = nr_user * (sps ? 2 : 1) * sizeof(u64);
	struct held *h = xzalloc(sizeof(*h) + aligned + words + nr_user);

	memcpy(h->hdr, bytes, size);
	h->hdr->size = size;
	h->bytes = sizeof(*h) + aligned + words + nr_user;
	h->rec = *rec;
	h->rec.hdr = h->hdr;
	h->rec.owner = NULL;
	h->nr_user = nr_user;
	h->user = (u64 *)((u8 *)h->hdr + aligned);
	h->sps = sps ? h->user + nr_user : NULL;
	h->methods = (u8 *)h->user + words;
	return h;
}

static int push(struct agent_stage *a, struct held *h)
{
	struct held *last;

	*a->last = h;
	a->last = &h->next;
	a->bytes += h->bytes;
	if (h->rec.time != NO_TIME)
		a->now = max_of(a->now, h->rec.time);
	if (h->thread) {
		last = map64__set(&a->last_of_thread, h->rec.tid, h);
		if (last)
			last->next_of_thread = h;
	}
	return advance(a);
}

/* Where user code stood, and what the kernel's record of the same stay says of that. */
static bool user_place(const struct whole_sample *ws, struct agent_sample *out)
{
	/* PERF_REG_X86_SP, _IP of arch/x86/include/uapi/asm/perf_regs.h */
	const u32 sp = 7, ip = 8;
	bool came = ws->deferred == DEFERRED_MATCHED || ws->deferred == DEFERRED_LATE;

	out->time = ws->s->time;
	out->cookie = ws->cookie;
	if (!sample_regs__get(&ws->s->user_regs, sp, &out->sp) ||
	    !sample_regs__get(&ws->s->user_regs, ip, &out->ip))
		return false;
	out->disagrees = ws->deferred != DEFERRED_NOT && (!came || ws->back_at != out->ip);
	return true;
}

/* The record without what its stack was made of: it takes the place of kilobytes. */
static size_t shorten(struct agent_stage *a, const struct whole_sample *ws)
{
	const struct splice_chain chain = { .kept = ws->chain, .nr_kept = ws->nr_chain };
	struct sample_spans spans;
	int size;

	if (ws->user_part != USER_PART_UNWOUND || sample__spans(ws->rec, &spans))
		return 0;
	size = sample__stitch(ws->rec, &spans, &chain, SPLICE_EMPTY, a->record, RECORD_MAX);
	return size > 0 ? size : 0;
}

static bool is_walked(const struct whole_sample *ws)
{
	return ws->user_part == USER_PART_UNWOUND && ws->sps;
}

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct agent_stage *a = ctx;
	struct process *p = find_process(a, ws->s->pid, ws->rec->time);
	size_t size = shorten(a, ws);
	struct held *h;

	if (!p && !a->first) {
		a->account.results[AGENT_NONE]++;
		return a->to.sample(a->to.ctx, ws);
	}
	h = size ? new_held(ws->rec, a->record, size, ws->nr_user, ws->sps)
		 : new_held(ws->rec, ws->rec->hdr, ws->rec->hdr->size, ws->nr_user, ws->sps);
	if (ws->nr_user)
		memcpy(h->user, ws->user, ws->nr_user * sizeof(u64));
	if (ws->sps)
		memcpy(h->sps, ws->sps, ws->nr_user * sizeof(u64));
	if (ws->methods)
		memcpy(h->methods, ws->methods, ws->nr_user);
	h->process = p;
	h->nr_chain = ws->nr_chain;
	h->user_part = ws->user_part;
	h->deferred = ws->deferred;
	h->stop = ws->stop;
	h->nr_restored = ws->nr_restored;
	memcpy(h->found, ws->found, sizeof(h->found));
	if (p && is_walked(ws) && user_place(ws, &h->at))
		h->thread = process__thread(p, ws->s->tid);
	return push(a, h);
}

/* A thread that has ended writes nothing more, nor does a process. */
static void note_end(struct agent_stage *a, const struct record *rec)
{
	struct process *p = map64__get(&a->by_pid, rec->pid);
	struct agent_thread *t;

	if (!p)
		return;
	if (rec->hdr->type == PERF_RECORD_EXIT) {
		t = map64__get(&p->threads, rec->tid);
		if (t)
			t->ended = true;
		if (rec->tid == rec->pid && rec->time != NO_TIME && rec->time > p->start)
			process__end(p, rec->time);
	} else if (is_exec(rec) && rec->time != NO_TIME && rec->time > p->start) {
		process__end(p, rec->time);
	}
}

static int on_record(void *ctx, const struct record *rec)
{
	struct agent_stage *a = ctx;

	note_end(a, rec);
	if (!a->first) {
		leave(a, rec);
		return a->to.record(a->to.ctx, rec);
	}
	return push(a, new_held(rec, rec->hdr, rec->hdr->size, 0, false));
}

static void on_begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct agent_stage *a = ctx;

	a->machine = machine;
	if (a->to.begin)
		a->to.begin(a->to.ctx, machine, symbols);
}

static int on_end(void *ctx)
{
	struct agent_stage *a = ctx;
	int ret;

	/* Samples that would be made of records now had no time to get into their order. */
	a->stop = NULL;
	a->thread_ended = NULL;
	agent_stage__read(a);
	a->finishing = true;
	ret = advance(a);
	return ret || !a->to.end ? ret : a->to.end(a->to.ctx);
}

static void on_forget(void *ctx, const struct dso *dso)
{
	struct agent_stage *a = ctx;

	if (a->to.forget)
		a->to.forget(a->to.ctx, dso);
}

struct sink agent_stage__sink(struct agent_stage *a, const struct sink *to, u64 max_pending)
{
	struct sink sink = *to;

	a->to = *to;
	a->max_pending = max_pending ?: DEFAULT_PENDING;
	sink.begin = on_begin;
	sink.sample = on_sample;
	sink.record = on_record;
	sink.end = on_end;
	sink.forget = on_forget;
	sink.ctx = a;
	return sink;
}

int agent_stage__each_codes(const struct agent_stage *a,
			    int (*each)(void *ctx, u32 pid, u32 nr, const struct agent_codes *c),
			    void *ctx)
{
	int ret = 0;

	for (const struct process *p = a->processes; p && !ret; p = p->next)
		if (p->mapped)
			ret = each(ctx, p->pid, p->nr, &p->codes);
	return ret;
}

struct agent_account agent_stage__account(const struct agent_stage *a)
{
	struct agent_account sum = a->account;

	for (const struct process *p = a->processes; p; p = p->next) {
		sum.unnamed += p->codes.unnamed;
		sum.functions += p->codes.functions.nr;
		sum.damaged += p->memory.base ? p->memory.damaged : 0;
	}
	return sum;
}
