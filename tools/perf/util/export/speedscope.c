// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile for each event of each thread, in the order of time; samples in a row that have the
 * same stack are one with their sum. Where the event counts time, what lies between samples is a
 * sample without frames: so "Time Order" is that, and what a thread waited for is not in one piece.
 */
#include <stdlib.h>

#include "../text/json.h"
#include "formats.h"
#include "series.h"

struct speedscope {
	struct export *x;
	struct series_set set;
	VEC(u32) frames;
};

static void *speedscope__begin(struct export *x)
{
	struct speedscope *w = xzalloc(sizeof(*w));

	w->x = x;
	w->set.merge = true;
	w->set.gaps = xcalloc(x->recording->events.nr + 1, sizeof(*w->set.gaps));
	for (size_t i = 0; i < x->recording->events.nr; i++)
		w->set.gaps[i] = evsel__counts_time(x->recording->events.v[i]);
	return w;
}

static void speedscope__sample(void *ctx, const struct export_sample *s)
{
	struct speedscope *w = ctx;

	series_set__add(&w->set, s);
}

/* The file is that of its source, or else the binary: colours are by files, too. */
static void put_place(struct textbuf *tb, struct stack_table *t, const struct export_function *f)
{
	struct source_line at;

	stack_table__source(t, f, &at);
	if (at.file)
		textbuf__json_text(tb, "file", stack_table__name(t, at.file));
	else if (f->module)
		textbuf__json_text(tb, "file", t->modules.v[f->module].name);
	if (at.file && at.line)
		textbuf__json_number(tb, "line", at.line);
}

static void put_frames(struct textbuf *tb, struct stack_table *t)
{
	textbuf__puts(tb, "\"shared\":{\"frames\":[");
	for (u32 i = 1; i < t->frames.nr; i++) {
		const struct export_function *f = stack_table__function(t, i);

		textbuf__puts(tb, i > 1 ? ",\n{\"name\":" : "{\"name\":");
		textbuf__json_string(tb, f->name);
		put_place(tb, t, f);
		textbuf__putc(tb, '}');
	}
	textbuf__puts(tb, "]}");
}

static void put_stack(struct speedscope *w, u32 node)
{
	const struct stack_table *t = &w->x->table;
	struct textbuf *tb = w->x->out;

	w->frames.nr = 0;
	for (; node; node = t->nodes.v[node].parent)
		*vec__push(&w->frames) = t->nodes.v[node].frame - 1;
	textbuf__putc(tb, '[');
	while (w->frames.nr) {
		textbuf__dec(tb, w->frames.v[--w->frames.nr], 0);
		if (w->frames.nr)
			textbuf__putc(tb, ',');
	}
	textbuf__putc(tb, ']');
}

static void put_profile(struct speedscope *w, const struct series *s)
{
	const struct evsel *ev = w->x->recording->events.v[s->event];
	struct textbuf *tb = w->x->out;
	char *name = xasprintf("%s %d/%d %s", s->comm, (int)s->pid, (int)s->tid,
			       stack_table__name(&w->x->table, ev->name));
	u64 sum = 0;

	textbuf__puts(tb, "{\"type\":\"sampled\"");
	textbuf__json_text(tb, "name", name);
	textbuf__json_text(tb, "unit", evsel__counts_time(ev) ? "nanoseconds" : "none");
	textbuf__puts(tb, ",\"startValue\":0,\"samples\":[");
	for (size_t i = 0; i < s->points.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		put_stack(w, s->points.v[i].node);
		sum += s->points.v[i].period;
	}
	textbuf__puts(tb, "],\"weights\":");
	series__put_periods(s, tb);
	textbuf__json_number(tb, "endValue", sum);
	textbuf__puts(tb, "}");
	free(name);
}

static void speedscope__end(void *ctx, const char *words)
{
	struct speedscope *w = ctx;
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"");
	textbuf__json_text(tb, "exporter", "perf data convert");
	if (*words)
		textbuf__json_text(tb, "name", words);
	textbuf__puts(tb, ",\n");
	put_frames(tb, &w->x->table);
	textbuf__puts(tb, ",\n\"profiles\":[");
	for (size_t i = 0; i < w->set.v.nr; i++) {
		if (i)
			textbuf__puts(tb, ",\n");
		put_profile(w, &w->set.v.v[i]);
	}
	textbuf__puts(tb, "]}\n");
}

static void speedscope__free(void *ctx)
{
	struct speedscope *w = ctx;

	series_set__free(&w->set);
	vec__free(&w->frames);
	free(w);
}

const struct export_format export_speedscope = {
	.name = "speedscope", .suffix = "speedscope.json", .help = "for www.speedscope.app",
	.marks = true,
	.begin = speedscope__begin, .sample = speedscope__sample, .end = speedscope__end,
	.free = speedscope__free,
};
