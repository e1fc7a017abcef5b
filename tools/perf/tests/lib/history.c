// SPDX-License-Identifier: GPL-2.0-only
#include "history.h"

#include <stdio.h>

#include "../../util/base/hash.h"
#include "../test.h"

#define MAX_THREADS 64
#define MAX_CPUS MAX_THREADS
#define MAX_USER 510 /* addresses in a record */
#define ROUND_STEPS 40
#define WRAP_AT 400 /* cookies; many more than a thread has stays within the window */
#define SKEW_MAX 60
#define NO_SAMPLE ((u32)-1)
#define NOT_DEFERRED 2 /* index of an event that did not ask for it */

/* A record in the buffer of a CPU. */
struct event {
	u32 type, pid, tid, cpu;
	u64 time;
	u32 sample;     /* index of the truth; NO_SAMPLE */
	u64 cookie, user;
	u32 nr_user, comm, idx;
	bool user_mode, no_cookie, plain, guest, nested;
	bool gone; /* there was no room for it */
};

struct cpu {
	VEC(struct event) buffer;
	u64 counter, skew;
	u32 full;    /* so many records more are lost */
	bool lossy;  /* some were, which is still to be told */
	size_t left; /* records that were too late for the last round */
};

struct sim_thread {
	u32 pid, tid, cpu, comm;
	bool alive, in_kernel, written;
	u64 cookie, user;      /* of this stay; cookie 0: none was asked for */
	u32 nr_user;
	VEC(u32) samples;      /* of this stay, of this program */
};

struct sim {
	struct history *h;
	const struct history_opts *o;
	u64 random, time, next_user;
	u32 next_comm;
	struct cpu cpus[MAX_CPUS];
	struct sim_thread threads[MAX_THREADS];
};

static u32 draw(struct sim *s, u32 n)
{
	s->random = hash_mix(s->random + 0x9e3779b97f4a7c15);
	return (s->random >> 16) % n;
}

static bool chance(struct sim *s, u32 percent)
{
	return draw(s, 100) < percent;
}

static bool may(const struct sim *s, u32 spice)
{
	return s->o->spice & spice;
}

static struct event *append(struct sim *s, const struct sim_thread *t, u32 type)
{
	struct cpu *c = &s->cpus[t->cpu];
	struct event *e = vec__push(&c->buffer);

	s->time += 1 + draw(s, 20);
	*e = (struct event){
		.type = type, .pid = t->pid, .tid = t->tid, .cpu = t->cpu,
		.time = s->time + c->skew, .sample = NO_SAMPLE, .comm = t->comm,
	};
	return e;
}

/*
 * Of samples and user parts a buffer loses a range now and then; the next record that has room
 * follows a LOST. What tells of threads is spared, or their names were not what is true.
 */
static struct event *put(struct sim *s, const struct sim_thread *t, u32 type)
{
	struct cpu *c = &s->cpus[t->cpu];
	bool gone = false;

	if (type == PERF_RECORD_SAMPLE || type == ABI_RECORD_CALLCHAIN_DEFERRED) {
		if (may(s, HISTORY_LOSS) && !c->full && chance(s, 1))
			c->full = 1 + draw(s, 12);
		gone = c->full;
		c->full -= gone;
		c->lossy |= gone;
	}
	if (c->lossy && !c->full && !gone) {
		c->lossy = false;
		append(s, t, PERF_RECORD_LOST);
	}
	append(s, t, type)->gone = gone;
	return &c->buffer.v[c->buffer.nr - 1];
}

static u64 new_cookie(struct sim *s, u32 cpu)
{
	s->cpus[cpu].counter += 2;
	if (may(s, HISTORY_WRAP) && s->cpus[cpu].counter > 2 * WRAP_AT)
		s->cpus[cpu].counter = 2;
	return (s->cpus[cpu].counter | 1) << 32 | (cpu + 1);
}

static void enter(struct sim_thread *t)
{
	t->in_kernel = true;
	t->written = false;
	t->cookie = 0;
	t->samples.nr = 0;
}

