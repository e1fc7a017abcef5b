// SPDX-License-Identifier: GPL-2.0-only
#include "off-cpu.h"

#include <stdlib.h>
#include <string.h>

#include "../data/tracepoint-fields.h"
#include "made-sample.h"

#define SWITCH_TRACEPOINT "sched:sched_switch"
#define WAKE_TRACEPOINT "sched:sched_waking"
#define IN_INTERRUPT 0x18        /* common_flags: of the CPU itself, or deferred from one */
#define TASK_UNINTERRUPTIBLE 2   /* prev_state */

/* Threads that have ended are freed when there are so many of them, and more than others. */
#define FORGET_AT 1024
/* Of a file: with those that have ended. */
#define THREADS_EVER (8 * OFF_CPU_THREADS)

struct off_cpu {
	struct off_cpu_opts opts;
	const struct evsel *made, *leave, *wake; /* the latter two may be NULL */
	struct tracepoints *traces;
	struct traced_event *leave_event, *wake_event; /* NULL: no format */
	struct traced_field leave_state, wake_tid;     /* size 0: there is none */
	struct arena *names;
	VEC(struct off_cpu_thread *) threads;
	struct map64 by_tid;     /* of threads that have not ended, and of the last that has */
	u64 nr_ended, held_bytes, first_time, last_time;
	u64 until;               /* later records are of the time behind the recording */
	struct off_cpu_account account;
};

/* The events that belong to @made are those of their kind in front of it. */
static const struct evsel *find_event(const struct recording *rec, const struct evsel *made,
				      bool (*is)(const struct evsel *ev))
{
	for (u32 i = made->idx; i--;)
		if (is(rec->events.v[i]))
			return rec->events.v[i];
	return NULL;
}

static bool is_made(const struct evsel *ev)
{
	return evsel__is_off_cpu(ev) && made_sample__fits(ev);
}

bool off_cpu__is_switch_event(const struct evsel *ev)
{
	const struct perf_event_attr *a = &ev->attr;

	if (a->type == PERF_TYPE_TRACEPOINT)
		return !strcmp(ev->name, SWITCH_TRACEPOINT);
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_CONTEXT_SWITCHES &&
	       !a->freq && a->sample_period == 1;
}

static bool is_wake(const struct evsel *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT && !strcmp(ev->name, WAKE_TRACEPOINT);
}

static struct traced_event *find_format(struct off_cpu *o, const struct evsel *ev,
					const char *field, struct traced_field *out)
{
	struct traced_event *e;

	if (!ev || ev->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	o->traces = o->traces ? o->traces : tracepoints__new(o->opts.recording);
	e = traced_event__new(o->traces, ev->attr.config);
	for (u32 i = 0; e && i < e->nr; i++)
		if (!strcmp(e->fields[i].name, field) && !e->fields[i].is_array)
			*out = e->fields[i];
	return e;
}

bool off_cpu__is_wake_event(const struct off_cpu *o, const struct evsel *ev)
{
	return o && ev == o->wake;
}

struct off_cpu *off_cpu__new(const struct off_cpu_opts *opts)
{
	const struct recording *rec = opts->recording;
	const struct evsel *made = NULL;
	struct off_cpu *o;

	for (size_t i = 0; rec && i < rec->events.nr; i++)
		if (is_made(rec->events.v[i]))
			made = rec->events.v[i];
	if (!made)
		return NULL;
	o = xzalloc(sizeof(*o));
	o->opts = *opts;
	o->made = made;
	o->leave = find_event(rec, made, off_cpu__is_switch_event);
	o->wake = find_event(rec, made, is_wake);
	o->leave_event = find_format(o, o->leave, "prev_state", &o->leave_state);
	o->wake_event = find_format(o, o->wake, "pid", &o->wake_tid);
	o->account.wakes = o->wake_tid.size;
	o->names = arena__new();
	o->until = NO_TIME;
	return o;
}

static void off_cpu__drop_held(struct off_cpu *o, struct off_cpu_thread *t)
{
	if (t->held)
		o->held_bytes -= t->held->bytes;
	zfree(&t->held);
}

void off_cpu__free(struct off_cpu *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->threads.nr; i++) {
		free(o->threads.v[i]->held);
		free(o->threads.v[i]);
	}
	vec__free(&o->threads);
	map64__free(&o->by_tid);
	free(o->leave_event);
	free(o->wake_event);
	tracepoints__free(o->traces);
	arena__free(o->names);
	free(o);
}

