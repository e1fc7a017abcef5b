// SPDX-License-Identifier: GPL-2.0-only
#include "time-parts.h"

#include <stdlib.h>

struct time_parts {
	const struct off_cpu *off_cpu;
	const struct evsel *running; /* NULL: no event samples what runs */
	struct map64 used;           /* tid -> struct used */
	u64 sum[THREAD_STATES];
};

/* What the samples of a thread were worth so far. */
struct used {
	const struct off_cpu_thread *thread; /* to know another one of this tid; not looked into */
	u64 ns;
};

static bool samples_what_runs(const struct evsel *ev)
{
	const struct perf_event_attr *a = &ev->attr;

	if (a->type == PERF_TYPE_TRACEPOINT || evsel__is_off_cpu(ev) ||
	    off_cpu__is_switch_event(ev))
		return false;
	return a->type != PERF_TYPE_SOFTWARE || a->config != PERF_COUNT_SW_DUMMY;
}

struct time_parts *time_parts__new(const struct off_cpu *o, const struct recording *rec)
{
	struct time_parts *tp = xzalloc(sizeof(*tp));

	tp->off_cpu = o;
	for (size_t i = 0; o && !tp->running && i < rec->events.nr; i++)
		if (samples_what_runs(rec->events.v[i]))
			tp->running = rec->events.v[i];
	return tp;
}

void time_parts__free(struct time_parts *tp)
{
	if (!tp)
		return;
	map64__for_each(&tp->used, slot)
		free(slot->value);
	map64__free(&tp->used);
	free(tp);
}

static u32 parts_of_wait(const struct sample *s, struct time_part *out)
{
	struct off_cpu_wait w = { .blocked = s->period, .waker_pid = NO_ID, .waker_tid = NO_ID };
	struct time_part part;
	u32 nr = 0;

	if (!off_cpu_wait__decode(&w, s))
		w = (struct off_cpu_wait){ .blocked = s->period, .waker_pid = NO_ID,
					   .waker_tid = NO_ID };
	part = (struct time_part){
		.uninterruptible = w.flags & WAIT_UNINTERRUPTIBLE,
		.by_interrupt = w.flags & WAIT_BY_INTERRUPT,
		.waker_pid = w.waker_pid, .waker_tid = w.waker_tid,
	};
	if (w.blocked || !w.runnable) {
		out[nr] = part;
		out[nr].state = w.flags & WAIT_PREEMPTED ? THREAD_RUNNABLE : THREAD_BLOCKED;
		out[nr++].ns = w.blocked;
	}
	if (w.runnable) {
		out[nr] = part;
		out[nr].nr = nr;
		out[nr].state = THREAD_RUNNABLE;
		out[nr].uninterruptible = false;
		out[nr++].ns = w.runnable;
	}
	return nr;
}

static u32 part_of_running(struct time_parts *tp, const struct whole_sample *ws,
			   struct time_part *out)
{
	const struct off_cpu_thread *t = off_cpu__thread_of(tp->off_cpu, ws->s->tid);
	struct used *u;
	u64 on;

	if (!t)
		return 0;
	u = map64__get(&tp->used, t->tid);
	if (!u) {
		u = xzalloc(sizeof(*u));
		map64__set(&tp->used, t->tid, u);
	}
	if (u->thread != t)
		*u = (struct used){ .thread = t };
	on = thread_time__on_cpu(&t->time, ws->rec->time);
	*out = (struct time_part){
		.state = THREAD_ON, .waker_pid = NO_ID, .waker_tid = NO_ID,
		.ns = on > u->ns ? on - u->ns : 0,
	};
	u->ns = max_of(u->ns, on);
	return 1;
}

u32 time_parts__of(struct time_parts *tp, const struct whole_sample *ws, struct time_part *out)
{
	const struct evsel *ev = ws->rec->event;
	u32 nr = 0;

	if (evsel__is_off_cpu(ev))
		nr = parts_of_wait(ws->s, out);
	else if (ev == tp->running && ws->rec->time != NO_TIME)
		nr = part_of_running(tp, ws, out);
	for (u32 i = 0; i < nr; i++)
		tp->sum[out[i].state] += out[i].ns;
	return nr;
}

u64 time_parts__left(const struct time_parts *tp, enum thread_state state)
{
	u64 all = tp->off_cpu ? off_cpu__account(tp->off_cpu)->ns[state] : 0;

	return all > tp->sum[state] ? all - tp->sum[state] : 0;
}