static void take_sample(struct sim *s, struct sim_thread *t)
{
	struct history_truth *truth = vec__push(&s->h->truth);
	struct event *e = put(s, t, PERF_RECORD_SAMPLE);

	*truth = (struct history_truth){ .comm = t->comm, .copies = !e->gone, .deferred = true };
	e->sample = s->h->truth.nr - 1;
	e->idx = draw(s, 3);
	e->guest = may(s, HISTORY_GUESTS) && chance(s, 20);
	e->nested = chance(s, 10);
	if (e->idx == NOT_DEFERRED || chance(s, 3)) { /* or at once, as in do_exit() */
		truth->deferred = false;
		e->plain = true;
		return;
	}
	if (!may(s, HISTORY_WRAP) && chance(s, 2)) {
		e->no_cookie = true;
		return;
	}
	truth->cookie = true;
	e->user_mode = !t->cookie && chance(s, 30);
	if (!t->cookie) {
		t->cookie = new_cookie(s, t->cpu);
		t->user = 0;
	}
	e->cookie = t->cookie;
	if (t->written) {
		truth->user = t->user;
		truth->nr_user = t->nr_user;
		truth->empty = !t->user;
	} else {
		*vec__push(&t->samples) = e->sample;
	}
}

/* The user part, which is that of all samples of the stay that the present program was in. */
static void write_user_part(struct sim *s, struct sim_thread *t)
{
	struct event *e = put(s, t, ABI_RECORD_CALLCHAIN_DEFERRED);
	/* What overwrites may take away must be known from others. */
	bool empty = !may(s, HISTORY_REVERSED) && chance(s, 2);

	t->written = true;
	if (may(s, HISTORY_LOSS) && !e->gone && chance(s, 10))
		e->type = PERF_RECORD_LOST;
	if (e->gone || e->type == PERF_RECORD_LOST) {
		t->in_kernel = false; /* no late samples, which would be empty */
		return;
	}
	t->user = empty ? 0 : HISTORY_USER + 0x1000 * s->next_user++;
	t->nr_user = empty ? 0 : chance(s, 1) ? MAX_USER : 1 + draw(s, 12);
	e->cookie = t->cookie;
	e->user = t->user;
	e->nr_user = t->nr_user;
	for (size_t i = 0; i < t->samples.nr; i++) {
		struct history_truth *truth = &s->h->truth.v[t->samples.v[i]];

		truth->user = t->user;
		truth->nr_user = t->nr_user;
		truth->empty = empty;
	}
	if (may(s, HISTORY_DUPLICATES) && chance(s, 10)) {
		struct event again = *e;

		*vec__push(&s->cpus[t->cpu].buffer) = again;
	}
}

static void leave(struct sim *s, struct sim_thread *t)
{
	if (t->cookie && !t->written)
		write_user_part(s, t);
	while (t->in_kernel && chance(s, 25)) /* still on the way out: after the record */
		take_sample(s, t);
	t->in_kernel = false;
}

static void exec(struct sim *s, struct sim_thread *t)
{
	for (u32 i = 0; i < s->o->threads; i++) { /* the others are killed first */
		struct sim_thread *other = &s->threads[i];

		if (other != t && other->alive && other->pid == t->pid) {
			put(s, other, PERF_RECORD_EXIT);
			other->alive = other->in_kernel = false;
		}
	}
	t->comm = s->next_comm++;
	put(s, t, PERF_RECORD_COMM)->idx = 1; /* exec */
	t->samples.nr = 0;
}

static void end(struct sim *s, struct sim_thread *t)
{
	put(s, t, PERF_RECORD_EXIT);
	if (t->cookie && !t->written && t->in_kernel && chance(s, 50))
		write_user_part(s, t);
	t->alive = t->in_kernel = false;
}

static void begin(struct sim *s, struct sim_thread *t)
{
	t->alive = true;
	t->comm = s->next_comm++;
	put(s, t, PERF_RECORD_FORK);
	put(s, t, PERF_RECORD_COMM);
	s->time += may(s, HISTORY_SKEW) ? SKEW_MAX : 0; /* it takes longer than clocks differ */
}

static void orphan(struct sim *s, struct sim_thread *t)
{
	struct event *e = put(s, t, ABI_RECORD_CALLCHAIN_DEFERRED);

	e->cookie = new_cookie(s, t->cpu);
	e->user = 0x7000000000;
	e->nr_user = 3;
}

static void move(struct sim *s, struct sim_thread *t)
{
	if (!may(s, HISTORY_NO_TIME))
		t->cpu = draw(s, s->o->cpus);
}

static void step(struct sim *s)
{
	struct sim_thread *t = &s->threads[draw(s, s->o->threads)];

	if (!t->alive)
		return begin(s, t);
	if (!t->in_kernel) {
		if (chance(s, 20))
			move(s, t);
		return enter(t);
	}
	if (chance(s, 45))
		take_sample(s, t);
	else if (chance(s, 15))
		move(s, t);
	else if (may(s, HISTORY_EXEC) && !t->written && chance(s, 4))
		exec(s, t);
	else if (may(s, HISTORY_EXIT) && chance(s, 4))
		end(s, t);
	else if (may(s, HISTORY_SESSIONS) && t->written && chance(s, 10))
		orphan(s, t);
	else if (chance(s, 60))
		leave(s, t);
}

