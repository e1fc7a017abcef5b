// SPDX-License-Identifier: GPL-2.0-only
#include "series.h"

#include <stdlib.h>

static struct series *series_of(struct series_set *set, const struct export_sample *s)
{
	u64 hash = hash_u64(((u64)s->tid << 32 | s->event) ^ (uintptr_t)s->comm << 8);
	struct index_probe p;

	for (u32 i = index__first(&set->index, hash, &p); i; i = index__next(&set->index, &p)) {
		struct series *have = &set->v.v[i - 1];

		if (have->pid == s->pid && have->tid == s->tid && have->event == s->event &&
		    have->comm == s->comm)
			return have;
	}
	*vec__push(&set->v) = (struct series){
		.pid = s->pid, .tid = s->tid, .event = s->event, .comm = s->comm,
	};
	index__add(&set->index, hash, set->v.nr);
	return &set->v.v[set->v.nr - 1];
}

/* A sample stands for the time in front of it. */
static void add_gap(struct series *series, const struct export_sample *s)
{
	u64 stands_for = s->period < UINT64_MAX / 2 ? s->period : 0;

	if (s->time < series->until || s->time - series->until <= 2 * stands_for)
		return;
	*vec__push(&series->points) = (struct series_point){
		.time = s->time - stands_for, .period = s->time - stands_for - series->until,
		.cpu = NO_ID,
	};
}

void series_set__add(struct series_set *set, const struct export_sample *s)
{
	struct series *series = series_of(set, s);
	struct series_point *last;

	if (set->gaps && set->gaps[s->event] && series->points.nr)
		add_gap(series, s);
	series->until = max_of(series->until, s->time);
	last = series->points.nr ? &series->points.v[series->points.nr - 1] : NULL;
	if (set->merge && last && last->node == s->node) {
		last->period += s->period;
		return;
	}
	*vec__push(&series->points) = (struct series_point){ s->time, s->period, s->node, s->cpu };
}

void series__put_periods(const struct series *s, struct textbuf *tb)
{
	for (size_t i = 0; i < s->points.nr; i++) {
		textbuf__putc(tb, i ? ',' : '[');
		textbuf__dec(tb, s->points.v[i].period, 0);
	}
	textbuf__puts(tb, s->points.nr ? "]" : "[]");
}

void series_set__free(struct series_set *set)
{
	for (size_t i = 0; i < set->v.nr; i++)
		vec__free(&set->v.v[i].points);
	vec__free(&set->v);
	index__free(&set->index);
	free(set->gaps);
}
