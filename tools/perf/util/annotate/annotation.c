// SPDX-License-Identifier: GPL-2.0-only
#include "annotation.h"

#include <string.h>

#include "../../../lib/unwind/core/sorted.h"

void annotation__add(struct annotation *a, const struct code_counts *counts, u32 event)
{
	struct annotation_event *e = vec__push(&a->events);

	*e = (struct annotation_event){};
	code_counts__of(counts, event, a->code.dso, a->code.sym, &e->counts);
	for (size_t i = 0; i < e->counts.nr; i++) {
		e->sum.nr += e->counts.v[i].nr;
		e->sum.period += e->counts.v[i].period;
	}
	if (event < counts->totals.nr)
		e->all = counts->totals.v[event];
}

void annotation__free(struct annotation *a)
{
	for (size_t i = 0; i < a->events.nr; i++)
		vec__free(&a->events.v[i].counts);
	vec__free(&a->events);
	listing__free(&a->code);
}

struct code_total annotation__line(const struct annotation *a, size_t event, size_t nr)
{
	const struct listing_line *line = &a->code.lines.v[nr];
	const code_count_vec *counts = &a->events.v[event].counts;
	struct code_total sum = {};
	u64 end = UINT64_MAX;

	if (!line->is_code)
		return sum;
	for (size_t i = nr + 1; i < a->code.lines.nr && end == UINT64_MAX; i++)
		if (a->code.lines.v[i].is_code)
			end = a->code.lines.v[i].addr;
	for (size_t i = partition_point(counts->nr, k, counts->v[k].addr < line->addr);
	     i < counts->nr && counts->v[i].addr < end; i++) {
		sum.nr += counts->v[i].nr;
		sum.period += counts->v[i].period;
	}
	return sum;
}

double annotation__percent(const struct annotation *a, size_t event, size_t nr,
			   enum percent_type type)
{
	const struct annotation_event *e = &a->events.v[event];
	const struct code_total *whole = type >= GLOBAL_PERIOD ? &e->all : &e->sum;
	struct code_total part = annotation__line(a, event, nr);
	bool hits = type == LOCAL_HITS || type == GLOBAL_HITS;
	u64 all = hits ? whole->nr : whole->period;

	return all ? 100.0 * (hits ? part.nr : part.period) / all : 0;
}

bool percent_type__parse(const char *s, enum percent_type *type)
{
	static const char *const names[] = {
		[LOCAL_PERIOD] = "local-period", [LOCAL_HITS] = "local-hits",
		[GLOBAL_PERIOD] = "global-period", [GLOBAL_HITS] = "global-hits",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(s, names[i])) {
			*type = i;
			return true;
		}
	return false;
}
