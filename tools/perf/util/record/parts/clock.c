// SPDX-License-Identifier: GPL-2.0-only
/*
 * --user-only-clock: perf events are refused, so the threads of programs with an agent stop
 * themselves, by a timer, and tell where they are. That becomes samples here, as the kernel would
 * have written them of user space; the other records come from /proc, which is looked at whenever
 * there are samples, before they are pushed. From there on nothing knows of the difference.
 *
 * What the agent says is its program's own, and may be a lie: of another process, or another time,
 * which would matter to others' records, it is dropped.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../base/clock.h"
#include "../../binary/build-id.h"
#include "../../data/bytes-out.h"
#include "../../data/record-pool.h"
#include "../../data/side-data.h"
#include "../../io/proc-maps.h"
#include "../../io/procfile.h"
#include "../../live/synth-record.h"
#include "../recorder-priv.h"

#define LOOK_FOR_ENDS (200 * NSEC_PER_MSEC)

/* A program, from when it has said hello. */
struct clocked {
	u32 pid;
	u64 since;
	u64 range;          /* an address that only this program has; 0: none */
	u64 looked;         /* when its mappings were read */
	u64 maps;           /* hash of those that were emitted */
	u32 turn;           /* in which that was */
	struct map64 tids;  /* that were emitted; the value is not NULL */
};

struct recorder_clock {
	struct record_pool pool;
	struct synthesize synth;
	struct map64 processes;  /* struct clocked */
	u32 turn, nr_cpus;
	u64 looked_for_ends;
	id_vec ended;            /* processes, since this turn began */
	bool begins;             /* the next COMM is of an exec */
};

/* Takes over nothing: @hdr is copied. */
static int push_copy(struct recorder *r, const struct perf_event_header *hdr)
{
	struct record_block *owner;
	const struct perf_event_header *copy = record_pool__add(&r->clock->pool, hdr, &owner);

	if (!r->failed)
		r->failed = r->push(r, copy, owner);
	else
		record_block__put(owner);
	return r->failed;
}

static int on_synthesized(void *ctx, const struct perf_event_header *hdr)
{
	struct recorder *r = ctx;

	/* What was known of an earlier program of this process ends. */
	if (hdr->type == PERF_RECORD_COMM && r->clock->begins) {
		((struct perf_event_header *)hdr)->misc |= PERF_RECORD_MISC_COMM_EXEC;
		r->clock->begins = false;
	}
	return push_copy(r, hdr);
}

static int open_clock(struct recorder *r, struct error *err __unused_arg)
{
	struct recorder_clock *c;

	if (!r->opts->clock_ns)
		return 0;
	c = xzalloc(sizeof(*c));
	c->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	c->synth = (struct synthesize){
		.emit = on_synthesized, .ctx = r, .build_id = build_id__read_fd,
		.event = recorder__tracking_event(r->live), .leave_out = r->opts->leave_out,
	};
	synthesize__init(&c->synth);
	r->clock = c;
	return 0;
}

/* What of a program's mappings its stacks need. 0: it has ended, or was replaced. */
static u64 hash_maps(const struct clocked *p)
{
	char path[64], *text, *next, *line;
	struct maps_line m;
	bool is_same = !p->range;
	u64 hash = 0;

	snprintf(path, sizeof(path), "/proc/%u/maps", p->pid);
	if (procfile__read(path, &text, NULL))
		return 0;
	next = text;
	while ((line = strsep(&next, "\n"))) {
		if (!maps_line__parse(line, &m))
			continue;
		is_same |= p->range >= m.start && p->range < m.end;
		if (!(m.prot & PROT_EXEC))
			continue;
		hash = hash_u64(hash ^ m.start) ^ hash_u64(m.end) ^ hash_u64(m.pgoff ^ m.ino);
	}
	free(text);
	return is_same ? hash : 0;
}

/* Emits the mappings if there are others than before, as of the last time that they were read. */
static void look_at_maps(struct recorder *r, struct clocked *p)
{
	struct recorder_clock *c = r->clock;
	u64 now = clock__now(CLOCK_MONOTONIC), hash;

	p->turn = c->turn;
	hash = hash_maps(p);
	if (hash && hash != p->maps) {
		p->maps = hash;
		c->synth.time = p->looked;
		(void)synthesize__mappings(&c->synth, p->pid);
	}
	p->looked = now;
}

static void forget_process(struct clocked *p)
{
	if (!p)
		return;
	map64__free(&p->tids);
	free(p);
}

static void emit_thread(struct recorder *r, struct clocked *p, u32 tid, u64 time)
{
	r->clock->synth.time = time;
	map64__set(&p->tids, tid, p);
	(void)synthesize__thread(&r->clock->synth, p->pid, tid);
}

void recorder_clock__begin_process(struct recorder *r, u32 pid, u64 time, u64 range)
{
	struct recorder_clock *c = r->clock;
	struct clocked *p = xzalloc(sizeof(*p));

	*p = (struct clocked){ .pid = pid, .since = time, .range = range, .looked = time - 1 };
	forget_process(map64__set(&c->processes, pid, p));
	c->begins = true;
	emit_thread(r, p, pid, time - 1);
	look_at_maps(r, p);
}

