// SPDX-License-Identifier: GPL-2.0-only
#include "activity-copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../io/procfile.h"
#include "../tls/tls-program.h"

#define RECORD_MAX 65536
#define OTEL_VALID 24 /* where a record says that it is complete: 1 */
#define OTEL_SIZE 26  /* where the size of its attributes is: u16 */
/* Where the thread's number is in struct pthread of the GNU C library (_thread_db_pthread_tid). */
#define BLOCK_TID 720

struct activity_copy {
	struct activity_reader *reader;
	struct sink to;
	struct map64 own_tids; /* of threads: the number in their own PID namespace */
	u64 found;
	u8 *record, *payload;
};

/* A stack copy. */
struct copy {
	const u8 *data;
	u64 start, size;
};

struct activity_copy *activity_copy__new(struct activity_reader *reader)
{
	struct activity_copy *a = xzalloc(sizeof(*a));

	a->reader = reader;
	a->record = xmalloc(RECORD_MAX);
	a->payload = xmalloc(ACTIVITY_PAYLOAD_MAX);
	return a;
}

void activity_copy__free(struct activity_copy *a)
{
	if (!a)
		return;
	map64__free(&a->own_tids);
	free(a->record);
	free(a->payload);
	free(a);
}

u64 activity_copy__found(const struct activity_copy *a)
{
	return a->found;
}

/* Returns: the @size bytes at @addr; NULL: they are not in the copy. */
static const u8 *copy__at(const struct copy *c, u64 addr, u64 size)
{
	u64 at = addr - c->start;

	return at <= c->size && size <= c->size - at ? c->data + at : NULL;
}

static u64 copy__word(const struct copy *c, u64 addr)
{
	const u8 *at = copy__at(c, addr, sizeof(u64));
	u64 v = 0;

	if (at)
		memcpy(&v, at, sizeof(v));
	return v;
}

/*
 * The number by which a thread knows itself: another one in a PID namespace of its own. Of one that
 * has ended it is taken for the same; if it was not, nothing is found.
 */
static u32 own_tid(struct activity_copy *a, u32 pid, u32 tid)
{
	u32 own = (uintptr_t)map64__get(&a->own_tids, tid);
	char path[64], *text;

	if (own)
		return own;
	snprintf(path, sizeof(path), "/proc/%u/task/%u/status", pid, tid);
	if (!procfile__read(path, &text, NULL)) {
		own = procfile__last_number(text, "NSpid:");
		free(text);
	}
	own = own ? own : tid;
	map64__set(&a->own_tids, tid, (void *)(uintptr_t)own);
	return own;
}

static bool is_block_of(const struct copy *c, u64 at, u32 tid)
{
	const u8 *in_block = copy__at(c, at + BLOCK_TID, sizeof(tid));

	return in_block && !memcmp(in_block, &tid, sizeof(tid));
}

/*
 * The thread pointer: a control block begins with its own address, and has it once more (tcbhead_t
 * of the GNU C library: tcb and self). It lies at the upper end of the thread's stack. What follows
 * is other memory, and who has changed to a stack of its own making is elsewhere altogether, so
 * that another thread's block may be found: the block says whose it is. Returns 0 when it is not in
 * the copy.
 */
static u64 thread_pointer(const struct copy *c, u32 tid)
{
	for (u64 at = align_up(c->start, 16); at - c->start + 32 <= c->size; at += 16)
		if (copy__word(c, at) == at && copy__word(c, at + 16) == at &&
		    is_block_of(c, at, tid))
			return at;
	return 0;
}

/* A record, if it is on the stack, too. */
static struct bytes otel_record(const struct copy *c, u64 at)
{
	const u8 *head = copy__at(c, at, TLS_OTEL_HEAD);
	u16 size;

	if (!head || head[OTEL_VALID] != 1)
		return (struct bytes){};
	memcpy(&size, head + OTEL_SIZE, sizeof(size));
	size = min_of(size, (u16)TLS_OTEL_ATTRIBUTES);
	if (!copy__at(c, at, TLS_OTEL_HEAD + size))
		size = 0;
	return (struct bytes){ head, TLS_OTEL_HEAD + size };
}