static void write_sample(struct sim *s, const struct event *e)
{
	u64 chain[] = { ABI_CONTEXT_KERNEL, HISTORY_IP + e->sample, 0xffffffff82000000,
			ABI_CONTEXT_USER_DEFERRED, e->cookie };
	u16 kernel = e->guest ? PERF_RECORD_MISC_GUEST_KERNEL : PERF_RECORD_MISC_KERNEL;
	struct sample sample = {
		.ip = HISTORY_IP + e->sample, .period = 1, .chain = chain, .nr_chain = 5,
		.misc = kernel,
	};

	if (e->nested) /* an interrupt's part, and that of what it interrupted */
		chain[2] = ABI_CONTEXT_KERNEL;
	if (e->guest)
		chain[0] = PERF_CONTEXT_GUEST_KERNEL;
	if (e->user_mode) {
		sample.chain += 3;
		sample.nr_chain = 2;
		sample.misc = PERF_RECORD_MISC_USER;
	} else if (e->no_cookie) {
		sample.nr_chain = 4;
	} else if (e->plain) {
		chain[3] = ABI_CONTEXT_USER;
		chain[4] = 0x5000;
	}
	builder__sample(s->h->b, e->idx, &sample);
}

static void write_event(struct sim *s, const struct event *e)
{
	struct builder *b = s->h->b;
	u64 ips[MAX_USER];
	char comm[16];

	if (e->gone)
		return;
	builder__at(b, e->pid, e->tid, e->cpu, e->time);
	switch (e->type) {
	case PERF_RECORD_SAMPLE:
		return write_sample(s, e);
	case ABI_RECORD_CALLCHAIN_DEFERRED:
		for (u32 i = 0; i < e->nr_user; i++)
			ips[i] = e->user + i;
		return builder__deferred(b, e->cookie, ips, e->nr_user);
	case PERF_RECORD_COMM:
		snprintf(comm, sizeof(comm), "p%u", e->comm);
		return builder__comm(b, comm, e->idx);
	case PERF_RECORD_FORK:
		return builder__fork(b, 1, 1);
	case PERF_RECORD_EXIT:
		return builder__exit(b);
	default:
		return builder__lost(b, 1);
	}
}

static bool is_sampled(const struct event *e)
{
	return e->type == PERF_RECORD_SAMPLE || e->type == ABI_RECORD_CALLCHAIN_DEFERRED;
}

static void any_order(struct sim *s, u8 *order)
{
	for (u32 i = 0, k; i < s->o->cpus; i++) {
		k = draw(s, i + 1);
		order[i] = order[k];
		order[k] = i;
	}
}

static void drain_cpu(struct sim *s, struct cpu *c, bool all)
{
	size_t nr = c->buffer.nr, again;

	/* Where clocks differ by more than that takes, no round would hold what it says. */
	if (!all && !may(s, HISTORY_SKEW))
		nr -= min_of(nr - c->left, (size_t)draw(s, 4));
	for (size_t k = 0; k < nr; k++)
		write_event(s, &c->buffer.v[k]);
	again = may(s, HISTORY_DUPLICATES) && chance(s, 10) ? min_of(nr, (size_t)6) : 0;
	for (size_t k = nr - again; k < nr; k++) {
		const struct event *e = &c->buffer.v[k];

		if (!is_sampled(e) || e->gone)
			continue;
		if (e->sample != NO_SAMPLE)
			s->h->truth.v[e->sample].copies++;
		write_event(s, e);
	}
	c->buffer.nr -= nr;
	c->left = c->buffer.nr;
	if (c->buffer.nr)
		memmove(c->buffer.v, c->buffer.v + nr, c->buffer.nr * sizeof(*c->buffer.v));
}

/*
 * The recorder comes round: the buffers in any order, and of each what is in it, but perhaps for
 * the last few records, which came after it had looked. Sometimes it writes a stretch twice.
 */
static void drain(struct sim *s, bool all)
{
	u8 order[MAX_CPUS];

	any_order(s, order);
	for (u32 i = 0; i < s->o->cpus; i++)
		drain_cpu(s, &s->cpus[order[i]], all);
	builder__round(s->h->b);
}