/* Frees the threads that have ended, if it pays. */
static void off_cpu__forget(struct off_cpu *o)
{
	size_t kept = 0;

	if (!o->opts.live || o->nr_ended < FORGET_AT || o->nr_ended * 2 < o->threads.nr)
		return;
	for (size_t i = 0; i < o->threads.nr; i++) {
		struct off_cpu_thread *t = o->threads.v[i];

		if (!t->ended) {
			o->threads.v[kept++] = t;
			continue;
		}
		if (map64__get(&o->by_tid, t->tid) == t)
			map64__del(&o->by_tid, t->tid);
		free(t);
	}
	o->threads.nr = kept;
	o->nr_ended = 0;
}

static struct off_cpu_thread *off_cpu__add_thread(struct off_cpu *o, u32 pid, u32 tid)
{
	struct off_cpu_thread *t;

	off_cpu__forget(o);
	if (o->threads.nr - o->nr_ended >= OFF_CPU_THREADS || o->threads.nr >= THREADS_EVER) {
		o->account.no_room++;
		return NULL;
	}
	t = xzalloc(sizeof(*t));
	t->pid = pid;
	t->tid = tid;
	t->time.within = o->opts.within;
	*vec__push(&o->threads) = t;
	map64__set(&o->by_tid, tid, t);
	o->account.threads++;
	return t;
}

/* NULL: it is none that is followed, such as the idle task of a CPU. */
static struct off_cpu_thread *off_cpu__find(struct off_cpu *o, u32 pid, u32 tid)
{
	struct off_cpu_thread *t;

	if (!tid || tid == NO_ID)
		return NULL;
	t = map64__get(&o->by_tid, tid);
	if (t && !t->ended)
		return t;
	/* What an exiting task still does, unless its number was given away unseen. */
	if (t && t->time.losses == o->account.losses)
		return NULL;
	return off_cpu__add_thread(o, pid, tid);
}

static struct moment at(const struct off_cpu *o, u64 time)
{
	return (struct moment){ min_of(time, o->until), o->account.losses, o->account.blind };
}

/* What was waited for, as far as it is known. */
static struct off_cpu_wait wait_of(const struct off_cpu *o, const struct off_cpu_thread *t,
				   const struct off_stretch *st, u16 flags)
{
	struct off_cpu_wait w = {
		.flags = flags | t->flags, .blocked = st->blocked, .runnable = st->runnable,
		.waker_pid = NO_ID, .waker_tid = NO_ID, .arg = t->arg,
	};

	w.flags |= st->preempted ? WAIT_PREEMPTED : 0;
	w.flags |= o->account.wakes ? WAIT_WAKES_RECORDED : 0;
	w.flags &= st->woken ? -1 : ~(WAIT_WOKEN | WAIT_BY_INTERRUPT);
	if (st->woken) {
		w.waker_pid = t->waker_pid;
		w.waker_tid = t->waker_tid;
	}
	return w;
}

/* Sends the sample that is held on its way. */
static int off_cpu__emit_held(struct off_cpu *o, struct off_cpu_thread *t,
			      const struct off_stretch *st, u16 flags, u32 cpu)
{
	struct off_cpu_wait w = wait_of(o, t, st, flags);
	struct record rec = { .hdr = t->held->hdr };
	struct sample s;
	struct whole_sample ws = { .rec = &rec, .s = &s };

	made_sample__finish(t->held, o->made, st->in, cpu == NO_ID ? 0 : cpu, &w);
	/* A made-up recording may give its id to another event, too. */
	if (record__identify(&rec, o->opts.recording) || rec.event != o->made ||
	    sample__parse(&s, &rec))
		return 0;
	ws.thread = machine__thread(o->opts.machine, t->pid, t->tid);
	made_sample__describe(t->held, &ws);
	o->account.waits++;
	o->account.at_end += !!(flags & WAIT_AT_END);
	return o->opts.emit(o->opts.ctx, &ws);
}

