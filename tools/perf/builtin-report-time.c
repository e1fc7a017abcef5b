// SPDX-License-Identifier: GPL-2.0-only
#include "builtin-report-time.h"

#include <stdlib.h>

#include "util/text/off-cpu-text.h"

#define INTERRUPT "[interrupt]"

void report_time__begin(struct report_time *t, const struct off_cpu *o, const struct recording *rec)
{
	t->parts = time_parts__new(o, rec);
	t->wakers = wakers__new();
	t->counts_running = t->latency || t->only || column_list__has(t->keys, COLUMN_PARALLELISM);
}

void report_time__end(struct report_time *t)
{
	time_parts__free(t->parts);
	wakers__free(t->wakers);
	parallelism__free(&t->parallelism);
	zfree(&t->levels.bits);
	zfree(&t->within.v);
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
	for (u32 i = 0; i < nr; i++)
		textbuf__printf(&tb, "%s%s", i ? " < " : "", comm_of(t, tids[i]));
	name = arena__intern(t->arena, textbuf__str(&tb));
	textbuf__free(&tb);
	return name;
}

u32 report_time__parts(struct report_time *t, const struct whole_sample *ws, struct time_part *out)
{
	bool waits = evsel__is_off_cpu(ws->rec->event);
	u32 nr;

	t->running = 0;
	if (t->counts_running && !waits)
		t->running = parallelism__sample(&t->parallelism, ws->rec);
	t->chain = waits ? wakers_of(t, ws) : "";
	if (t->off_cpu && !waits)
		return 0;
	nr = time_parts__of(t->parts, ws, out);
	if (t->wall || waits)
		return nr;
	out[0] = (struct time_part){ .state = THREAD_ON, .waker_tid = NO_ID,
				     .ns = ws->s->period / (t->latency ? t->running : 1) };
	return 1;
}

void report_time__describe(struct report_time *t, const struct time_part *part,
			   struct hist_context *c)
{
	c->state = thread_state__name(part->state, part->uninterruptible);
	c->waker = waker_of(t, part);
	c->wakers = t->chain;
	c->parallelism = t->running;
}
