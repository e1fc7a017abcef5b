// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flame graph as a picture: the outermost frames at the bottom, a box as wide as its share of
 * the samples' periods. Boxes of less than half a point are left out, which the picture says. Of
 * several events, only the first that has samples is drawn.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../stack/folding.h"
#include "../symbol/short-name.h"
#include "formats.h"
#include "sums.h"

#define WIDTH 1200
#define MARGIN 10
#define ROW 17
#define TOP 40
#define LEAST 0.5             /* points */
#define LETTER 7.0            /* width of one, of the font's size */
#define ROWS_SHOWN 400        /* deeper frames are left out, too */

struct svg {
	struct export *x;
	struct sums sums;
	struct folding tree;      /* of the stacks, by their functions */
	u64 *total;               /* by node of it; [0]: of all */
	u32 *order, *first, *next; /* children of a node, by their names */
	u32 depth;                /* of what is drawn */
	u64 nr_small;             /* boxes that are left out */
	struct short_names names; /* as they are shown */
};

static void *svg__begin(struct export *x)
{
	struct svg *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sums.kept = SUM_EVENT;
	return w;
}

static void svg__sample(void *ctx, const struct export_sample *s)
{
	struct svg *w = ctx;

	sums__count(&w->sums, s);
}

static const struct export_function *function_of(const struct svg *w, u32 node)
{
	return &w->x->table.functions.v[w->tree.v.v[node].function];
}

static const char *name_of(const struct svg *w, u32 node)
{
	return function_of(w, node)->name;
}

/* From the names, last first, so that lists of children begin with the first. */
static int later_name(const void *a, const void *b, void *ctx)
{
	return strcmp(name_of(ctx, *(const u32 *)b), name_of(ctx, *(const u32 *)a));
}

static u32 first_event(const struct svg *w)
{
	u32 i = 0;

	while (i + 1 < w->x->recording->events.nr && !w->x->counts[i])
		i++;
	return i;
}

/* Returns: the node of the stack of a @node of the table. */
static u32 fold(struct svg *w, u32 node)
{
	const struct stack_table *t = &w->x->table;
	struct folding *f = &w->tree;

	f->stack.nr = 0;
	for (; node; node = t->nodes.v[node].parent)
		*vec__push(&f->stack) = t->frames.v[t->nodes.v[node].frame].function;
	for (size_t i = 0, k = f->stack.nr; i + 1 < k; i++, k--) {
		u32 outer = f->stack.v[k - 1];

		f->stack.v[k - 1] = f->stack.v[i];
		f->stack.v[i] = outer;
	}
	return folding__stack(f, f->stack.v, f->stack.nr);
}

/* Functions of one caller with equal names in two binaries stay apart, as in the table. */
static void add_up(struct svg *w, u32 event)
{
	u32 *to = xcalloc(w->x->table.nodes.nr, sizeof(*to)), nr;
	const struct sum *v;

	sums__end(&w->sums);
	v = w->sums.v.v;
	w->tree.keeps_all = w->x->opts.each_depth;
	folding__init(&w->tree, w->x->table.functions.nr);
	for (u32 i = 0; i < w->x->table.functions.nr; i++)
		if (stack_table__is_of_runtime(&w->x->table, i))
			folding__hold(&w->tree, i);
	for (size_t i = 0; i < w->sums.v.nr; i++)
		if (!to[v[i].node] && w->sums.labels.v[v[i].labels].event == event)
			to[v[i].node] = fold(w, v[i].node);
	nr = w->tree.v.nr;
	w->total = xcalloc(nr, sizeof(*w->total));
	w->order = xcalloc(nr, sizeof(*w->order));
	w->first = xcalloc(nr, sizeof(*w->first));
	w->next = xcalloc(nr, sizeof(*w->next));
	for (size_t i = 0; i < w->sums.v.nr; i++)
		if (w->sums.labels.v[v[i].labels].event == event)
			w->total[to[v[i].node]] += v[i].period;
	free(to);
	for (u32 i = nr; i-- > 1;)
		w->total[w->tree.v.v[i].parent] += w->total[i];
	for (u32 i = 1; i < nr; i++)
		w->order[i - 1] = i;
	qsort_r(w->order, nr - 1, sizeof(*w->order), later_name, w);
	for (u32 i = 0; i + 1 < nr; i++) {
		u32 node = w->order[i], parent = w->tree.v.v[node].parent;

		w->next[node] = w->first[parent];
		w->first[parent] = node;
	}
}

