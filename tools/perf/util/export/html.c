// SPDX-License-Identifier: GPL-2.0-only
/*
 * A page that shows itself: HTML, style and script (tools/perf/html), and the samples as JSON in an
 * element that is no script. There, stacks are the tree of the table, and each stack of a thread,
 * CPU and event has its sums for short times, all of one length: at most BINS of these.
 *
 * "nodes" and "rows" are lists of varints (proto.h) in base64. nodes, each: its number less its
 * parent's, its function less 1. rows, for each stack of a label: that, zigzag of
 * its node less the one before, how many times, and for each: how many later than the one before,
 * samples * 2, or that + 1 and then the sum of periods, where that is not samples * "base".
 *
 * A page that compares recordings has such an object for each, in a list: diff/page.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../off-cpu/wait.h"
#include "../text/json.h"
#include "base64.h"
#include "formats.h"
#include "page.h"
#include "proto.h"
#include "spans.h"
#include "sums.h"

#define BINS 1024
#define BINS_LEAST 64         /* shorter times are not given up for lack of room */
#define ROWS_MAX (4u << 20)   /* then times become longer */
#define FIRST_WIDTH (1 << 14) /* ns */
#define NONE UINT32_MAX
#define RUNNABLE "runnable"     /* state of labels, as their activity */

/* Samples of a stack of a thread, CPU and event in a short time. */
struct row {
	u32 bin, nr, next;
	u64 period;
};

struct list {
	u32 first, last;
};

struct html {
	struct export *x;
	struct sums sums;
	VEC(struct list) lists;   /* by sum */
	VEC(struct row) rows;
	u64 start, width;         /* ns */
	u64 *base;                /* by event: period of its first sample */
	struct textbuf bytes;
	struct spans spans;
};

static void *html__begin(struct export *x)
{
	struct html *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sums.kept = SUM_PID | SUM_TID | SUM_CPU | SUM_COMM | SUM_EVENT | SUM_ACTIVITY;
	w->width = FIRST_WIDTH;
	w->base = xcalloc(x->recording->events.nr + 1, sizeof(*w->base));
	textbuf__init(&w->bytes, -1);
	return w;
}

/* Appends the rows of a list to @to, with times of twice the length. */
static void halve_list(struct html *w, struct list *l, struct row *to, u32 *nr)
{
	u32 first = *nr;

	for (u32 i = l->first; i != NONE; i = w->rows.v[i].next) {
		struct row r = w->rows.v[i];

		r.bin /= 2;
		r.next = NONE;
		if (*nr > first && to[*nr - 1].bin == r.bin) {
			to[*nr - 1].nr += r.nr;
			to[*nr - 1].period += r.period;
			continue;
		}
		if (*nr > first)
			to[*nr - 1].next = *nr;
		to[(*nr)++] = r;
	}
	l->first = first;
	l->last = *nr - 1;
}

static void halve(struct html *w)
{
	struct row *to = xcalloc(w->rows.max, sizeof(*to));
	u32 nr = 0;

	for (size_t i = 0; i < w->lists.nr; i++)
		halve_list(w, &w->lists.v[i], to, &nr);
	free(w->rows.v);
	w->rows.v = to;
	w->rows.nr = nr;
	w->width *= 2;
}

static u32 bin_of(struct html *w, u64 time)
{
	u64 since = time > w->start ? time - w->start : 0;

	while (since / w->width >= BINS ||
	       (w->rows.nr >= ROWS_MAX && since / w->width >= BINS_LEAST))
		halve(w);
	return since / w->width;
}

/* Counts @nr samples. @s: its activity is the state of the thread */
static void add_row(struct html *w, const struct export_sample *s, u32 nr)
{
	u32 sum, bin = bin_of(w, s->time);
	struct list *l;
	struct row *last;

	sum = sums__add(&w->sums, s);
	if (sum == w->lists.nr)
		*vec__push(&w->lists) = (struct list){ NONE, NONE };
	l = &w->lists.v[sum];
	last = l->last == NONE ? NULL : &w->rows.v[l->last];
	if (last && bin <= last->bin) {
		last->nr += nr;
		last->period += s->period;
		return;
	}
	if (last)
		last->next = w->rows.nr;
	else
		l->first = w->rows.nr;
	l->last = w->rows.nr;
	*vec__push(&w->rows) = (struct row){ bin, nr, NONE, s->period };
}