/* A time off the CPU is over. @st: NULL: it is not known how long it was. */
static int off_cpu__stretch(struct off_cpu *o, struct off_cpu_thread *t,
			    const struct off_stretch *st, u16 flags, u32 cpu)
{
	u64 ns = st ? st->in - st->out : 0;
	int ret = 0;

	if (t->held && !st) {
		o->account.unknown++;
	} else if (t->held && ns < o->made->attr.config2) {
		o->account.short_waits++;
		o->account.short_ns += ns;
	} else if (t->held) {
		ret = off_cpu__emit_held(o, t, st, flags, cpu);
	} else if (st && o->leave && !(t->flags & WAIT_ELSEWHERE) && o->opts.live &&
		   !o->opts.keep) {
		o->account.no_stack++;
	}
	off_cpu__drop_held(o, t);
	t->flags = 0;
	return ret;
}

static void off_cpu__hold(struct off_cpu *o, struct off_cpu_thread *t,
			  const struct whole_sample *ws)
{
	struct made_sample *made;

	if (t->held)
		o->account.unknown++;
	off_cpu__drop_held(o, t);
	made = made_sample__new(o->made, ws, t->pid, t->tid, t->flags);
	if (o->held_bytes + made->bytes > OFF_CPU_BYTES) {
		o->account.no_room++;
		free(made);
		return;
	}
	t->held = made;
	o->held_bytes += made->bytes;
}

/* Whether its stack is not known yet, but will be when the file is read. */
static bool is_unfinished(const struct whole_sample *ws)
{
	return ws->user_part == USER_PART_KEPT || ws->deferred == DEFERRED_PASSED;
}

static u16 leave_flags(const struct off_cpu *o, const struct sample *s)
{
	u64 state;

	if (!o->leave_state.size || !traced_event__fits(o->traces, o->leave->attr.config, s->raw,
							s->raw_size))
		return 0;
	state = traced_field__number(&o->leave_state, o->leave_event->swapped, s->raw);
	return state & TASK_UNINTERRUPTIBLE ? WAIT_UNINTERRUPTIBLE : 0;
}

/* The register of a task of 64 bits that has the first argument of a system call; -1: not known. */
static int arg_register(const struct off_cpu *o)
{
	const char *arch = o->opts.recording->arch;

	/* PERF_REG_X86_DI and PERF_REG_ARM64_X0 of the kernel's perf_regs.h */
	if (arch && !strcmp(arch, "x86_64"))
		return 5;
	return arch && !strcmp(arch, "aarch64") ? 0 : -1;
}

static void thread__note_arg(struct off_cpu_thread *t, const struct sample_regs *regs, int reg)
{
	u64 below = BIT_ULL(max_of(reg, 0)) - 1;

	t->arg = 0;
	if (reg < 0 || regs->abi != PERF_SAMPLE_REGS_ABI_64 || !(regs->mask >> reg & 1))
		return;
	t->arg = regs->v[__builtin_popcountll(regs->mask & below)];
	t->flags |= WAIT_HAS_ARG;
}

static int off_cpu__leaves(struct off_cpu *o, const struct whole_sample *ws)
{
	struct off_cpu_thread *t = off_cpu__find(o, ws->s->pid, ws->s->tid);

	if (t) {
		thread_time__leaving(&t->time, at(o, ws->rec->time));
		t->flags = leave_flags(o, ws->s);
		thread__note_arg(t, &ws->s->user_regs, arg_register(o));
	}
	if (o->opts.keep)
		return o->opts.emit(o->opts.ctx, ws);
	if (is_unfinished(ws)) {
		if (t)
			t->flags |= WAIT_ELSEWHERE;
		return o->opts.emit(o->opts.ctx, ws);
	}
	if (t)
		off_cpu__hold(o, t, ws);
	return 0;
}

