// SPDX-License-Identifier: GPL-2.0-only
#include "brief-json.h"
#include "brief-waits-text.h"

#include "../text/json-lines.h"

#define BRIEF_JSON_VERSION 1
#define ARGUMENTS 12 /* of the command that was recorded */
#define ARGUMENT_BYTES 80

static void put_percent(const struct brief_page *p, const char *key, double percent)
{
	textbuf__json_key(p->tb, key);
	textbuf__printf(p->tb, "%.2f", percent);
}

static void put_share(const struct brief_page *p, const struct brief_item *item)
{
	put_percent(p, "percent", brief_page__percent(p, item->period));
	put_percent(p, "uncertainty", brief__uncertainty(item->nr, p->b->nr));
}

/* The same page, written to a text of its own. */
static struct brief_page aside(const struct brief_page *p, struct textbuf *text)
{
	struct brief_page other = *p;

	textbuf__init(text, -1);
	other.tb = text;
	return other;
}

/* The first member of an object: a name. */
static void begin_named(const struct brief_page *p, bool first, u32 frame)
{
	struct textbuf name;
	struct brief_page other = aside(p, &name);

	brief_page__name(&other, frame, BRIEF_NAME_COLUMNS);
	textbuf__puts(p->tb, first ? "{\"name\":" : ",{\"name\":");
	textbuf__json_string(p->tb, textbuf__str(&name));
	textbuf__free(&name);
}

static void put_place(const struct brief_page *p, u32 frame)
{
	const struct stack_frame *f = &p->h->stacks.frames.v[frame];

	textbuf__json_text(p->tb, "binary", f->dso ? f->dso->short_name : NULL);
	textbuf__json_text(p->tb, "line", f->sym ? hist__line(p->h, f) : NULL);
}

static bool is_shown(const struct brief_page *p, u64 period)
{
	return brief_page__percent(p, period) >= BRIEF_SHOWN_PERCENT;
}

static void put_functions(const struct brief_page *p, const char *key,
			  const struct brief_item *items, u32 nr, const u64 *with_callees)
{
	textbuf__json_key(p->tb, key);
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < nr && is_shown(p, items[i].period); i++) {
		begin_named(p, !i, items[i].what);
		put_place(p, items[i].what);
		put_share(p, &items[i]);
		if (with_callees)
			put_percent(p, "percent_with_callees",
				    brief_page__percent(p, with_callees[i]));
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}

static void put_paths(const struct brief_page *p)
{
	textbuf__json_key(p->tb, "paths");
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < p->b->nr_paths && p->o->callchains; i++) {
		struct textbuf text;
		struct brief_page other = aside(p, &text);

		brief_page__path(&other, &p->b->paths[i]);
		textbuf__puts(p->tb, i ? ",{\"path\":" : "{\"path\":");
		textbuf__json_string(p->tb, textbuf__str(&text));
		textbuf__free(&text);
		put_percent(p, "percent", brief_page__percent(p, p->b->paths[i].period));
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
	put_percent(p, "percent_cut", brief_page__percent(p, p->b->cut));
	put_percent(p, "percent_unproven", brief_page__percent(p, p->b->unproven));
}

static void put_callers(const struct brief_page *p, const struct brief_kind *k)
{
	textbuf__json_key(p->tb, "callers");
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < k->callers.nr; i++) {
		begin_named(p, !i, k->callers.v[i].what);
		put_percent(p, "percent", brief_page__percent(p, k->callers.v[i].period));
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}

static void put_kinds(const struct brief_page *p)
{
	bool first = true;

	textbuf__json_key(p->tb, "kinds");
	textbuf__putc(p->tb, '[');
	for (enum work_kind k = 0; k < WORK_KINDS; k++) {
		const struct brief_kind *kind = &p->b->kinds[k];

		if (!is_shown(p, kind->period))
			continue;
		textbuf__puts(p->tb, first ? "{\"kind\":" : ",{\"kind\":");
		textbuf__json_string(p->tb, work_kind__text(k));
		put_percent(p, "percent", brief_page__percent(p, kind->period));
		if (k != WORK_OTHER)
			put_callers(p, kind);
		textbuf__putc(p->tb, '}');
		first = false;
	}
	textbuf__putc(p->tb, ']');
}

