// SPDX-License-Identifier: GPL-2.0-only
/* "comm;main;work 120": a line for each stack, the outermost frame first. */
#include <stdlib.h>

#include "formats.h"
#include "sums.h"

struct folded {
	struct export *x;
	struct sums sums;
	bool events;              /* several: the name is the first frame */
	VEC(u32) frames;
};

static void *folded__begin(struct export *x)
{
	struct folded *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sums.kept = SUM_COMM | SUM_EVENT;
	return w;
}

static void folded__sample(void *ctx, const struct export_sample *s)
{
	struct folded *w = ctx;

	sums__add(&w->sums, s);
}

/* A semicolon divides frames. */
static void put_name(struct textbuf *tb, const char *name)
{
	size_t len = strlen(name);
	char *p = textbuf__room(tb, len);

	for (size_t i = 0; i < len; i++)
		p[i] = name[i] == ';' ? ':' : name[i];
	tb->len += len;
}

static void put_stack(struct folded *w, const struct sum *sum)
{
	const struct stack_table *t = &w->x->table;
	const struct sum_labels *labels = &w->sums.labels.v[sum->labels];
	struct textbuf *tb = w->x->out;

	if (w->events) {
		put_name(tb, w->x->recording->events.v[labels->event]->name);
		textbuf__putc(tb, ';');
	}
	put_name(tb, labels->comm);
	w->frames.nr = 0;
	for (u32 node = sum->node; node; node = t->nodes.v[node].parent)
		*vec__push(&w->frames) = t->nodes.v[node].frame;
	while (w->frames.nr) {
		textbuf__putc(tb, ';');
		put_name(tb, stack_table__function(t, w->frames.v[--w->frames.nr])->name);
	}
	textbuf__putc(tb, ' ');
	textbuf__dec(tb, w->x->opts.values_are_samples ? sum->nr : sum->period, 0);
	textbuf__putc(tb, '\n');
}

static void folded__end(void *ctx, const char *words __unused_arg)
{
	struct folded *w = ctx;
	u32 nr = 0;

	for (size_t i = 0; i < w->x->recording->events.nr; i++)
		nr += !!w->x->counts[i];
	w->events = nr > 1;
	for (size_t i = 0; i < w->sums.v.nr; i++)
		put_stack(w, &w->sums.v.v[i]);
}

static void folded__free(void *ctx)
{
	struct folded *w = ctx;

	sums__free(&w->sums);
	vec__free(&w->frames);
	free(w);
}

const struct export_format export_folded = {
	.name = "folded", .suffix = "folded", .help = "a line for each stack, for flame graphs",
	.marks = true,
	.begin = folded__begin, .sample = folded__sample, .end = folded__end,
	.free = folded__free,
};
