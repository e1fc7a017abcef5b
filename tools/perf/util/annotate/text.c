// SPDX-License-Identifier: GPL-2.0-only
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAB 8
#define LINE_LEAST 0.5  /* percent, for which -l says the source line */
#define RULE_EXTRA 5    /* dashes beyond the title, as perf has them */
#define SUMMARY_RULE 46

static unsigned int value_width(const struct annotate_text_opts *o)
{
	return o->column == ANNOTATE_PERIOD ? 12 : 8;
}

static void put_title(struct textbuf *tb, const struct annotation *a, const char *event_name,
		      const struct annotate_text_opts *o)
{
	static const char *const columns[] = {
		[ANNOTATE_PERCENT] = "Percent", [ANNOTATE_SAMPLES] = "Samples",
		[ANNOTATE_PERIOD] = "Period",
	};
	static const char *const types[] = {
		[LOCAL_PERIOD] = "local period", [LOCAL_HITS] = "local hits",
		[GLOBAL_PERIOD] = "global period", [GLOBAL_HITS] = "global hits",
	};
	const struct dso *dso = a->code.dso;
	size_t begin = tb->len;

	textbuf__putc(tb, ' ');
	textbuf__str_left(tb, columns[o->column], value_width(o) * a->events.nr);
	textbuf__printf(tb, "|\tSource code & Disassembly of %s for %s (%" PRIu64
			" samples, percent: %s)", o->full_paths ? dso->name : dso->short_name,
			event_name, a->events.v[0].sum.nr, types[o->type]);
	begin = tb->len - begin;
	textbuf__putc(tb, '\n');
	textbuf__pad(tb, '-', begin + RULE_EXTRA);
	textbuf__putc(tb, '\n');
}

/* Returns the source line of an instruction: "p.c:12", or "p[11cb]" as perf has it without. */
static const char *line_of(const struct annotation *a, size_t nr, struct symbols *symbols,
			   char *buf, size_t size)
{
	u64 addr = a->code.lines.v[nr].addr;
	const char *line = symbols__srcline(symbols, a->code.dso, addr, 0);

	if (line)
		return line;
	snprintf(buf, size, "%s[%" PRIx64 "]", a->code.dso->short_name, addr);
	return buf;
}

struct line_share {
	const char *line;
	double percent;
};

static int by_share(const void *va, const void *vb)
{
	const struct line_share *a = va, *b = vb;

	if (a->percent != b->percent)
		return a->percent < b->percent ? 1 : -1;
	return strcmp(a->line, b->line);
}

static void add_share(struct line_share *v, size_t *nr, const char *line, double percent)
{
	for (size_t i = 0; i < *nr; i++)
		if (!strcmp(v[i].line, line)) {
			v[i].percent += percent;
			return;
		}
	v[(*nr)++] = (struct line_share){ line, percent };
}

static void put_summary(struct textbuf *tb, const struct annotation *a, struct symbols *symbols,
			const struct annotate_text_opts *o)
{
	struct line_share *v = xcalloc(a->code.lines.nr, sizeof(*v));
	struct arena *arena = arena__new();
	size_t nr = 0;

	for (size_t i = 0; i < a->code.lines.nr; i++) {
		double percent = annotation__percent(a, 0, i, o->type);
		char buf[4096];

		if (percent > 0)
			add_share(v, &nr, arena__intern(arena, line_of(a, i, symbols, buf,
								       sizeof(buf))), percent);
	}
	if (nr)
		qsort(v, nr, sizeof(*v), by_share);
	textbuf__printf(tb, "\nSorted summary for file %s\n", a->code.dso->name);
	textbuf__pad(tb, '-', SUMMARY_RULE);
	textbuf__puts(tb, "\n\n");
	for (size_t i = 0; i < nr && v[i].percent > LINE_LEAST; i++)
		textbuf__printf(tb, "%8.2f %s\n", v[i].percent, v[i].line);
	arena__free(arena);
	free(v);
}

static void put_value(struct textbuf *tb, const struct annotation *a, size_t event, size_t nr,
		      const struct annotate_text_opts *o)
{
	struct code_total t;

	if (o->column == ANNOTATE_PERCENT) {
		textbuf__printf(tb, "%8.2f", annotation__percent(a, event, nr, o->type));
		return;
	}
	t = annotation__line(a, event, nr);
	textbuf__dec(tb, o->column == ANNOTATE_SAMPLES ? t.nr : t.period, value_width(o));
}

static void put_code(struct textbuf *tb, const struct annotation *a, size_t nr,
		     struct symbols *symbols, const struct annotate_text_opts *o)
{
	const struct listing_line *line = &a->code.lines.v[nr];
	size_t len = strlen(line->label) + 1;
	char buf[4096];

	for (size_t e = 0; e < a->events.nr; e++)
		put_value(tb, a, e, nr, o);
	textbuf__printf(tb, " :   %s:", line->label);
	textbuf__pad(tb, ' ', TAB - len % TAB);
	textbuf__name(tb, line->text);
	if (o->lines && annotation__percent(a, 0, nr, o->type) > LINE_LEAST)
		textbuf__printf(tb, " // %s", line_of(a, nr, symbols, buf, sizeof(buf)));
	textbuf__putc(tb, '\n');
}

void textbuf__annotation(struct textbuf *tb, const struct annotation *a, const char *event_name,
			 struct symbols *symbols, const struct annotate_text_opts *opts)
{
	const struct listing *code = &a->code;
	size_t values = value_width(opts) * a->events.nr;

	if (opts->lines)
		put_summary(tb, a, symbols, opts);
	put_title(tb, a, event_name, opts);
	for (size_t i = 0; i < code->lines.nr; i++) {
		const struct listing_line *line = &code->lines.v[i];

		if (line->is_code) {
			put_code(tb, a, i, symbols, opts);
			continue;
		}
		textbuf__pad(tb, ' ', values + 1);
		if (*line->text)
			textbuf__printf(tb, ": %-*u %s\n", (int)code->label_width, line->number,
					line->text);
		else
			textbuf__puts(tb, ":\n");
	}
}
