// SPDX-License-Identifier: GPL-2.0-only
#include "time.h"

#include <stdlib.h>

#include "../text/off-cpu-text.h"

#define INTERRUPT "[interrupt]"

void report_time__begin(struct report_time *t, const struct off_cpu *o, const struct recording *rec)
{
	t->parts = time_parts__new(o, rec);
	t->wakers = wakers__new();
	t->counts_running = t->opts->latency || t->opts->only ||
			    column_list__has(t->keys, COLUMN_PARALLELISM);
}

void report_time__end(struct report_time *t)
{
	time_parts__free(t->parts);
	wakers__free(t->wakers);
	parallelism__free(&t->parallelism);
	zfree(&t->within.v);
	vec__free(&t->takers);
	map64__free(&t->taker_of);
}

const struct time_within *report_time__within(struct report_time *t,
					      const struct time_ranges *ranges)
{
	if (!ranges->nr)
		return NULL;
	t->within.v = xmalloc(ranges->nr * sizeof(*t->within.v));
	t->within.nr = ranges->nr;
	for (u32 i = 0; i < ranges->nr; i++) {
		t->within.v[i].from = ranges->v[i].start;
		t->within.v[i].to = ranges->v[i].stop;
	}
	return &t->within;
}

static const char *comm_of(const struct report_time *t, u32 tid)
{
	const struct thread *thread = machine__find_thread(t->machine, tid);

	if (tid == WAKER_INTERRUPT)
		return INTERRUPT;
	return !tid ? "swapper" : thread ? thread->comm : "?";
}

static const char *waker_of(const struct report_time *t, const struct time_part *part)
{
	const char *name;
	char *text;

	if (!column_list__has(t->keys, COLUMN_WAKER))
		return NULL;
	if (part->by_interrupt)
		return INTERRUPT;
	if (part->waker_tid == NO_ID)
		return "";
	text = xasprintf("%7d:%s", (int)part->waker_tid, comm_of(t, part->waker_tid));
	name = arena__intern(t->arena, text);
	free(text);
	return name;
}

/* "link-9 < link-8 < main": who woke it, and who woke that one. */
static const char *wakers_of(const struct report_time *t, const struct whole_sample *ws)
{
	u32 tids[WAKERS_MAX], nr;
	struct textbuf tb;
	const char *name;

	if (!column_list__has(t->keys, COLUMN_WAKERS))
		return NULL;
	nr = wakers__chain(t->wakers, ws, tids);
	textbuf__init(&tb, -1);
	for (u32 i = 0; i < nr; i++) {
		textbuf__puts(&tb, i ? " < " : "");
		textbuf__puts(&tb, comm_of(t, tids[i]));
	}
	name = arena__intern(t->arena, textbuf__str(&tb));
	textbuf__free(&tb);
	return name;
}

void report_time__record(struct report_time *t, const struct record *rec)
{
	struct switch_record sw;
	u64 taker;

	if (record__switch(rec, &sw) || !sw.out)
		return;
	taker = sw.preempt && sw.next_prev_tid != NO_ID ? (u64)sw.next_prev_tid + 1 : 0;
	map64__set(&t->taker_of, (u64)rec->tid + 1, (void *)(uintptr_t)taker);
}

/* Counts runnable time for the command that got the CPU. */
static void count_taker(struct report_time *t, const struct whole_sample *ws, u64 ns)
{
	u64 taker = (uintptr_t)map64__get(&t->taker_of, (u64)ws->rec->tid + 1);
	const char *comm;
	size_t i = 0;

	if (!taker)
		return;
	comm = arena__intern(t->arena, comm_of(t, taker - 1));
	while (i < t->takers.nr && t->takers.v[i].comm != comm)
		i++;
	if (i == t->takers.nr)
		*vec__push(&t->takers) = (struct time_taker){ .comm = comm };
	t->takers.v[i].ns += ns;
}

u32 report_time__parts(struct report_time *t, const struct whole_sample *ws, struct time_part *out)
{
	bool waits = evsel__is_off_cpu(ws->rec->event);
	u32 nr;

	t->running = 0;
	if (t->counts_running && !waits)
		t->running = parallelism__sample(&t->parallelism, ws->rec);
	t->chain = waits ? wakers_of(t, ws) : "";
	if (t->opts->off_cpu && !waits)
		return 0;
	nr = time_parts__of(t->parts, ws, out);
	for (u32 i = 0; waits && i < nr; i++)
		if (out[i].state == THREAD_RUNNABLE)
			count_taker(t, ws, out[i].ns);
	if (t->opts->wall || waits)
		return nr;
	out[0] = (struct time_part){ .state = THREAD_ON, .waker_tid = NO_ID,
				     .ns = ws->s->period / (t->opts->latency ? t->running : 1) };
	return 1;
}

void report_time__describe(struct report_time *t, const struct time_part *part,
			   struct hist_context *c)
{
	c->part = part->nr;
	c->state = thread_state__name(part->state, part->uninterruptible);
	c->waker = waker_of(t, part);
	c->wakers = t->chain;
	c->parallelism = t->running;
}
