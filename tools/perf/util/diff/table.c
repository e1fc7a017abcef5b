// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <math.h>
#include <string.h>

void diff_table__init(struct diff_table *t, u32 nr_keys, u32 nr_runs)
{
	*t = (struct diff_table){ .nr_keys = nr_keys, .nr_runs = nr_runs };
	t->arena = arena__new();
	t->runs = xcalloc(nr_runs, sizeof(*t->runs));
}

void diff_table__free(struct diff_table *t)
{
	free(t->runs);
	vec__free(&t->rows);
	vec__free(&t->cells);
	index__free(&t->index);
	arena__free(t->arena);
}

/* Texts are interned: equal ones have the same address. */
static u64 hash_texts(const struct diff_table *t, const char *const *texts, u32 unnamed)
{
	u64 hash = 0;

	for (u32 i = 0; i < t->nr_keys; i++)
		hash = hash_u64(hash + (i == unnamed ? 1 : (uintptr_t)texts[i]));
	return hash;
}

static bool row_is(const struct diff_table *t, const struct diff_row *r, const char *const *texts,
		   u32 unnamed)
{
	if (r->unnamed != unnamed)
		return false;
	for (u32 i = 0; i < t->nr_keys; i++)
		if (i != unnamed && r->texts[i] != texts[i])
			return false;
	return true;
}

static u32 find_row(struct diff_table *t, u32 run, const char **texts, u32 unnamed)
{
	u64 hash = hash_texts(t, texts, unnamed);
	struct index_probe p;
	u32 i;

	for (i = index__first(&t->index, hash, &p); i; i = index__next(&t->index, &p))
		if (row_is(t, &t->rows.v[i - 1], texts, unnamed))
			return i - 1;
	*vec__push(&t->rows) = (struct diff_row){
		.texts = arena__dup(t->arena, texts, t->nr_keys * sizeof(*texts)),
		.unnamed = unnamed, .first_run = run,
	};
	for (i = 0; i < t->nr_runs; i++)
		*vec__push(&t->cells) = (struct diff_cell){};
	index__add(&t->index, hash, t->rows.nr);
	return t->rows.nr - 1;
}

u32 diff_table__add(struct diff_table *t, u32 run, const char *const *texts, u32 unnamed,
		     const struct diff_cell *counts)
{
	const char *own[COLUMNS_MAX];
	struct diff_cell *cell;
	struct diff_row *row;
	u32 i;

	for (i = 0; i < t->nr_keys; i++)
		own[i] = arena__intern(t->arena, texts[i]);
	i = find_row(t, run, own, unnamed);
	row = &t->rows.v[i];
	/* The lowest address stands for all of them. */
	if (unnamed != DIFF_NO_KEY && row->first_run == run &&
	    strcmp(own[unnamed], row->texts[unnamed]) < 0)
		row->texts[unnamed] = own[unnamed];
	cell = &t->cells.v[(size_t)i * t->nr_runs + run];
	cell->there = true;
	cell->period += counts->period;
	cell->nr += counts->nr;
	cell->period_all += counts->period_all;
	cell->nr_all += counts->nr_all;
	return i;
}

const char *diff_table__name(const char *text)
{
	bool has_mode = *text == '[' && strlen(text) > 4 && text[2] == ']' && text[3] == ' ';

	return has_mode ? text + 4 : text;
}

double diff_table__percent(const struct diff_table *t, u32 row, u32 run)
{
	u64 all = t->runs[run].period;

	return all ? 100.0 * diff_table__cell(t, row, run)->period / all : 0;
}

bool diff_table__value(const struct diff_table *t, const struct diff_order *o, u32 row, u32 run,
		       double *value)
{
	const struct diff_cell *before = diff_table__cell(t, row, 0);
	const struct diff_cell *after = diff_table__cell(t, row, run);

	*value = 0;
	if (!after->there)
		return false;
	switch (o->method) {
	case DIFF_RATIO:
		*value = (double)after->period / (before->period ?: 1);
		return before->there;
	case DIFF_WEIGHTED:
		*value = (double)after->period * o->weight_after -
			 (double)before->period * o->weight_before;
		return before->there;
	default:
		*value = diff_table__percent(t, row, run) - diff_table__percent(t, row, 0);
		return true;
	}
}

static int compare_texts(const struct diff_table *t, u32 a, u32 b)
{
	int cmp = 0;

	for (u32 i = 0; !cmp && i < t->nr_keys; i++) {
		bool bare_a = t->rows.v[a].unnamed == i, bare_b = t->rows.v[b].unnamed == i;

		if (bare_a != bare_b)
			return bare_a ? 1 : -1; /* names before bare addresses */
		cmp = strcmp(diff_table__name(t->rows.v[a].texts[i]),
			     diff_table__name(t->rows.v[b].texts[i]));
	}
	return cmp;
}

struct sorting {
	const struct diff_table *t;
	const struct diff_order *o;
};

static int compare_periods(const struct sorting *s, u32 a, u32 b, u32 run)
{
	u64 pa = diff_table__cell(s->t, a, run)->period;
	u64 pb = diff_table__cell(s->t, b, run)->period;

	return pa == pb ? 0 : pa > pb ? -1 : 1;
}

/* By the value of a recording: rows that it has first, and of these those that have a value. */
static int compare_values(const struct sorting *s, u32 a, u32 b, u32 run)
{
	bool there_a = diff_table__cell(s->t, a, run)->there;
	bool there_b = diff_table__cell(s->t, b, run)->there, has_a, has_b;
	double va, vb;

	if (there_a != there_b)
		return there_a ? -1 : 1;
	has_a = diff_table__value(s->t, s->o, a, run, &va);
	has_b = diff_table__value(s->t, s->o, b, run, &vb);
	if (has_a != has_b)
		return has_a ? -1 : 1;
	if (s->o->method == DIFF_DELTA_ABS) {
		va = fabs(va);
		vb = fabs(vb);
	}
	return va > vb ? -1 : va < vb;
}

static int compare_column(const struct sorting *s, u32 a, u32 b, u32 run)
{
	return run ? compare_values(s, a, b, run) : compare_periods(s, a, b, 0);
}

static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	const struct sorting *s = ctx;
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	int cmp = compare_column(s, a, b, s->o->run);

	for (u32 run = 0; !cmp && run < s->t->nr_runs; run++)
		cmp = compare_column(s, a, b, run);
	if (!cmp)
		cmp = compare_texts(s->t, a, b);
	return cmp ? cmp : a < b ? -1 : a > b;
}

u32 *diff_table__sort(const struct diff_table *t, const struct diff_order *o)
{
	u32 *rows = xcalloc(t->rows.nr + 1, sizeof(*rows));
	struct sorting s = { t, o };

	for (u32 i = 0; i < t->rows.nr; i++)
		rows[i] = i;
	qsort_r(rows, t->rows.nr, sizeof(*rows), compare_rows, &s);
	return rows;
}
