// SPDX-License-Identifier: GPL-2.0-only
#include "sums.h"

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

u32 sums__add(struct sums *s, const struct export_sample *sample)
{
	u32 labels = number_of_labels(s, sample), i;
	u64 hash = hash_u64((u64)labels << 32 | sample->node);
	struct index_probe p;

	for (i = index__first(&s->index, hash, &p); i; i = index__next(&s->index, &p))
		if (s->v.v[i - 1].node == sample->node && s->v.v[i - 1].labels == labels)
			break;
	if (!i) {
		*vec__push(&s->v) = (struct sum){ .node = sample->node, .labels = labels };
		i = s->v.nr;
		index__add(&s->index, hash, i);
	}
	s->v.v[i - 1].nr++;
	s->v.v[i - 1].period += sample->period;
	return i - 1;
}

void sums__free(struct sums *s)
{
	vec__free(&s->labels);
	vec__free(&s->v);
	index__free(&s->labels_index);
	index__free(&s->index);
}