static struct bytes find_ids(const struct activity_place *place, const struct copy *c, u32 tid)
{
	u64 tp = thread_pointer(c, tid), at = tp + place->tls.offset;

	if (!tp)
		return (struct bytes){};
	if (place->kind == ACTIVITY_OTEL)
		return otel_record(c, copy__word(c, at));
	if (place->kind == ACTIVITY_VALUE && copy__at(c, at, place->size))
		return (struct bytes){ copy__at(c, at, place->size), place->size };
	return (struct bytes){};
}

/* The bytes of the payload in a->payload; 0: none. */
static u32 make_payload(struct activity_copy *a, const struct sample *s)
{
	const u32 sp = 7; /* PERF_REG_X86_SP */
	struct copy c = { .data = s->stack, .size = s->stack_size };
	struct activity_place place;
	struct bytes ids;

	if (!c.size || !sample_regs__get(&s->user_regs, sp, &c.start) ||
	    !activity_reader__place(a->reader, s->pid, &place) ||
	    place.tls.where != TLS_STATIC || s->time <= place.since)
		return 0;
	ids = find_ids(&place, &c, own_tid(a, s->pid, s->tid));
	return ids.len ? activity_reader__payload(a->reader, ACTIVITY_BY_COPY, s->pid, place.kind,
						  ids, a->payload) : 0;
}

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct activity_copy *a = ctx;
	struct perf_event_header *copy = (void *)a->record;
	bool takes = attr__has_side_data(&ws->rec->event->attr) && !ws->s->aux_size;
	u32 size = takes ? make_payload(a, ws->s) : 0;
	struct whole_sample with = *ws;
	struct record rec = *ws->rec;
	struct sample s;

	if (!size)
		return a->to.sample(a->to.ctx, ws);
	memcpy(copy, rec.hdr, rec.hdr->size);
	rec.hdr = copy;
	with.rec = &rec;
	with.s = &s;
	if (side_data__add(copy, RECORD_MAX, 0, SIDE_ACTIVITY, a->payload, size) < 0 ||
	    sample__parse(&s, &rec))
		return a->to.sample(a->to.ctx, ws);
	a->found++;
	return a->to.sample(a->to.ctx, &with);
}

/* What was found out about the process is of another program, or of one that had its pid. */
static void note(struct activity_copy *a, const struct record *rec)
{
	struct comm_record comm;
	struct task_record task;

	if (rec->hdr->type == PERF_RECORD_COMM && !record__comm(rec, &comm) && comm.exec)
		activity_reader__begin_process(a->reader, comm.pid);
	if (rec->hdr->type != PERF_RECORD_FORK || record__task(rec, &task))
		return;
	map64__del(&a->own_tids, task.tid); /* of an earlier thread */
	if (task.pid != task.ppid)
		activity_reader__begin_process(a->reader, task.pid);
}

static int on_record(void *ctx, const struct record *rec)
{
	struct activity_copy *a = ctx;

	note(a, rec);
	return a->to.record(a->to.ctx, rec);
}

static void on_begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct activity_copy *a = ctx;

	if (a->to.begin)
		a->to.begin(a->to.ctx, machine, symbols);
}

static int on_end(void *ctx)
{
	struct activity_copy *a = ctx;

	return a->to.end ? a->to.end(a->to.ctx) : 0;
}

static void on_forget(void *ctx, const struct dso *dso)
{
	struct activity_copy *a = ctx;

	if (a->to.forget)
		a->to.forget(a->to.ctx, dso);
}

struct sink activity_copy__sink(struct activity_copy *a, const struct sink *to)
{
	struct sink sink = *to;

	a->to = *to;
	sink.begin = on_begin;
	sink.sample = on_sample;
	sink.record = on_record;
	sink.end = on_end;
	sink.forget = on_forget;
	sink.ctx = a;
	return sink;
}
