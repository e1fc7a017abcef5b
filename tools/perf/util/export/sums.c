// SPDX-License-Identifier: GPL-2.0-only
#include "sums.h"

#include <stdlib.h>
#include <string.h>

static struct sum_labels labels_of(const struct sums *s, const struct export_sample *sample)
{
	u32 kept = s->kept;

	return (struct sum_labels){
		.pid = kept & SUM_PID ? sample->pid : 0,
		.tid = kept & SUM_TID ? sample->tid : 0,
		.cpu = kept & SUM_CPU ? sample->cpu : 0,
		.event = kept & SUM_EVENT ? sample->event : 0,
		.comm = kept & SUM_COMM ? sample->comm : NULL,
		.stack = kept & SUM_STACK ? sample->stack : NULL,
		.activity = kept & SUM_ACTIVITY ? sample->activity : NULL,
	};
}

static u32 number_of_labels(struct sums *s, const struct export_sample *sample)
{
	struct sum_labels l = labels_of(s, sample);
	struct index_probe p;
	u64 hash;
	u32 i;

	if (s->labels.nr && !memcmp(&s->labels.v[s->last], &l, sizeof(l)))
		return s->last;
	hash = hash_bytes(&l, sizeof(l));
	for (i = index__first(&s->labels_index, hash, &p); i;
	     i = index__next(&s->labels_index, &p))
		if (!memcmp(&s->labels.v[i - 1], &l, sizeof(l)))
			return s->last = i - 1;
	*vec__push(&s->labels) = l;
	index__add(&s->labels_index, hash, s->labels.nr);
	return s->last = s->labels.nr - 1;
}

static struct sum_waiting wanted_of(struct sums *s, const struct export_sample *sample)
{
	struct sum_waiting w = {
		.node = sample->node, .labels = number_of_labels(s, sample),
		.period = sample->period,
	};

	w.hash = hash_u64((u64)w.labels << 32 | w.node);
	return w;
}

static u32 add(struct sums *s, const struct sum_waiting *w)
{
	struct index_probe p;
	u32 i;

	for (i = index__first(&s->index, w->hash, &p); i; i = index__next(&s->index, &p))
		if (s->v.v[i - 1].node == w->node && s->v.v[i - 1].labels == w->labels)
			break;
	if (!i) {
		*vec__push(&s->v) = (struct sum){ .node = w->node, .labels = w->labels };
		i = s->v.nr;
		index__add(&s->index, w->hash, i);
	}
	s->v.v[i - 1].nr++;
	s->v.v[i - 1].period += w->period;
	return i - 1;
}

u32 sums__add(struct sums *s, const struct export_sample *sample)
{
	struct sum_waiting w = wanted_of(s, sample);

	return add(s, &w);
}

/* The sum itself can be fetched only when its slot is there. */
static void fetch_sum(const struct sums *s, const struct sum_waiting *w)
{
	u32 i = index__guess(&s->index, w->hash);

	if (i)
		__builtin_prefetch(&s->v.v[i - 1]);
}

void sums__count(struct sums *s, const struct export_sample *sample)
{
	struct sum_waiting *w;

	if (s->nr_wanted - s->nr_taken == SUMS_WAITING)
		add(s, &s->waiting[s->nr_taken++ % SUMS_WAITING]);
	w = &s->waiting[s->nr_wanted++ % SUMS_WAITING];
	*w = wanted_of(s, sample);
	index__fetch(&s->index, w->hash);
	if (s->nr_wanted > SUMS_WAITING / 2)
		fetch_sum(s, &s->waiting[(s->nr_wanted - SUMS_WAITING / 2) % SUMS_WAITING]);
}

void sums__end(struct sums *s)
{
	while (s->nr_taken < s->nr_wanted)
		add(s, &s->waiting[s->nr_taken++ % SUMS_WAITING]);
}

/*
 * Sets @place, by node, to its place in a walk of the tree. Callees have higher numbers than their
 * callers: so what is below each node is counted from the end on, and placed from the beginning.
 * @next: room for as many
 */
static void walk_nodes(const struct stack_table *t, u32 *place, u32 *next)
{
	size_t nr = t->nodes.nr;

	for (size_t i = 0; i < nr; i++)
		next[i] = 1;
	for (size_t i = nr; i-- > 1;)
		next[t->nodes.v[i].parent] += next[i];
	place[0] = 0;
	next[0] = 1;
	for (size_t i = 1; i < nr; i++) {
		u32 parent = t->nodes.v[i].parent, size = next[i];

		place[i] = next[parent];
		next[parent] += size;
		next[i] = place[i] + 1;
	}
}

void sums__by_stack(struct sums *s, const struct stack_table *t)
{
	size_t nr = t->nodes.nr;
	u32 *place = xmalloc(nr * sizeof(*place)), *start = xmalloc((nr + 1) * sizeof(*start));
	struct sum *sorted;

	sums__end(s);
	index__free(&s->index);
	sorted = xmalloc(s->v.nr * sizeof(*sorted));
	walk_nodes(t, place, start);
	memset(start, 0, (nr + 1) * sizeof(*start));
	for (size_t i = 0; i < s->v.nr; i++)
		start[place[s->v.v[i].node] + 1]++;
	for (size_t i = 0; i < nr; i++)
		start[i + 1] += start[i];
	for (size_t i = 0; i < s->v.nr; i++)
		sorted[start[place[s->v.v[i].node]]++] = s->v.v[i];
	free(place);
	free(start);
	free(s->v.v);
	s->v.v = sorted;
	s->v.max = s->v.nr;
}

void sums__free(struct sums *s)
{
	vec__free(&s->labels);
	vec__free(&s->v);
	index__free(&s->labels_index);
	index__free(&s->index);
}