static double width_of(const struct svg *w, u32 node)
{
	return w->total[0] ? (double)(WIDTH - 2 * MARGIN) * w->total[node] / w->total[0] : 0;
}

static void put_escaped(struct textbuf *tb, const char *s, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const char *word = s[i] == '<' ? "&lt;" : s[i] == '>' ? "&gt;" :
				   s[i] == '&' ? "&amp;" : s[i] == '"' ? "&quot;" : NULL;

		if (word)
			textbuf__puts(tb, word);
		else
			textbuf__putc(tb, s[i]);
	}
}

/* As much of a name as there is room for, by whole characters. */
static void put_name(struct textbuf *tb, const char *name, u32 room)
{
	size_t bytes = 0;
	u32 chars = 0;

	while (name[bytes] && chars < room) {
		do {
			bytes++;
		} while (((u8)name[bytes] & 0xc0) == 0x80);
		chars++;
	}
	put_escaped(tb, name, bytes);
	if (name[bytes])
		textbuf__puts(tb, "..");
}

/* One of a few colours for each name; grey is what is missing. */
static const char *colour_of(const struct svg *w, u32 node)
{
	static const char *const user[] = {
		"#fbe3a0", "#fbd08f", "#f9bd84", "#f7dd72", "#f5c469", "#fbb4a0",
	};
	const struct export_function *f = &w->x->table.functions.v[w->tree.v.v[node].function];
	u32 sum = 0;

	for (const char *p = f->name; *p; p++)
		sum = sum * 31 + (u8)*p;
	return f->is_mark ? "#c8c8c8" : f->kernel ? "#f0a070" : user[sum % ARRAY_SIZE(user)];
}

/* " x 41": so often it is on one of the stacks, at most. */
static void put_times(struct textbuf *tb, u32 times)
{
	if (times > 1)
		textbuf__printf(tb, " x %u", times);
}

/* The name of a box, and how often it is called, as far as there is room for both. */
static void put_label(const struct svg *w, u32 node, u32 room)
{
	u32 times = w->tree.v.v[node].times;
	u32 taken = times > 1 ? snprintf(NULL, 0, " x %u", times) : 0;
	bool fits = taken + 3 < room;
	const char *name;

	room -= fits ? taken : 0;
	name = short_names__of(&w->names, function_of(w, node), name_of(w, node));
	put_name(w->x->out, name__fit(name, room), room);
	if (fits)
		put_times(w->x->out, times);
}

static void put_box(struct svg *w, u32 node, double x, u32 depth)
{
	struct textbuf *tb = w->x->out;
	double width = width_of(w, node), y = TOP + (double)(w->depth - 1 - depth) * ROW;
	u32 times = w->tree.v.v[node].times, room = width > 3 * LETTER ? width / LETTER - 1 : 0;

	textbuf__puts(tb, "<g><title>");
	put_escaped(tb, name_of(w, node), strlen(name_of(w, node)));
	put_times(tb, times);
	textbuf__printf(tb, " (%.2f%%)</title><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" "
			"height=\"%d\" fill=\"%s\"/>",
			100.0 * w->total[node] / w->total[0], x, y, width, ROW - 1,
			colour_of(w, node));
	if (room) {
		textbuf__printf(tb, "<text x=\"%.1f\" y=\"%.0f\">", x + 2, y + ROW - 5);
		put_label(w, node, room);
		textbuf__puts(tb, "</text>");
	}
	textbuf__puts(tb, "</g>\n");
}