/* A wait is one sample, but two rows: runnable, and blocked in front of that. */
static void html__sample(void *ctx, const struct export_sample *s)
{
	struct html *w = ctx;
	struct export_sample part = *s;

	if (!w->lists.nr)
		w->start = s->time;
	if (!w->base[s->event])
		w->base[s->event] = s->period;
	spans__add(&w->spans, s);
	part.activity = NULL;
	part.period -= s->runnable;
	part.time -= min_of(s->runnable, part.time);
	if (part.period || !s->runnable)
		add_row(w, &part, 1);
	if (!s->runnable)
		return;
	part = *s;
	part.activity = RUNNABLE;
	part.period = s->runnable;
	add_row(w, &part, s->runnable == s->period);
}

static void put_text(struct html *w, const char *key, const char *s)
{
	if (!s)
		return;
	textbuf__json_key(w->x->out, key);
	textbuf__page_string(w->x->out, s);
}

static void put_command(struct html *w)
{
	const struct recording *rec = w->x->recording;
	struct textbuf line;

	textbuf__init(&line, -1);
	for (size_t i = 0; i < rec->cmdline.nr; i++) {
		textbuf__puts(&line, i ? " " : "");
		textbuf__puts(&line, rec->cmdline.v[i]);
	}
	put_text(w, "command", textbuf__str(&line));
	textbuf__free(&line);
}

static void put_events(struct html *w)
{
	const struct recording *rec = w->x->recording;
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, ",\n\"events\":[");
	for (size_t i = 0; i < rec->events.nr; i++) {
		const struct evsel *ev = rec->events.v[i];

		textbuf__puts(tb, i ? ",{\"name\":" : "{\"name\":");
		textbuf__page_string(w->x->out, ev->name);
		textbuf__json_bool(tb, "time", evsel__counts_time(ev));
		textbuf__json_bool(tb, "off", evsel__is_off_cpu(ev));
		textbuf__json_number(tb, "samples", w->x->counts[i]);
		textbuf__json_number(tb, "period", w->x->periods[i]);
		textbuf__json_number(tb, "base", w->base[i]);
		textbuf__putc(tb, '}');
	}
	textbuf__putc(tb, ']');
}

/* What the page shows first, as in its address: the event, recursion, and the least share. */
static void put_first_view(struct html *w)
{
	const struct recording *rec = w->x->recording;
	u32 event = recording__off_cpu_event(rec);
	char number[16];

	textbuf__json_bool(w->x->out, "each_depth", w->x->opts.each_depth);
	snprintf(number, sizeof(number), "%.9g", w->x->opts.min_percent);
	if (w->x->opts.min_percent > 0)
		put_text(w, "limit", number);
	if (w->x->opts.view == EXPORT_EVENTS)
		return;
	snprintf(number, sizeof(number), "%u", event);
	put_text(w, "first", w->x->opts.view == EXPORT_WALL ? "all" : number);
}

static void put_labels(struct html *w)
{
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, ",\n\"labels\":[");
	for (size_t i = 0; i < w->sums.labels.nr; i++) {
		const struct sum_labels *l = &w->sums.labels.v[i];

		textbuf__printf(tb, "%s[%d,%d,%u,", i ? "," : "", (int)l->pid, (int)l->tid,
				l->event);
		textbuf__page_string(w->x->out, l->comm);
		textbuf__printf(tb, ",%d,%d]", (int)l->cpu, l->activity != NULL);
	}
	textbuf__putc(tb, ']');
}

/* As data.js has them. */
static int kind_of(const struct stack_table *t, const struct export_function *f)
{
	return f->is_mark ? 2 : f->kernel ? 1 :
	       stack_table__is_of_runtime(t, f - t->functions.v) ? 3 : 0;
}

/* The name of a function, and what the page shows of it where that is another text. */
static void put_function(struct html *w, const struct export_function *f,
			 const struct short_names *names)
{
	const char *text = short_names__of(names, f, f->name);

	textbuf__page_string(w->x->out, f->name);
	textbuf__printf(w->x->out, ",%u,%d", f->module, kind_of(&w->x->table, f));
	textbuf__puts(w->x->out, strcmp(text, f->name) ? "," : "");
	if (strcmp(text, f->name))
		textbuf__page_string(w->x->out, text);
	textbuf__putc(w->x->out, ']');
}

static void put_functions(struct html *w)
{
	struct short_names names = {};
	const struct stack_table *t = &w->x->table;
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, ",\n\"modules\":[");
	for (u32 i = 0; i < t->modules.nr; i++) {
		textbuf__puts(tb, i ? ",[" : "[");
		textbuf__page_string(w->x->out, t->modules.v[i].name);
		textbuf__printf(tb, ",\"%s\"]", t->modules.v[i].build_id);
	}
	textbuf__puts(tb, "],\n\"functions\":[");
	export__shorten(w->x, &names);
	for (u32 i = 1; i < t->functions.nr; i++) {
		textbuf__puts(tb, i > 1 ? ",[" : "[");
		put_function(w, &t->functions.v[i], &names);
	}
	textbuf__putc(tb, ']');
	short_names__free(&names);
}