/* Too old: what came since has taken its room. */
static void overwrite(struct sim *s, struct event *e)
{
	e->gone = true;
	if (e->sample != NO_SAMPLE)
		s->h->truth.v[e->sample].copies = 0;
	for (size_t i = 0; i < s->h->truth.nr && e->user; i++)
		if (s->h->truth.v[i].user == e->user)
			s->h->truth.v[i].user = 0;
}

/*
 * Buffers of samples and user parts that are written over, the newest record in front. What tells
 * of threads has buffers of its own, which are not.
 */
static void dump_reversed(struct sim *s)
{
	u8 order[MAX_CPUS];

	any_order(s, order);
	for (u32 i = 0; i < s->o->cpus; i++) {
		struct cpu *c = &s->cpus[i];

		for (size_t k = 0; k < c->buffer.nr; k++)
			if (!is_sampled(&c->buffer.v[k]))
				write_event(s, &c->buffer.v[k]);
	}
	for (u32 i = 0; i < s->o->cpus; i++) {
		struct cpu *c = &s->cpus[order[i]];
		size_t old = draw(s, c->buffer.nr / 2 + 1);

		for (size_t k = c->buffer.nr; k-- > 0;) {
			if (!is_sampled(&c->buffer.v[k]))
				continue;
			if (k < old)
				overwrite(s, &c->buffer.v[k]);
			write_event(s, &c->buffer.v[k]);
		}
		c->buffer.nr = 0;
	}
	builder__round(s->h->b);
}

/* Nobody says goodbye; a second recording follows the first one. */
static void reboot(struct sim *s)
{
	drain(s, true);
	for (u32 i = 0; i < s->o->threads; i++)
		s->threads[i].alive = s->threads[i].in_kernel = false;
	for (u32 i = 0; i < s->o->cpus; i++) {
		s->cpus[i].counter = 0;
		s->cpus[i].full = 0;
		s->cpus[i].lossy = false;
	}
	s->time += 1000000;
}

static void set_up(struct sim *s)
{
	struct perf_event_attr attr = BUILDER_ATTR;

	if (may(s, HISTORY_NO_TIME))
		attr.sample_type &= ~(u64)PERF_SAMPLE_TIME;
	s->h->b = builder__new();
	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr__set_bit(&attr, ATTR_BIT_DEFER_OUTPUT, true);
	builder__event(s->h->b, &attr, "one", (u64[]){ 11 }, 1);
	attr__set_bit(&attr, ATTR_BIT_DEFER_OUTPUT, false);
	builder__event(s->h->b, &attr, "two", (u64[]){ 21 }, 1);
	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, false);
	builder__event(s->h->b, &attr, "three", (u64[]){ 31 }, 1);
	for (u32 i = 0; i < s->o->cpus; i++)
		s->cpus[i].skew = may(s, HISTORY_SKEW) ? draw(s, SKEW_MAX) : 0;
	for (u32 i = 0; i < s->o->threads; i++) {
		struct sim_thread *t = &s->threads[i];

		t->tid = 100 + i;
		t->pid = 100 + i / 3 * 3; /* processes of three threads */
		t->cpu = may(s, HISTORY_NO_TIME) ? i : draw(s, s->o->cpus);
		begin(s, t);
	}
}

void history__make(struct history *h, const struct history_opts *opts)
{
	struct sim *s = xzalloc(sizeof(*s));

	TEST_TRUE(opts->threads <= MAX_THREADS && opts->cpus <= MAX_CPUS);
	TEST_TRUE(!(opts->spice & HISTORY_NO_TIME) || opts->cpus >= opts->threads);
	*h = (struct history){};
	s->h = h;
	s->o = opts;
	s->random = opts->seed;
	s->time = 1000;
	s->next_user = 1;
	s->next_comm = 1;
	set_up(s);
	for (u32 i = 1; i <= opts->steps; i++) {
		step(s);
		if (may(s, HISTORY_REBOOT) && chance(s, 1) && chance(s, 20))
			reboot(s);
		if (i % ROUND_STEPS == 0 && !may(s, HISTORY_REVERSED))
			drain(s, false);
	}
	if (may(s, HISTORY_REVERSED))
		dump_reversed(s);
	else
		drain(s, true);
	for (u32 i = 0; i < opts->threads; i++)
		vec__free(&s->threads[i].samples);
	for (u32 i = 0; i < opts->cpus; i++)
		vec__free(&s->cpus[i].buffer);
	free(s);
}

void history__free(struct history *h)
{
	builder__free(h->b);
	vec__free(&h->truth);
}
