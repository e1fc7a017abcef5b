// SPDX-License-Identifier: GPL-2.0-only
/* `perf diff --runs --format json`: an object a line, for an event, each change, each condition. */
#include "change-json.h"

#include <math.h>

#include "../text/json-lines.h"

#define DIFF_JSON_VERSION 1

/* JSON has no infinity: null. */
static void put_number(struct textbuf *tb, const char *key, double v)
{
	textbuf__json_key(tb, key);
	if (isfinite(v))
		textbuf__printf(tb, "%.9g", v);
	else
		textbuf__puts(tb, "null");
}

static void put_change(struct textbuf *tb, const struct stat_change *c)
{
	put_number(tb, "before", c->before);
	put_number(tb, "after", c->after);
	put_number(tb, "change_half", c->half);
	put_number(tb, "relative", c->relative);
	put_number(tb, "relative_half", c->relative_half);
	put_number(tb, "p", c->p);
}

static void put_files(struct textbuf *tb, const char *key, const char *const *files, u32 nr)
{
	textbuf__json_key(tb, key);
	textbuf__putc(tb, '[');
	for (u32 i = 0; i < nr; i++) {
		textbuf__puts(tb, i ? "," : "");
		textbuf__json_string(tb, files[i]);
	}
	textbuf__putc(tb, ']');
}

static void put_event(struct textbuf *tb, const struct diff_findings *f,
		      const struct diff_change_opts *o)
{
	static const char *const norms[] = {
		[DIFF_PER_CYCLES] = "cycles", [DIFF_PER_SAMPLES] = "samples",
		[DIFF_PER_TIME] = "time", [DIFF_PER_RUN] = "run",
	};
	u32 nr_before = o->groups->nr_before;

	json__begin(tb, "event");
	textbuf__json_text(tb, "format", "perf-diff");
	textbuf__json_number(tb, "version", DIFF_JSON_VERSION);
	textbuf__json_text(tb, "event", f->event_name);
	put_files(tb, "files_before", o->files, nr_before);
	put_files(tb, "files_after", o->files + nr_before, f->t->nr_runs - nr_before);
	textbuf__json_text(tb, "normalize", norms[o->groups->norm]);
	textbuf__json_bool(tb, "paired", o->groups->paired);
	put_number(tb, "confidence", o->groups->confidence);
	put_number(tb, "dispersion", f->changes->dispersion);
	textbuf__json_number(tb, "compared", f->changes->nr_tested);
	textbuf__json_number(tb, "too_few", f->changes->nr_few);
	textbuf__puts(tb, ",\"run\":{\"of\":\"event counts\"");
	put_change(tb, &f->changes->run);
	textbuf__putc(tb, '}');
	json__end(tb);
}

static void put_keys(struct textbuf *tb, const struct diff_findings *f,
		     const struct diff_change_opts *o, u32 row)
{
	const struct diff_row *r = &f->t->rows.v[row];

	for (u32 k = 0; k < f->t->nr_keys; k++)
		if (o->keys->v[k] != COLUMN_SYM || r->unnamed == DIFF_NO_KEY)
			textbuf__json_text(tb, column__name(o->keys->v[k]), r->texts[k]);
}

/* All of a path: a list of functions, the outermost first. */
static void put_path(struct textbuf *tb, const struct diff_paths *p, u32 row)
{
	u32 steps[DIFF_PATH_STEPS + 1], nr = 0;

	for (u32 i = row + 1; i && nr <= DIFF_PATH_STEPS; i = p->callers.v[i - 1])
		steps[nr++] = i - 1;
	textbuf__json_key(tb, "path");
	textbuf__putc(tb, '[');
	for (u32 i = nr; i--;) {
		textbuf__json_string(tb, diff_paths__name(p, steps[i]));
		textbuf__puts(tb, i ? "," : "");
	}
	textbuf__putc(tb, ']');
}

static void put_list(struct textbuf *tb, const struct diff_findings *f,
		     const struct diff_change_opts *o, const struct diff_changes *c, bool paths)
{
	for (size_t i = 0; i < (o->all ? c->v.nr : c->nr_beyond); i++) {
		const struct diff_change *d = &c->v.v[i];

		if (!d->tested || d->same)
			continue;
		json__begin(tb, "change");
		textbuf__json_text(tb, "of", paths ? "path" : d->total ? "total" : "self");
		textbuf__json_bool(tb, "beyond_chance", i < c->nr_beyond);
		if (paths)
			put_path(tb, f->paths, d->row);
		else
			put_keys(tb, f, o, d->row);
		put_change(tb, &d->c);
		put_number(tb, "q", d->q);
		json__end(tb);
	}
}

void textbuf__changes_json(struct textbuf *tb, const struct diff_findings *f,
			   const struct diff_change_opts *o)
{
	put_event(tb, f, o);
	put_list(tb, f, o, f->changes, false);
	if (f->paths)
		put_list(tb, f, o, f->path_changes, true);
}

void textbuf__limit_json(struct textbuf *tb, const struct diff_limit *l, const char *name,
			 const struct stat_change *c, bool holds)
{
	json__begin(tb, "condition");
	textbuf__json_text(tb, "condition", l->text);
	textbuf__json_bool(tb, "failed", holds);
	textbuf__json_text(tb, "function", name);
	put_change(tb, c);
	json__end(tb);
}
