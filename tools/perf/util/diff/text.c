// SPDX-License-Identifier: GPL-2.0-only
#include "text.h"

#include <inttypes.h>
#include <stdio.h>

#include "../text/report-columns.h"

#define NUMBER_WIDTH 14
#define FORMULA_WIDTH 70

enum diff_column { BASELINE, BASE_PERIOD, VALUE, FORMULA, PERIOD };

/* A column of numbers: what it shows, and of which recording. */
struct number_column {
	enum diff_column what;
	u32 run;
	size_t width;
	char title[32];
};

struct diff_page {
	struct textbuf *tb;
	const struct diff_table *t;
	const struct diff_text_opts *o;
	u64 shown;               /* with .baseline_only: the first one's periods that are shown */
	VEC(struct number_column) numbers;
	size_t key_widths[COLUMNS_MAX];
};

static const char *value_title(enum diff_method method)
{
	static const char *const titles[] = {
		[DIFF_DELTA] = "Delta", [DIFF_DELTA_ABS] = "Delta Abs", [DIFF_RATIO] = "Ratio",
		[DIFF_WEIGHTED] = "Weighted diff",
	};

	return titles[method];
}

static void add_column(struct diff_page *p, enum diff_column what, u32 run, const char *title,
		       size_t width)
{
	struct number_column *c = vec__push(&p->numbers);

	*c = (struct number_column){ .what = what, .run = run };
	if (p->t->nr_runs > 2)
		snprintf(c->title, sizeof(c->title), "%s/%u", title, run);
	else
		snprintf(c->title, sizeof(c->title), "%s", title);
	c->width = max_of(strlen(c->title), width);
}

static void choose_columns(struct diff_page *p)
{
	bool percent = p->o->order.method <= DIFF_DELTA_ABS;

	add_column(p, BASELINE, 0, "Baseline", 0);
	if (p->o->periods)
		add_column(p, BASE_PERIOD, 0, "Base period", NUMBER_WIDTH);
	for (u32 i = 1; i < p->t->nr_runs; i++) {
		add_column(p, VALUE, i, value_title(p->o->order.method),
			   percent ? 7 : NUMBER_WIDTH);
		if (p->o->formulas)
			add_column(p, FORMULA, i, "Formula", FORMULA_WIDTH);
		if (p->o->periods)
			add_column(p, PERIOD, i, "Period", NUMBER_WIDTH);
	}
}

/* With .baseline_only, what the first recording has and at least one other. */
static bool is_shown(const struct diff_page *p, u32 row)
{
	if (!p->o->baseline_only)
		return true;
	for (u32 i = 1; i < p->t->nr_runs && diff_table__cell(p->t, row, 0)->there; i++)
		if (diff_table__cell(p->t, row, i)->there)
			return true;
	return false;
}

static void sum_shown(struct diff_page *p)
{
	for (u32 i = 0; i < p->t->rows.nr; i++)
		p->shown += is_shown(p, i) ? diff_table__cell(p->t, i, 0)->period : 0;
}

/* The part of the first recording: of it, or of what is shown of it, as in perf. */
static double baseline(const struct diff_page *p, u32 row)
{
	if (!p->o->baseline_only)
		return diff_table__percent(p->t, row, 0);
	return p->shown ? 100.0 * diff_table__cell(p->t, row, 0)->period / p->shown : 0;
}

static void measure_keys(struct diff_page *p)
{
	for (u32 k = 0; k < p->t->nr_keys; k++) {
		enum column c = p->o->keys->v[k];

		p->key_widths[k] = strlen(column__title(c));
		for (u32 i = 0; i < p->t->rows.nr; i++) {
			const struct diff_row *r = &p->t->rows.v[i];
			bool bare = r->unnamed != DIFF_NO_KEY && !p->o->separator;
			const char *text = diff_shown__of(p->o->shown, r->texts[k]);
			size_t len = c == COLUMN_CPU ? 0 : strlen(text);

			if (!is_shown(p, i))
				continue;
			if (bare && c == COLUMN_DSO)
				len = max_of(len, (size_t)REPORT_ADDRESS_DIGITS);
			p->key_widths[k] = max_of(p->key_widths[k], len);
		}
	}
}

static bool is_left_out(const struct diff_page *p, u32 key)
{
	return p->o->left_out && column_list__has(p->o->left_out, p->o->keys->v[key]);
}

static void put_gap(struct diff_page *p, bool first, const char *at_start)
{
	if (p->o->separator)
		textbuf__puts(p->tb, first ? "" : p->o->separator);
	else
		textbuf__puts(p->tb, first ? at_start : "  ");
}

static void put_titles(struct diff_page *p)
{
	textbuf__puts(p->tb, "# ");
	for (size_t i = 0; i < p->numbers.nr; i++) {
		put_gap(p, !i, "");
		textbuf__str_right(p->tb, p->numbers.v[i].title, p->numbers.v[i].width);
	}
	for (u32 k = 0; k < p->t->nr_keys; k++) {
		if (is_left_out(p, k))
			continue;
		put_gap(p, false, "");
		textbuf__str_left(p->tb, column__title(p->o->keys->v[k]), p->key_widths[k]);
	}
	textbuf__putc(p->tb, '\n');
	if (p->o->separator)
		return;
	textbuf__puts(p->tb, "# ");
	for (size_t i = 0; i < p->numbers.nr; i++) {
		put_gap(p, !i, "");
		textbuf__pad(p->tb, '.', p->numbers.v[i].width);
	}
	for (u32 k = 0; k < p->t->nr_keys; k++) {
		if (is_left_out(p, k))
			continue;
		put_gap(p, false, "");
		textbuf__pad(p->tb, '.', p->key_widths[k]);
	}
	textbuf__puts(p->tb, "\n#\n");
}