/* Whether @tid may be a thread of the process, or has been one. */
static bool is_its_own(const struct clocked *p, u32 tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/task/%u", p->pid, tid);
	if (!access(path, F_OK))
		return true;
	snprintf(path, sizeof(path), "/proc/%u", tid);
	return access(path, F_OK);
}

/* What is of no harm to others, though it may be a lie. */
static bool is_possible(const struct recorder *r, const struct clocked *p, u32 tid,
			const struct agent_record *rec)
{
	u64 now = clock__now(CLOCK_MONOTONIC);

	return rec->t_start >= p->since && rec->t_start <= now && rec->t_end <= now && tid &&
	       (map64__get(&p->tids, tid) || is_its_own(p, tid));
}

/* The registers that the event asks for, as PERF_SAMPLE_REGS_USER has them. */
static void put_regs(struct bytes_out *out, const struct perf_event_attr *attr,
		     const struct agent_stop *stop)
{
	bytes_out__u64(out, PERF_SAMPLE_REGS_ABI_64);
	for (u32 i = 0; i < 64; i++)
		if (attr->sample_regs_user & BIT_ULL(i))
			bytes_out__u64(out, i < AGENT_REGS ? stop->regs[i] : 0);
}

static void put_stack(struct bytes_out *out, const struct agent_stop *stop)
{
	bytes_out__u64(out, stop->stack_size);
	if (!stop->stack_size)
		return;
	bytes_out__put(out, stop + 1, stop->stack_size);
	bytes_out__u64(out, stop->stack_size);
}

/* In the order of perf_event.h, for the types that sampling__by_clock() leaves. */
static void put_sample(struct bytes_out *out, const struct recorder *r, u32 pid, u32 tid,
		       const struct agent_record *rec, const struct agent_stop *stop, u64 most)
{
	const struct perf_event_attr *attr = &r->live->events.v[0]->attr;
	struct perf_event_header hdr = {
		.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER,
	};

	bytes_out__put(out, &hdr, sizeof(hdr));
	bytes_out__u64(out, rec->ip);
	bytes_out__u32(out, pid);
	bytes_out__u32(out, tid);
	bytes_out__u64(out, rec->t_start);
	bytes_out__u32(out, stop->cpu < r->clock->nr_cpus ? stop->cpu : 0);
	bytes_out__u32(out, 0);
	bytes_out__u64(out, min_of(stop->period, most));
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		bytes_out__u64(out, 0);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		put_regs(out, attr, stop);
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		put_stack(out, stop);
	if (attr__has_side_data(attr))
		bytes_out__u64(out, 0);
	((struct perf_event_header *)out->buf.v)->size = out->buf.nr;
}

void recorder_clock__stop(void *ctx, u32 pid, u32 tid, const struct agent_record *rec)
{
	struct recorder *r = ctx;
	struct clocked *p = map64__get(&r->clock->processes, pid);
	struct bytes_out out = {};

	if (!p || !is_possible(r, p, tid, rec)) {
		r->result->clock_refused++;
		return;
	}
	if (p->turn != r->clock->turn)
		look_at_maps(r, p);
	if (!map64__get(&p->tids, tid))
		emit_thread(r, p, tid, rec->t_start - 1);
	/* No more CPU time than the program's own. */
	put_sample(&out, r, pid, tid, rec, agent_record__stop(rec), rec->t_start - p->since);
	(void)push_copy(r, (const void *)out.buf.v);
	vec__free(&out.buf);
}

void recorder_clock__end_thread(void *ctx, u32 pid, u32 tid)
{
	struct recorder *r = ctx;
	struct recorder_clock *c = r->clock;
	struct clocked *p = map64__get(&c->processes, pid);

	if (!p || tid == pid || !map64__del(&p->tids, tid))
		return;
	c->synth.time = clock__now(CLOCK_MONOTONIC);
	(void)synth__exit(&c->synth, pid, tid);
}

/* Processes end without a word. */
static void look_for_ends(struct recorder_clock *c)
{
	map64__for_each(&c->processes, s)
		if (!hash_maps(s->value))
			*vec__push(&c->ended) = s->key;
}

void recorder_clock__turn(struct recorder *r)
{
	struct recorder_clock *c = r->clock;
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (!c)
		return;
	c->turn++;
	if (r->failed || now < c->looked_for_ends + LOOK_FOR_ENDS)
		return;
	c->looked_for_ends = now;
	look_for_ends(c);
}

void recorder_clock__end_turn(struct recorder *r)
{
	struct recorder_clock *c = r->clock;

	if (!c)
		return;
	for (size_t i = 0; i < c->ended.nr; i++) {
		forget_process(map64__del(&c->processes, c->ended.v[i]));
		c->synth.time = clock__now(CLOCK_MONOTONIC);
		(void)synth__exit(&c->synth, c->ended.v[i], c->ended.v[i]);
	}
	c->ended.nr = 0;
}

static void close_clock(struct recorder *r)
{
	struct recorder_clock *c = r->clock;

	if (!c)
		return;
	map64__for_each(&c->processes, s)
		forget_process(s->value);
	map64__free(&c->processes);
	vec__free(&c->ended);
	synthesize__done(&c->synth);
	record_pool__close(&c->pool);
	free(c);
	r->clock = NULL;
}

const struct recorder_part recorder_part__clock = {
	.described = open_clock, .close = close_clock,
};