static void put_threads(const struct brief_page *p)
{
	textbuf__json_number(p->tb, "threads", p->b->nr_threads);
	textbuf__json_key(p->tb, "largest_threads");
	textbuf__putc(p->tb, '[');
	for (u32 i = 0; i < p->b->threads.nr; i++) {
		textbuf__printf(p->tb, "%s{\"tid\":%u", i ? "," : "", p->b->threads.v[i].what);
		put_percent(p, "percent", brief_page__percent(p, p->b->threads.v[i].period));
		textbuf__putc(p->tb, '}');
	}
	textbuf__putc(p->tb, ']');
}

/* The lines of a part of the page, without what each begins with. */
static void put_lines(const struct brief_page *p, const char *key,
		      void (*put)(const struct brief_page *p), const char *start)
{
	struct textbuf text;
	struct brief_page other = aside(p, &text);
	bool first = true;

	put(&other);
	textbuf__json_key(p->tb, key);
	textbuf__putc(p->tb, '[');
	for (const char *s = textbuf__str(&text); *s; s += *s == '\n') {
		size_t len = strcspn(s, "\n"), skip = strspn(s, start);

		skip = skip < len ? skip : len;
		textbuf__puts(p->tb, first ? "" : ",");
		textbuf__json_string_n(p->tb, s + skip, len - skip);
		first = false;
		s += len;
	}
	textbuf__putc(p->tb, ']');
	textbuf__free(&text);
}

static void put_recorded(const struct brief_page *p)
{
	const struct recording *r = p->o->recording;
	char line[ACCOUNT_LINE_MAX];

	textbuf__json_text(p->tb, "format", "perf-brief");
	textbuf__json_number(p->tb, "version", BRIEF_JSON_VERSION);
	textbuf__json_text(p->tb, "input", p->o->input);
	textbuf__json_key(p->tb, "command");
	textbuf__putc(p->tb, '[');
	for (size_t i = 0; i < r->cmdline.nr && i < ARGUMENTS; i++) {
		textbuf__puts(p->tb, i ? "," : "");
		textbuf__json_string_n(p->tb, r->cmdline.v[i],
				       strnlen(r->cmdline.v[i], ARGUMENT_BYTES));
	}
	textbuf__putc(p->tb, ']');
	textbuf__json_text(p->tb, "event", p->o->event->name);
	textbuf__json_number(p->tb, "samples", p->b->nr);
	put_percent(p, "seconds", brief_page__seconds(p));
	pipeline_account__line(p->o->account, line, sizeof(line));
	textbuf__json_text(p->tb, "evidence", line);
	textbuf__json_number(p->tb, "lost", pipeline_account__lost(p->o->account));
}

void textbuf__brief_json(struct textbuf *tb, const struct brief *b, struct hist *h,
			 const struct brief_text_opts *o)
{
	const struct brief_page p = { tb, b, h, o };

	json__begin(tb, "brief");
	put_recorded(&p);
	if (o->waits)
		textbuf__brief_waits_json(&p);
	put_functions(&p, "functions", b->functions.v, b->functions.nr, b->with_callees);
	put_functions(&p, "interpreted", b->of_runtimes.v, b->of_runtimes.nr, NULL);
	put_paths(&p);
	put_kinds(&p);
	put_functions(&p, "system_calls", b->syscalls.v, b->syscalls.nr, NULL);
	put_threads(&p);
	put_lines(&p, "notes", brief_page__notes, " -");
	put_lines(&p, "next", brief_page__next, " ");
	json__end(tb);
}