static void put_formula(const struct diff_page *p, u32 row, u32 run, struct textbuf *tb)
{
	const struct diff_cell *b = diff_table__cell(p->t, row, 0);
	const struct diff_cell *a = diff_table__cell(p->t, row, run);
	const struct diff_order *o = &p->o->order;

	if (o->method == DIFF_RATIO)
		textbuf__printf(tb, "%" PRIu64 " / %" PRIu64, a->period, b->period);
	else if (o->method == DIFF_WEIGHTED)
		textbuf__printf(tb, "(%" PRIu64 " * %" PRId64 ") - (%" PRIu64 " * %" PRId64 ")",
				a->period, o->weight_after, b->period, o->weight_before);
	else
		textbuf__printf(tb, "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %"
				PRIu64 ")", a->period, p->t->runs[run].period, b->period,
				p->t->runs[0].period);
}

static void put_value(const struct diff_page *p, u32 row, u32 run, struct textbuf *tb)
{
	const struct diff_order *o = &p->o->order;
	bool there = diff_table__cell(p->t, row, run)->there;
	double v;

	if (!diff_table__value(p->t, o, row, run, &v))
		textbuf__puts(tb, there ? "N/A" : "");
	else if (o->method == DIFF_RATIO)
		textbuf__printf(tb, "%.6f", v);
	else if (o->method == DIFF_WEIGHTED)
		textbuf__printf(tb, "%.0f%s", v, p->t->nr_runs > 2 ? " " : ""); /* as in perf */
	else
		textbuf__printf(tb, "%+.2f%%", v);
}

static void put_number(const struct diff_page *p, const struct number_column *c, u32 row,
		       struct textbuf *tb)
{
	const struct diff_cell *cell = diff_table__cell(p->t, row, c->run);

	switch (c->what) {
	case BASELINE:
		if (cell->there)
			textbuf__printf(tb, p->o->separator ? "%.2f" : "%.2f%%",
					baseline(p, row));
		break;
	case VALUE:
		put_value(p, row, c->run, tb);
		break;
	case FORMULA:
		if (cell->there)
			put_formula(p, row, c->run, tb);
		break;
	case BASE_PERIOD:
	case PERIOD:
		if (cell->there || c->what == BASE_PERIOD)
			textbuf__dec(tb, cell->period, 0);
		break;
	}
}

static void put_keys(struct diff_page *p, u32 row, struct textbuf *tb)
{
	const struct diff_row *r = &p->t->rows.v[row];

	for (u32 k = 0; k < p->t->nr_keys; k++) {
		bool pads = report_columns__pads(p->o->keys->v[k], k + 1 == p->t->nr_keys);

		if (is_left_out(p, k))
			continue;
		put_gap(p, false, "");
		tb->len = 0;
		textbuf__name(tb, diff_shown__of(p->o->shown, r->texts[k]));
		if (p->o->separator)
			textbuf__replace(tb, *p->o->separator, '.');
		textbuf__str_left(p->tb, textbuf__str(tb), pads ? p->key_widths[k] : 0);
	}
}

static void put_row(struct diff_page *p, u32 row, struct textbuf *tb)
{
	for (size_t i = 0; i < p->numbers.nr; i++) {
		const struct number_column *c = &p->numbers.v[i];

		put_gap(p, !i, "  ");
		tb->len = 0;
		put_number(p, c, row, tb);
		if (p->o->separator)
			textbuf__str_left(p->tb, textbuf__str(tb), c->width);
		else
			textbuf__str_right(p->tb, textbuf__str(tb), c->width);
	}
	put_keys(p, row, tb);
	textbuf__putc(p->tb, '\n');
}

static void put_head(struct diff_page *p, const char *event_name)
{
	textbuf__printf(p->tb, "# Event '%s'\n#\n", event_name);
	if (p->t->nr_runs > 2 || p->o->name_files) {
		textbuf__puts(p->tb, "# Data files:\n");
		for (u32 i = 0; i < p->t->nr_runs; i++)
			textbuf__printf(p->tb, "#  [%u] %s %s\n", i, p->o->files[i],
					i ? "" : "(Baseline)");
		textbuf__puts(p->tb, "#\n");
	}
	put_titles(p);
}

void textbuf__diff(struct textbuf *tb, const struct diff_table *t, const char *event_name,
		   const struct diff_text_opts *o)
{
	struct diff_page p = { .tb = tb, .t = t, .o = o };
	u32 *rows = diff_table__sort(t, &o->order);
	struct textbuf one;

	sum_shown(&p);
	choose_columns(&p);
	measure_keys(&p);
	if (!o->quiet)
		put_head(&p, event_name);
	textbuf__init(&one, -1);
	for (u32 i = 0; i < t->rows.nr; i++)
		if (is_shown(&p, rows[i]))
			put_row(&p, rows[i], &one);
	textbuf__free(&one);
	vec__free(&p.numbers);
	free(rows);
}