static bool is_drawn(const struct svg *w, u32 node, u32 depth)
{
	return w->total[node] && width_of(w, node) >= LEAST && depth < ROWS_SHOWN;
}

/*
 * Visits what is drawn, callers first.
 * @put: false: finds the depth, and counts what is not drawn
 */
static void visit(struct svg *w, bool put)
{
	u32 node = w->first[0], depth = 0;
	VEC(double) lefts = {};
	double x = MARGIN;

	while (node) {
		if (is_drawn(w, node, depth)) {
			w->depth = max_of(w->depth, depth + 1);
			if (put)
				put_box(w, node, x, depth);
			if (w->first[node]) {
				*vec__push(&lefts) = x;
				node = w->first[node];
				depth++;
				continue;
			}
		} else if (!put && w->total[node]) {
			w->nr_small++;
		}
		x += width_of(w, node);
		while (node && !w->next[node]) {
			node = w->tree.v.v[node].parent;
			if (node)
				x = lefts.v[--lefts.nr] + width_of(w, node);
			depth--;
		}
		node = w->next[node];
	}
	vec__free(&lefts);
}

/* Of which event the picture is, and what else was recorded. */
static void put_counts(struct svg *w, u32 event)
{
	const struct export *x = w->x;
	struct textbuf *tb = x->out;

	if (!x->recording->events.nr)
		return;
	put_name(tb, stack_table__name(&w->x->table, x->recording->events.v[event]->name), 60);
	textbuf__printf(tb, ": %llu samples", (unsigned long long)x->counts[event]);
	for (size_t i = 0; i < x->recording->events.nr; i++) {
		if (i == event || !x->counts[i])
			continue;
		textbuf__printf(tb, "; not drawn: %llu of ", (unsigned long long)x->counts[i]);
		put_name(tb, stack_table__name(&w->x->table, x->recording->events.v[i]->name), 60);
	}
}

static void put_picture(struct svg *w, const char *words, u32 event)
{
	struct textbuf *tb = w->x->out;
	u32 height = TOP + w->depth * ROW + MARGIN;

	textbuf__printf(tb, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" "
			"width=\"%d\" height=\"%u\" font-family=\"monospace\" font-size=\"11\" "
			"role=\"img\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
			WIDTH, height, WIDTH, height);
	textbuf__puts(tb, "<desc>");
	put_escaped(tb, words, strlen(words));
	textbuf__printf(tb, "</desc>\n<text x=\"%d\" y=\"16\">", MARGIN);
	put_counts(w, event);
	textbuf__printf(tb, "</text>\n<text x=\"%d\" y=\"31\" fill=\"#555\">%llu boxes are too "
			"small to be drawn; in the recording ", MARGIN,
			(unsigned long long)w->nr_small);
	put_name(tb, words, 120);
	textbuf__puts(tb, "</text>\n");
	visit(w, true);
	textbuf__puts(tb, "</svg>\n");
}

static void svg__end(void *ctx, const char *words)
{
	struct svg *w = ctx;
	u32 event = first_event(w);

	export__shorten(w->x, &w->names);
	add_up(w, event);
	visit(w, false);
	put_picture(w, words, event);
	w->x->nr_samples = w->x->counts[event]; /* of what was written */
}

static void svg__free(void *ctx)
{
	struct svg *w = ctx;

	sums__free(&w->sums);
	short_names__free(&w->names);
	folding__free(&w->tree);
	free(w->total);
	free(w->order);
	free(w->first);
	free(w->next);
	free(w);
}

const struct export_format export_svg = {
	.name = "svg", .suffix = "svg", .help = "a flame graph for documents",
	.marks = true,
	.begin = svg__begin, .sample = svg__sample, .end = svg__end, .free = svg__free,
};