/* Where functions begin, with what makes a link of it: 0, or the file and the line. */
static void put_sources(struct html *w)
{
	const struct stack_table *t = &w->x->table;
	struct textbuf *tb = w->x->out;

	if (!w->x->opts.source_url)
		return;
	put_text(w, "source_url", w->x->opts.source_url);
	textbuf__puts(tb, ",\n\"sources\":[");
	for (u32 i = 1; i < t->functions.nr; i++) {
		struct source_line at;

		stack_table__source(t, &t->functions.v[i], &at);
		textbuf__puts(tb, i > 1 ? "," : "");
		if (!at.file) {
			textbuf__putc(tb, '0');
			continue;
		}
		textbuf__putc(tb, '[');
		textbuf__page_string(tb, stack_table__name(&w->x->table, at.file));
		textbuf__printf(tb, ",%u]", at.line);
	}
	textbuf__putc(tb, ']');
}

/* All that is in .bytes, as a member. */
static void put_bytes(struct html *w, const char *key)
{
	textbuf__json_key(w->x->out, key);
	textbuf__putc(w->x->out, '"');
	textbuf__base64(w->x->out, w->bytes.buf, w->bytes.len);
	textbuf__putc(w->x->out, '"');
	w->bytes.len = 0;
}

static void put_nodes(struct html *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->nodes.nr; i++) {
		proto__varint(&w->bytes, i - t->nodes.v[i].parent);
		proto__varint(&w->bytes, t->frames.v[t->nodes.v[i].frame].function - 1);
	}
	put_bytes(w, "nodes");
}

static void put_row(struct html *w, const struct row *r, u32 before, u64 base)
{
	bool plain = r->period == r->nr * base;

	proto__varint(&w->bytes, r->bin - before);
	proto__varint(&w->bytes, (u64)r->nr << 1 | !plain);
	if (!plain)
		proto__varint(&w->bytes, r->period);
}

static void put_rows(struct html *w)
{
	u32 before = 0;

	for (size_t i = 0; i < w->lists.nr; i++) {
		const struct sum *sum = &w->sums.v.v[i];
		u64 base = w->base[w->sums.labels.v[sum->labels].event];
		s64 step = (s64)sum->node - before;
		u32 nr = 0, bin = 0;

		for (u32 r = w->lists.v[i].first; r != NONE; r = w->rows.v[r].next)
			nr++;
		proto__varint(&w->bytes, sum->labels);
		proto__varint(&w->bytes, (u64)step << 1 ^ (u64)(step >> 63));
		proto__varint(&w->bytes, nr);
		for (u32 r = w->lists.v[i].first; r != NONE; r = w->rows.v[r].next) {
			put_row(w, &w->rows.v[r], bin, base);
			bin = w->rows.v[r].bin;
		}
		before = sum->node;
	}
	put_bytes(w, "rows");
}

static void put_data(struct html *w, const char *words)
{
	const struct recording *rec = w->x->recording;
	struct textbuf *tb = w->x->out;
	u64 last = w->x->last_time > w->start ? w->x->last_time - w->start : 0;

	textbuf__puts(tb, "{\"version\":1");
	textbuf__json_number(tb, "samples", w->x->nr_samples);
	textbuf__json_number(tb, "width", w->width);
	textbuf__json_number(tb, "bins", last / w->width + 1);
	put_text(w, "words", words);
	put_text(w, "host", rec->hostname);
	put_text(w, "system", rec->osrelease);
	put_text(w, "cpu", rec->cpudesc);
	put_command(w);
	put_events(w);
	put_first_view(w);
	put_labels(w);
	put_functions(w);
	put_sources(w);
	put_nodes(w);
	put_rows(w);
	spans__put(&w->spans, tb);
	textbuf__puts(tb, "}\n");
}

static void html__end(void *ctx, const char *words)
{
	struct html *w = ctx;
	struct page page;

	if (!w->x->opts.data_only)
		page__begin(&page, w->x->out);
	put_data(w, words);
	if (!w->x->opts.data_only)
		page__end(&page, w->x->out);
}

static void html__free(void *ctx)
{
	struct html *w = ctx;

	sums__free(&w->sums);
	spans__free(&w->spans);
	vec__free(&w->lists);
	vec__free(&w->rows);
	textbuf__free(&w->bytes);
	free(w->base);
	free(w);
}

const struct export_format export_html = {
	.name = "html", .suffix = "html", .help = "a page for a browser, which needs no network",
	.marks = true,
	.begin = html__begin, .sample = html__sample, .end = html__end, .free = html__free,
};
