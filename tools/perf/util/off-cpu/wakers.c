// SPDX-License-Identifier: GPL-2.0-only
#include "wakers.h"

#include <stdlib.h>

/*
 * Of each thread so many waits are remembered: it may have waited again since it woke another one,
 * which needed time to get a CPU.
 */
#define WAITS_KEPT 8

struct past_wait {
	u64 in, woken;          /* when it was back, and when it was woken; in 0: none */
	u32 waker;              /* NO_ID: unknown; WAKER_INTERRUPT */
};

struct past_waits {
	struct past_wait v[WAITS_KEPT];
	u32 nr;                 /* ever */
};

struct wakers {
	struct map64 by_tid;    /* struct past_waits */
};

struct wakers *wakers__new(void)
{
	return xzalloc(sizeof(struct wakers));
}

void wakers__free(struct wakers *w)
{
	if (!w)
		return;
	map64__for_each(&w->by_tid, slot)
		free(slot->value);
	map64__free(&w->by_tid);
	free(w);
}

/* The last wait of @tid that ended from @from to @until; NULL: none. */
static const struct past_wait *find_wait(const struct wakers *w, u32 tid, u64 from, u64 until)
{
	const struct past_waits *waits = map64__get(&w->by_tid, tid);
	const struct past_wait *found = NULL;

	for (u32 i = 0; waits && i < WAITS_KEPT; i++) {
		const struct past_wait *p = &waits->v[i];

		if (p->in >= from && p->in <= until && p->in && (!found || p->in > found->in))
			found = p;
	}
	return found;
}

static void remember(struct wakers *w, u32 tid, const struct past_wait *p)
{
	struct past_waits *waits = map64__get(&w->by_tid, tid);

	if (!waits && w->by_tid.nr >= OFF_CPU_THREADS)
		return;
	if (!waits) {
		waits = xzalloc(sizeof(*waits));
		map64__set(&w->by_tid, tid, waits);
	}
	waits->v[waits->nr++ % WAITS_KEPT] = *p;
}

u32 wakers__chain(struct wakers *w, const struct whole_sample *ws, u32 *tids)
{
	struct off_cpu_wait wait;
	struct past_wait link;
	u64 out, time = ws->rec->time;
	u32 nr = 0;

	if (time == NO_TIME || !off_cpu_wait__decode(&wait, ws->s) ||
	    ws->s->period > time || wait.runnable > ws->s->period)
		return 0;
	out = time - ws->s->period;
	link = (struct past_wait){ .in = time, .woken = time - wait.runnable, .waker = NO_ID };
	if (wait.flags & WAIT_WOKEN)
		link.waker = wait.flags & WAIT_BY_INTERRUPT ? WAKER_INTERRUPT : wait.waker_tid;
	remember(w, ws->s->tid, &link);
	while (link.waker != NO_ID && nr < WAKERS_MAX) {
		const struct past_wait *p;

		tids[nr++] = link.waker;
		p = link.waker == WAKER_INTERRUPT ? NULL :
		    find_wait(w, link.waker, out, link.woken);
		if (!p)
			break;
		link = *p;
	}
	return nr;
}
