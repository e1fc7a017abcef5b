// SPDX-License-Identifier: GPL-2.0-only
#include "code-counts.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../../../lib/unwind/core/sorted.h"

void code_counts__free(struct code_counts *c)
{
	vec__free(&c->v);
	vec__free(&c->totals);
	index__free(&c->index);
}

static struct code_total *total_of(struct code_counts *c, u32 event)
{
	while (c->totals.nr <= event)
		*vec__push(&c->totals) = (struct code_total){};
	return &c->totals.v[event];
}

void code_counts__add(struct code_counts *c, u32 event, const struct location *loc, u64 period)
{
	struct code_total *total = total_of(c, event);
	struct index_probe p;
	u64 hash;
	u32 i;

	total->nr++;
	total->period += period;
	if (!loc->sym || !loc->dso)
		return;
	hash = hash_u64(hash_u64((uintptr_t)loc->sym + event) + loc->addr);
	for (i = index__first(&c->index, hash, &p); i; i = index__next(&c->index, &p)) {
		struct code_count *v = &c->v.v[i - 1];

		if (v->event != event || v->sym != loc->sym || v->addr != loc->addr)
			continue;
		v->nr++;
		v->period += period;
		return;
	}
	*vec__push(&c->v) = (struct code_count){
		.event = event, .nr = 1, .period = period, .dso = loc->dso, .sym = loc->sym,
		.addr = loc->addr,
	};
	index__add(&c->index, hash, c->v.nr);
}

static int by_function(const void *va, const void *vb)
{
	const struct code_count *a = va, *b = vb;

	return compare_of((uintptr_t)a->dso, (uintptr_t)b->dso) ?:
	       compare_of((uintptr_t)a->sym, (uintptr_t)b->sym) ?: compare_of(a->addr, b->addr);
}

/* The largest first; equal ones by name, as entries of a report. */
static int by_period(const void *va, const void *vb)
{
	const struct code_count *a = va, *b = vb;

	return compare_of(b->period, a->period) ?: strcmp(a->dso->short_name, b->dso->short_name) ?:
	       strcmp(a->sym->name, b->sym->name) ?: compare_of(a->sym->start, b->sym->start);
}

static void sort(code_count_vec *v, int (*by)(const void *a, const void *b))
{
	if (v->nr)
		qsort(v->v, v->nr, sizeof(*v->v), by);
}

void code_counts__functions(const struct code_counts *c, u32 event, code_count_vec *out)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->v.nr; i++)
		if (c->v.v[i].event == event)
			*vec__push(out) = c->v.v[i];
	sort(out, by_function);
	for (size_t i = 0; i < out->nr; i++) {
		struct code_count *last = nr ? &out->v[nr - 1] : NULL;

		if (last && last->sym == out->v[i].sym && last->dso == out->v[i].dso) {
			last->nr += out->v[i].nr;
			last->period += out->v[i].period;
			continue;
		}
		out->v[nr] = out->v[i];
		out->v[nr++].addr = 0;
	}
	out->nr = nr;
	sort(out, by_period);
}

void code_counts__of(const struct code_counts *c, u32 event, const struct dso *dso,
		     const struct symbol *sym, code_count_vec *out)
{
	for (size_t i = 0; i < c->v.nr; i++)
		if (c->v.v[i].event == event && c->v.v[i].dso == dso && c->v.v[i].sym == sym)
			*vec__push(out) = c->v.v[i];
	sort(out, by_function);
}
