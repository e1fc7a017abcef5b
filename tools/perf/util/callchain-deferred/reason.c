// SPDX-License-Identifier: GPL-2.0-only
/* Why a sample has no deferred record: lost records, execs, exits and reuse of tids by time. */
#include <stdlib.h>

#include "../../../lib/unwind/core/sorted.h"
#include "priv.h"

/*
 * A LOST record is written when there is room again: records were lost between it and the previous
 * one in the same buffer. A buffer's records are contiguous in the file. If the previous record is
 * of another buffer, its time may be later: then only the end of the span is known.
 */
void deferred__note_loss(struct deferred *d, const struct record *rec)
{
	u64 from = d->time_before;

	if (rec->time == NO_TIME)
		return;
	if (from == NO_TIME || from > rec->time)
		from = rec->time;
	*vec__push(&d->losses) = (struct loss){ .from = from, .to = rec->time };
}

static int moment_cmp_qsort(const void *a, const void *b)
{
	return moment_cmp(a, b);
}

static void moments__sort(moments *m)
{
	if (m->nr > 1)
		qsort(m->v, m->nr, sizeof(*m->v), moment_cmp_qsort);
}

static int loss_cmp(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	return compare_of(x->from, y->from);
}

static void merge_losses(struct deferred *d)
{
	size_t nr = 0;

	if (!d->losses.nr)
		return;
	qsort(d->losses.v, d->losses.nr, sizeof(*d->losses.v), loss_cmp);
	for (size_t i = 1; i < d->losses.nr; i++) {
		struct loss *last = &d->losses.v[nr];

		if (d->losses.v[i].from <= last->to)
			last->to = max_of(last->to, d->losses.v[i].to);
		else
			d->losses.v[++nr] = d->losses.v[i];
	}
	d->losses.nr = nr + 1;
}

void deferred__seal_reasons(struct deferred *d)
{
	map64__for_each(&d->lives, slot) {
		struct life *life = slot->value;

		moments__sort(&life->born);
		moments__sort(&life->exited);
	}
	map64__for_each(&d->execs, slot)
		moments__sort(slot->value);
	merge_losses(d);
}

/* The first of @m that is after @when, or NULL. */
static const struct moment *first_after(const moments *m, const struct moment *when)
{
	size_t at = partition_point(m->nr, i, moment_cmp(&m->v[i], when) <= 0);

	return at < m->nr ? &m->v[at] : NULL;
}

bool moments__any_between(const moments *m, const struct moment *a, const struct moment *b)
{
	bool ordered = moment_cmp(a, b) <= 0;
	const struct moment *first = m ? first_after(m, ordered ? a : b) : NULL;

	return first && moment_cmp(first, ordered ? b : a) < 0;
}

static bool lost_between(const struct deferred *d, u64 from, u64 to)
{
	size_t at = partition_point(d->losses.nr, i, d->losses.v[i].to < from);

	return at < d->losses.nr && d->losses.v[at].from <= to;
}

enum deferred_result deferred__why_missing(const struct deferred *d, const struct task *t,
					   const struct life *lives, const struct moment *record,
					   const moments *execs, const struct moment *when,
					   u64 cookie)
{
	const struct moment *exec = execs ? first_after(execs, when) : NULL;
	const struct moment *exit = lives ? first_after(&lives->exited, when) : NULL;
	const struct moment *life = record;

	if (t && t->seen && t->last_cookie != cookie &&
	    moment_cmp(&t->last_cookie_since, when) > 0 &&
	    (!life || moment_cmp(&t->last_cookie_since, life) < 0))
		life = &t->last_cookie_since;
	if (exec && (!life || moment_cmp(exec, life) < 0) &&
	    (!exit || moment_cmp(exec, exit) < 0))
		return DEFERRED_EXEC;
	if (exit && (!life || moment_cmp(exit, life) < 0))
		return DEFERRED_EXITED;
	if (!life)
		return DEFERRED_IN_KERNEL;
	if (when->time != NO_TIME && life->time != NO_TIME &&
	    lost_between(d, when->time, life->time))
		return DEFERRED_LOST;
	return DEFERRED_NO_RECORD;
}
