// SPDX-License-Identifier: GPL-2.0-only
#include "about-text.h"

#include "brief-waits-text.h"

#define NAME_COLUMNS 48
#define LINE_COLUMNS 80

struct about_page {
	struct brief_page p;
	const struct about *a;
	const char *name;
};

static void put_share(const struct brief_page *p, const struct brief_item *item)
{
	textbuf__printf(p->tb, "%.1f %% ±%.1f", brief_page__percent(p, item->period),
			brief__uncertainty(item->nr, p->b->nr));
}

static void put_head(const struct about_page *ap)
{
	const struct brief_page *p = &ap->p;
	const struct stack_frame *f = &p->h->stacks.frames.v[ap->a->own.what];

	textbuf__printf(p->tb, "%s: ", p->o->input);
	brief_page__name(p, ap->a->own.what, BRIEF_NAME_COLUMNS);
	brief_page__binary(p, f);
	textbuf__puts(p->tb, "\n  own time ");
	put_share(p, &ap->a->own);
	textbuf__puts(p->tb, ", with callees ");
	put_share(p, &ap->a->with_callees);
	textbuf__printf(p->tb, ", of %u samples of event %s\n", p->b->nr, p->o->event->name);
	if (ap->a->cut)
		textbuf__printf(p->tb, "  %.1f %% have cut stacks: their outer functions are "
				       "unknown\n", brief_page__percent(p, ap->a->cut));
	if (ap->a->unproven)
		textbuf__printf(p->tb, "  it is unknown whether the stacks of %.1f %% are whole "
				       "(frame "
				       "pointers)\n", brief_page__percent(p, ap->a->unproven));
}

static void put_line_if(const struct brief_page *p, u64 period, const char *text)
{
	if (period)
		textbuf__printf(p->tb, "  %5.1f %%  (%s)\n", brief_page__percent(p, period), text);
}

static void put_functions(const struct brief_page *p, const struct brief_item *v, u32 nr)
{
	for (u32 i = 0; i < nr && v[i].nr; i++) {
		textbuf__printf(p->tb, "  %5.1f %%  ", brief_page__percent(p, v[i].period));
		brief_page__name(p, v[i].what, NAME_COLUMNS);
		textbuf__putc(p->tb, '\n');
	}
}

/* The last bytes of a line's text: its file's name counts more than its folders. */
static const char *short_line(const char *text)
{
	size_t len = strlen(text);

	return len > LINE_COLUMNS ? text + len - LINE_COLUMNS : text;
}

static void put_lines(const struct about_page *ap)
{
	const struct brief_page *p = &ap->p;

	if (!ap->a->nr_lines) {
		textbuf__puts(p->tb, "\nSource lines are unknown: build with -g.\n");
		return;
	}
	textbuf__puts(p->tb, "\nLines of it (in brackets: own time):\n");
	for (u32 i = 0; i < ap->a->nr_lines; i++) {
		const struct about_line *l = &ap->a->lines[i];

		textbuf__printf(p->tb, "  %5.1f %% (%.1f %%)  %s\n",
				brief_page__percent(p, l->period), brief_page__percent(p, l->own),
				short_line(l->text));
	}
}

static void put_chains(const struct about_page *ap)
{
	const struct brief_page *p = &ap->p;
	const struct about *a = ap->a;

	if (!p->o->callchains) {
		textbuf__puts(p->tb, "\nIts callers are unknown: record with -g --defer.\n");
		return;
	}
	textbuf__puts(p->tb, "\nCalled by (percentages are of all samples):\n");
	put_functions(p, a->callers.v, a->callers.nr);
	put_line_if(p, a->no_caller, "nobody: the stack begins here");
	put_line_if(p, a->unknown_caller, "unknown: the stack is cut here");
	textbuf__puts(p->tb, "\nCalls:\n");
	put_line_if(p, a->own.period, "nothing: own time");
	put_functions(p, a->callees.v, a->callees.nr);
	textbuf__puts(p->tb, "\nLargest paths to it, from the outermost function:\n");
	for (u32 i = 0; i < a->all.nr_paths; i++) {
		textbuf__printf(p->tb, "  %5.1f %%  ",
				brief_page__percent(p, a->all.paths[i].period));
		brief_page__path(p, &a->all.paths[i]);
		textbuf__putc(p->tb, '\n');
	}
}

static void put_next(const struct brief_page *p, const struct about *a)
{
	if (a->callers.nr)
		brief_page__next_about(p, a->callers.v[0].what);
	if (a->callees.nr)
		brief_page__next_about(p, a->callees.v[0].what);
	brief_page__next_code(p, a->own.what);
}

static void put_candidates(const struct about_page *ap)
{
	const struct brief_page *p = &ap->p;

	textbuf__printf(p->tb, "%s: no function is called '%.*s'", p->o->input,
			BRIEF_NAME_COLUMNS, ap->name);
	textbuf__puts(p->tb, ap->a->candidates.nr ? "; these contain that:\n" : ".\n");
	put_functions(p, ap->a->candidates.v, ap->a->candidates.nr);
}

void textbuf__about(struct textbuf *tb, const struct about *a, struct hist *h,
		    const struct brief_text_opts *o, const char *name)
{
	const struct about_page ap = { { tb, &a->all, h, o }, a, name };

	if (!a->with_callees.nr) {
		put_candidates(&ap);
		return;
	}
	put_head(&ap);
	if (o->waits)
		textbuf__brief_waits(&ap.p);
	put_chains(&ap);
	put_lines(&ap);
	textbuf__puts(tb, "\nNext:\n");
	put_next(&ap.p, a);
}