static int off_cpu__wakes(struct off_cpu *o, const struct whole_sample *ws)
{
	const struct sample *s = ws->s;
	struct off_cpu_thread *t;
	u64 flags;

	if (o->wake_tid.size && traced_event__fits(o->traces, o->wake->attr.config, s->raw,
						   s->raw_size)) {
		t = map64__get(&o->by_tid, (u32)traced_field__number(&o->wake_tid,
								     o->wake_event->swapped,
								     s->raw));
		flags = traced_field__number(&o->wake_event->flags, o->wake_event->swapped, s->raw);
		if (t && !t->ended && !(t->flags & WAIT_WOKEN) &&
		    thread_time__wake(&t->time, at(o, ws->rec->time))) {
			t->flags |= WAIT_WOKEN | (flags & IN_INTERRUPT ? WAIT_BY_INTERRUPT : 0);
			t->waker_pid = s->pid;
			t->waker_tid = s->tid;
		}
	}
	return o->opts.keep ? o->opts.emit(o->opts.ctx, ws) : 0;
}

/* A sample that was made when the recording was: its thread's time is counted as it says. */
static void off_cpu__note_made(struct off_cpu *o, const struct whole_sample *ws)
{
	struct off_cpu_thread *t = off_cpu__find(o, ws->s->pid, ws->s->tid);
	struct off_cpu_wait w;
	struct off_stretch st;

	if (!t || !off_cpu_wait__decode(&w, ws->s) || w.blocked > ws->rec->time ||
	    w.runnable > ws->rec->time - w.blocked)
		return;
	st = (struct off_stretch){
		.out = ws->rec->time - w.blocked - w.runnable, .in = ws->rec->time,
		.blocked = w.blocked, .runnable = w.runnable,
	};
	thread_time__whole(&t->time, &st, o->account.losses);
	o->account.waits++;
	o->account.at_end += !!(w.flags & WAIT_AT_END);
	o->account.wakes |= w.flags & WAIT_WAKES_RECORDED;
	t->flags |= WAIT_ELSEWHERE;
}

static void off_cpu__note_time(struct off_cpu *o, u64 time)
{
	if (time == NO_TIME)
		return;
	o->first_time = o->first_time ?: time;
	o->last_time = max_of(o->last_time, min_of(time, o->until));
}

int off_cpu__sample(struct off_cpu *o, const struct whole_sample *ws)
{
	const struct evsel *ev = ws->rec->event;
	struct off_cpu_thread *t;

	if (ws->rec->time == NO_TIME)
		return o->opts.emit(o->opts.ctx, ws);
	off_cpu__note_time(o, ws->rec->time);
	if (ev == o->leave)
		return off_cpu__leaves(o, ws);
	if (ev == o->wake)
		return off_cpu__wakes(o, ws);
	if (ev == o->made) {
		off_cpu__note_made(o, ws);
	} else {
		t = off_cpu__find(o, ws->s->pid, ws->s->tid);
		if (t)
			thread_time__on(&t->time, at(o, ws->rec->time));
	}
	return o->opts.emit(o->opts.ctx, ws);
}

static int off_cpu__switch(struct off_cpu *o, const struct record *rec)
{
	struct off_cpu_thread *t = off_cpu__find(o, rec->pid, rec->tid);
	struct switch_record sw;
	struct off_stretch st;
	bool known;

	if (!t || record__switch(rec, &sw))
		return 0;
	if (!sw.out) {
		known = thread_time__in(&t->time, at(o, rec->time), &st);
		return off_cpu__stretch(o, t, known ? &st : NULL, 0, rec->cpu);
	}
	thread_time__out(&t->time, at(o, rec->time), sw.preempt);
	if (!t->held && o->opts.live && o->made->attr.config1 & MADE_NO_STACKS && !o->opts.keep)
		off_cpu__hold(o, t, NULL);
	return 0;
}

