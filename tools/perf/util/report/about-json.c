// SPDX-License-Identifier: GPL-2.0-only
/* The page of `perf report --about` as an object: the same numbers, without its proposals. */
#include "../text/json-lines.h"
#include "about-text.h"

#define ABOUT_JSON_VERSION 1

static void put_percent(const struct brief_page *p, const char *key, u64 period)
{
	textbuf__json_key(p->tb, key);
	textbuf__printf(p->tb, "%.2f", brief_page__percent(p, period));
}

static void put_name(const struct brief_page *p, u32 frame)
{
	struct brief_page other = *p;
	struct textbuf text;

	textbuf__init(&text, -1);
	other.tb = &text;
	brief_page__name(&other, frame, BRIEF_NAME_COLUMNS);
	textbuf__json_string(p->tb, textbuf__str(&text));
	textbuf__free(&text);
}

static void put_functions(const struct brief_page *p, const char *key, const struct brief_item *v,
			  u32 nr)
{
	textbuf__json_key(p->tb, key);
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < nr; i++) {
		textbuf__puts(p->tb, i ? ",{\"name\":" : "{\"name\":");
		put_name(p, v[i].what);
		put_percent(p, "percent", v[i].period);
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}

static void put_lines(const struct brief_page *p, const struct about *a)
{
	textbuf__json_key(p->tb, "lines");
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < a->nr_lines; i++) {
		textbuf__puts(p->tb, i ? ",{\"line\":" : "{\"line\":");
		textbuf__json_string(p->tb, a->lines[i].text);
		put_percent(p, "percent", a->lines[i].period);
		put_percent(p, "percent_own", a->lines[i].own);
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}

static void put_paths(const struct brief_page *p)
{
	struct brief_page other = *p;

	textbuf__json_key(p->tb, "paths");
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < p->b->nr_paths && p->o->callchains; i++) {
		struct textbuf text;

		textbuf__init(&text, -1);
		other.tb = &text;
		brief_page__path(&other, &p->b->paths[i]);
		textbuf__puts(p->tb, i ? ",{\"path\":" : "{\"path\":");
		textbuf__json_string(p->tb, textbuf__str(&text));
		textbuf__free(&text);
		put_percent(p, "percent", p->b->paths[i].period);
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}

void textbuf__about_json(struct textbuf *tb, const struct about *a, struct hist *h,
			 const struct brief_text_opts *o, const char *name)
{
	const struct brief_page p = { tb, &a->all, h, o };

	json__begin(tb, "about");
	textbuf__json_text(tb, "format", "perf-about");
	textbuf__json_number(tb, "version", ABOUT_JSON_VERSION);
	textbuf__json_text(tb, "input", o->input);
	textbuf__json_text(tb, "event", o->event->name);
	textbuf__json_number(tb, "samples", a->all.nr);
	textbuf__json_text(tb, "asked", name);
	textbuf__json_key(tb, "name");
	if (a->own.what)
		put_name(&p, a->own.what);
	else
		textbuf__puts(tb, "null");
	put_percent(&p, "percent", a->own.period);
	put_percent(&p, "percent_with_callees", a->with_callees.period);
	put_percent(&p, "percent_cut", a->cut);
	put_percent(&p, "percent_unproven", a->unproven);
	put_percent(&p, "percent_no_caller", a->no_caller);
	put_percent(&p, "percent_unknown_caller", a->unknown_caller);
	put_functions(&p, "callers", a->callers.v, a->callers.nr);
	put_functions(&p, "callees", a->callees.v, a->callees.nr);
	put_lines(&p, a);
	put_paths(&p);
	put_functions(&p, "candidates", a->candidates.v, a->candidates.nr);
	json__end(tb);
}
