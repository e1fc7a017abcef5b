// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../base/clock.h"
#include "../text/json-lines.h"
#include "../text/off-cpu-text.h"
#include "brief-waits-text.h"

#define STANDS_OUT 30.0   /* percent of the blocked time that is worth a sentence */
#define MUCH_RUNNABLE 0.2 /* of the time that threads wanted a CPU */

static double seconds(u64 ns)
{
	return (double)ns / NSEC_PER_SEC;
}

/* "12:name", of the key's "     12:name". */
static const char *waker_name(const struct brief_wait *w)
{
	return w->waker + strspn(w->waker, " ");
}

static bool is_interrupt(const char *waker)
{
	return *waker == '[';
}

/* Who has ended it, in the words of what it was. */
static const char *waker_words(const struct brief_wait *w)
{
	switch (w->what) {
	case WAIT_LOCK:
	case WAIT_KERNEL_LOCK:
	case WAIT_FILE_LOCK:
		return "held by";
	case WAIT_PIPE:
	case WAIT_SOCKET:
	case WAIT_MESSAGE:
		return "the other end is";
	default:
		return "ended by";
	}
}

static void put_function(const struct brief_page *p, const struct brief_wait *w)
{
	if (w->frame)
		brief_page__name(p, w->frame, BRIEF_NAME_COLUMNS);
	else
		textbuf__puts(p->tb, "the kernel");
}

static void put_wait(const struct brief_page *p, const struct brief_wait *w)
{
	const char *waker = waker_name(w);

	textbuf__printf(p->tb, "%s for %s", w->frame ? "" : " waits", wait_for__text(w->what));
	if (*w->object)
		textbuf__printf(p->tb, " (%s)", w->object);
	if (*waker && !is_interrupt(waker))
		textbuf__printf(p->tb, ", %s thread %.40s", waker_words(w), waker);
}

static void put_list(const struct brief_page *p, bool runnable)
{
	const struct brief_waits *waits = p->o->waits;
	u64 all = runnable ? waits->runnable : waits->blocked;

	for (u32 i = 0; i < waits->nr; i++) {
		const struct brief_wait *w = &waits->v[i];

		if (w->runnable != runnable || 100.0 * w->ns / all < BRIEF_SHOWN_PERCENT)
			continue;
		textbuf__printf(p->tb, "  %8.3f s  ", seconds(w->ns));
		put_function(p, w);
		if (!runnable)
			put_wait(p, w);
		textbuf__printf(p->tb, "; %u time%s\n", w->nr, w->nr == 1 ? "" : "s");
	}
}

#define TAKERS 4

/* Who ran instead, the largest first, as far as the switches of whole CPUs were recorded. */
static void put_takers(const struct brief_page *p)
{
	const struct time_taker *last = NULL;

	for (u32 nr = 0; nr < TAKERS; nr++) {
		const struct time_taker *next = NULL;

		for (size_t i = 0; i < p->o->nr_takers; i++) {
			const struct time_taker *t = &p->o->takers[i];

			/* Of equal ones, the first in the table comes first. */
			if ((!last || t->ns < last->ns || (t->ns == last->ns && t > last)) &&
			    (!next || t->ns > next->ns))
				next = t;
		}
		if (!next)
			break;
		textbuf__printf(p->tb, "%s%.40s (%.3f s)", nr ? ", " : "  the CPUs went to ",
				next->comm, seconds(next->ns));
		last = next;
	}
	if (p->o->nr_takers)
		textbuf__putc(p->tb, '\n');
}

void textbuf__brief_times(const struct brief_page *p)
{
	textbuf__puts(p->tb, "\nTime of all threads: ");
	if (p->o->times)
		textbuf__state_times(p->tb, "", p->o->times->ns);
	else
		textbuf__printf(p->tb, "%.3f s blocked", seconds(p->o->waits->blocked));
	textbuf__puts(p->tb, "\n");
}

void textbuf__brief_waits(const struct brief_page *p)
{
	const struct brief_waits *waits = p->o->waits;

	if (waits->blocked) {
		textbuf__printf(p->tb, "\nBlocked for %.3f s, by the functions that blocked:\n",
				seconds(waits->blocked));
		put_list(p, false);
	}
	if (waits->runnable) {
		textbuf__printf(p->tb, "\nRunnable for %.3f s: these threads were ready, but "
				       "others had the CPUs:\n", seconds(waits->runnable));
		put_list(p, true);
		put_takers(p);
	}
}

static void put_blocked_note(const struct brief_page *p, const struct brief_wait *w)
{
	const struct brief_waits *waits = p->o->waits;

	textbuf__printf(p->tb, "  - %.0f %% of the blocked time is ",
			100.0 * w->ns / waits->blocked);
	put_function(p, w);
	put_wait(p, w);
	textbuf__puts(p->tb, ".\n");
}

void textbuf__brief_waits_notes(const struct brief_page *p)
{
	const struct brief_waits *waits = p->o->waits;
	const u64 *ns = p->o->times ? p->o->times->ns : NULL;

	for (u32 i = 0; i < waits->nr; i++)
		if (!waits->v[i].runnable &&
		    100.0 * waits->v[i].ns >= STANDS_OUT * waits->blocked)
			put_blocked_note(p, &waits->v[i]);
	if (ns && ns[THREAD_RUNNABLE] > MUCH_RUNNABLE * (ns[THREAD_RUNNABLE] + ns[THREAD_ON]))
		textbuf__printf(p->tb, "  - Threads that were ready had no CPU for %.0f %% of that "
				       "time: use fewer threads, stop other programs, or use more "
				       "CPUs.\n",
				100.0 * ns[THREAD_RUNNABLE] /
				(ns[THREAD_RUNNABLE] + ns[THREAD_ON]));
}

void textbuf__brief_waits_json(const struct brief_page *p)
{
	const struct brief_waits *waits = p->o->waits;

	textbuf__json_number(p->tb, "blocked_ns", waits->blocked);
	textbuf__json_number(p->tb, "runnable_ns", waits->runnable);
	textbuf__json_key(p->tb, "waits");
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < waits->nr; i++) {
		const struct brief_wait *w = &waits->v[i];
		const struct stack_frame *f = &p->h->stacks.frames.v[w->frame];

		textbuf__puts(p->tb, i ? ",{" : "{");
		textbuf__puts(p->tb, w->runnable ? "\"state\":\"runnable\"" :
						   "\"state\":\"blocked\"");
		if (!w->runnable)
			textbuf__json_text(p->tb, "for", wait_for__text(w->what));
		textbuf__json_number(p->tb, "ns", w->ns);
		textbuf__json_number(p->tb, "times", w->nr);
		if (w->frame && f->sym)
			textbuf__json_text(p->tb, "function", f->sym->name);
		if (*w->object)
			textbuf__json_text(p->tb, "object", w->object);
		if (*w->waker)
			textbuf__json_text(p->tb, "waker", waker_name(w));
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}