static int off_cpu__end_thread(struct off_cpu *o, struct off_cpu_thread *t, u64 time, u16 flags)
{
	struct off_stretch st;
	const struct thread *known = machine__find_thread(o->opts.machine, t->tid);
	bool off = thread_time__end(&t->time, at(o, time), &st);
	int ret;

	if (!o->opts.live && known)
		t->comm = arena__intern(o->names, known->comm);
	/* From here on @known may be another thread's. */
	ret = off_cpu__stretch(o, t, off ? &st : NULL, flags, NO_ID);
	for (int i = 0; i < THREAD_STATES; i++)
		o->account.ns[i] += t->time.ns[i];
	t->ended = true;
	o->nr_ended++;
	return ret;
}

static int off_cpu__task(struct off_cpu *o, const struct record *rec)
{
	struct off_cpu_thread *t;
	struct task_record task;
	int ret = 0;

	if (record__task(rec, &task) || !task.tid || task.tid == NO_ID)
		return 0;
	t = map64__get(&o->by_tid, task.tid);
	if (t && !t->ended) {
		if (rec->hdr->type == PERF_RECORD_FORK && t->pid == task.pid)
			return 0; /* it ran before we were told of it: clocks differ */
		ret = off_cpu__end_thread(o, t, rec->time, 0);
	}
	if (rec->hdr->type == PERF_RECORD_FORK) {
		t = off_cpu__add_thread(o, task.pid, task.tid);
		if (t)
			thread_time__born(&t->time, at(o, rec->time));
	}
	return ret;
}

/* A thread that begins another program is on a CPU. */
static void off_cpu__comm(struct off_cpu *o, const struct record *rec)
{
	struct off_cpu_thread *t;
	struct comm_record comm;

	if (record__comm(rec, &comm) || !comm.exec)
		return;
	t = off_cpu__find(o, comm.pid, comm.tid);
	if (t)
		thread_time__on(&t->time, at(o, rec->time));
}

void off_cpu__until(struct off_cpu *o, u64 time)
{
	o->until = time;
	o->last_time = max_of(o->last_time, time);
}

bool off_cpu__is_behind(const struct off_cpu *o, const struct record *rec)
{
	u32 type = rec->hdr->type;

	return o && (type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE) &&
	       rec->time != NO_TIME && rec->time > o->until;
}

int off_cpu__record(struct off_cpu *o, const struct record *rec)
{
	struct lost_record lost;

	if (rec->time == NO_TIME || !rec->time) /* synthesized */
		return 0;
	off_cpu__note_time(o, rec->time);
	switch (rec->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return off_cpu__switch(o, rec);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return off_cpu__task(o, rec);
	case PERF_RECORD_COMM:
		off_cpu__comm(o, rec);
		return 0;
	case PERF_RECORD_LOST:
		o->account.losses++;
		o->account.blind |= !record__lost(rec, &lost) && !lost.lost;
		break;
	case PERF_RECORD_LOST_SAMPLES:
		o->account.losses += !record__lost(rec, &lost) && !lost.lost;
	}
	return 0;
}

/* If records were lost, its own may be among them: then the length is unknown. */
void off_cpu__slept(struct off_cpu *o, const struct whole_sample *ws)
{
	struct off_cpu_thread *t;

	if (!o->first_time || o->opts.keep || map64__get(&o->by_tid, ws->s->tid))
		return;
	t = off_cpu__add_thread(o, ws->s->pid, ws->s->tid);
	if (!t)
		return;
	thread_time__out(&t->time, (struct moment){ .time = o->first_time }, false);
	t->flags = WAIT_FROM_START;
	off_cpu__hold(o, t, ws);
}

int off_cpu__finish(struct off_cpu *o)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < o->threads.nr; i++)
		if (!o->threads.v[i]->ended)
			ret = off_cpu__end_thread(o, o->threads.v[i], o->last_time, WAIT_AT_END);
	return ret;
}

const struct off_cpu_account *off_cpu__account(const struct off_cpu *o)
{
	return &o->account;
}

const struct off_cpu_thread *off_cpu__thread(const struct off_cpu *o, size_t i)
{
	return i < o->threads.nr ? o->threads.v[i] : NULL;
}

const struct off_cpu_thread *off_cpu__thread_of(const struct off_cpu *o, u32 tid)
{
	return map64__get(&o->by_tid, tid);
}
