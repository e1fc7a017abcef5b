// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf diff --html: recordings on one page, which compares them (tools/perf/html/compare.js). Its
 * data are the samples of each, as html.c writes them, in "runs", and what was found of functions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../export/convert.h"
#include "../export/output.h"
#include "../export/page.h"
#include "../text/json.h"
#include "diff.h"

/* "+3.1 % (1.2 to 5.0): changed" */
static char *words_of(const struct stat_change *c, bool beyond)
{
	const char *verdict = beyond ? "changed" : "may be chance";
	double low = 100 * (c->relative - c->relative_half);
	double high = 100 * (c->relative + c->relative_half);

	if (!isfinite(c->relative) || !isfinite(low))
		return xasprintf("new: %s", verdict);
	return xasprintf("%+.1f %% (%.1f to %.1f): %s", 100 * c->relative, low, high, verdict);
}

static const char *text_of(const struct diff *d, const struct diff_row *row, enum column column)
{
	for (u32 i = 0; i < d->opts->keys.nr; i++)
		if (d->opts->keys.v[i] == column)
			return row->texts[i];
	return NULL;
}

static void put_change(struct diff *d, struct textbuf *tb, const struct diff_event *e,
		       const struct diff_change *c, const char *between)
{
	const struct diff_row *row = &e->table.rows.v[c->row];
	const char *sym = text_of(d, row, COLUMN_SYM), *dso = text_of(d, row, COLUMN_DSO);
	bool beyond = c->tested && c->q <= 1 - d->view.groups.confidence;
	char *words = words_of(&c->c, beyond);

	textbuf__puts(tb, between);
	textbuf__puts(tb, "{\"event\":");
	textbuf__page_string(tb, e->name);
	textbuf__puts(tb, ",\"name\":");
	textbuf__page_string(tb, diff_table__name(sym));
	textbuf__puts(tb, ",\"dso\":");
	textbuf__page_string(tb, dso);
	textbuf__json_bool(tb, "total", c->total);
	textbuf__json_bool(tb, "beyond", beyond);
	textbuf__puts(tb, ",\"words\":");
	textbuf__page_string(tb, words);
	textbuf__putc(tb, '}');
	free(words);
}

/* Of functions with a name that are in more than a few samples. */
static void put_changes(struct diff *d, struct textbuf *tb)
{
	struct diff_changes changes;
	const char *between = "";

	textbuf__puts(tb, "],\n\"changes\":[");
	for (size_t i = 0; d->opts->runs && i < d->state.events.nr; i++) {
		const struct diff_event *e = &d->state.events.v[i];

		diff_changes__make(&changes, &e->table, &d->view.groups);
		for (size_t k = 0; k < changes.v.nr; k++) {
			const struct diff_change *c = &changes.v.v[k];
			const struct diff_row *row = &e->table.rows.v[c->row];

			if (!c->tested || row->unnamed != DIFF_NO_KEY ||
			    !text_of(d, row, COLUMN_SYM) || !text_of(d, row, COLUMN_DSO))
				continue;
			put_change(d, tb, e, c, between);
			between = ",\n";
		}
		diff_changes__free(&changes);
	}
	textbuf__puts(tb, "]}\n");
}

/* With --runs there are groups; else the first one is before, and all others are after. */
static void put_sides(struct diff *d, struct textbuf *tb)
{
	u32 nr_before = d->opts->runs ? d->view.groups.nr_before : 1;

	textbuf__puts(tb, "{\"files\":[");
	for (u32 i = 0; i < d->opts->files.nr; i++) {
		textbuf__puts(tb, i ? "," : "");
		textbuf__page_string(tb, d->opts->files.v[i]);
	}
	textbuf__puts(tb, "],\"after\":[");
	for (u32 i = 0; i < d->opts->files.nr; i++)
		textbuf__printf(tb, "%s%s", i ? "," : "", i < nr_before ? "false" : "true");
	textbuf__puts(tb, "],\n\"runs\":[");
}

static const char *name_function(void *names, struct symbols *symbols, const struct dso *dso,
				 const struct symbol *sym)
{
	return diff_names__of(names, symbols, dso, sym);
}

static int put_run(struct diff *d, u32 run, struct textbuf *tb, struct error *err)
{
	struct convert_opts c = {
		.command = "perf diff", .input = d->opts->files.v[run], .force = d->opts->force,
		.format = export_format__find("html"), .opts = {
			.full_names = name_opts__style(&d->opts->demangle) != NAMES_SHORT,
			.data_only = true, .name = name_function, .name_ctx = &d->state.names,
		}, .only = d->opts->only, .symbols = d->symbols,
	};
	char *time = diff__time_of_run(d, run);
	int ret;

	c.only.time = time;
	diff_names__begin(&d->state.names, run);
	ret = convert__write(&c, tb, err);
	free(time);
	return ret;
}

int diff__write_page(struct diff *d, const char *name, struct error *err)
{
	struct export_output out;
	struct page page;
	int ret = export_output__open(&out, name, err);

	if (!ret) {
		page__begin(&page, &out.tb);
		put_sides(d, &out.tb);
	}
	for (u32 i = 0; !ret && i < d->opts->files.nr; i++) {
		textbuf__puts(&out.tb, i ? "," : "");
		ret = put_run(d, i, &out.tb, err);
		ret = ret == -EBADMSG && !err->code ? 0 : ret; /* said, also of the table */
	}
	if (!ret) {
		put_changes(d, &out.tb);
		page__end(&page, &out.tb);
		ret = export_output__commit(&out, err);
	}
	if (!ret)
		pr_info("[ perf diff: %.3f MB in %s ]\n", out.size / 1024.0 / 1024.0, name);
	export_output__close(&out);
	return ret;
}
