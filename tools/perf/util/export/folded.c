// SPDX-License-Identifier: GPL-2.0-only
/* "comm;main;work 120": a line for each stack, the outermost frame first. */
#include <stdlib.h>

#include "formats.h"
#include "stack-path.h"
#include "sums.h"

struct folded {
	struct export *x;
	struct sums sums;
	bool events;              /* several: the name is the first frame */
	struct stack_path path;   /* of the last stack */
	struct textbuf names;     /* of its frames, a semicolon in front of each */
	VEC(size_t) names_end;    /* by place in .path */
};

static void *folded__begin(struct export *x)
{
	struct folded *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sums.kept = SUM_COMM | SUM_EVENT;
	textbuf__init(&w->names, -1);
	return w;
}

static void folded__sample(void *ctx, const struct export_sample *s)
{
	struct folded *w = ctx;

	sums__count(&w->sums, s);
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

/* Makes the names of the frames that the stack before did not have. */
static void go_to(struct folded *w, u32 node)
{
	const struct stack_table *t = &w->x->table;
	struct stack_path *p = &w->path;

	stack_path__go(p, t, node);
	vec__reserve(&w->names_end, p->v.nr);
	w->names.len = p->same ? w->names_end.v[p->same - 1] : 0;
	for (size_t i = p->same; i < p->v.nr; i++) {
		textbuf__putc(&w->names, ';');
		put_name(&w->names, stack_table__function(t, t->nodes.v[p->v.v[i]].frame)->name);
		w->names_end.v[i] = w->names.len;
	}
}

static void put_stack(struct folded *w, const struct sum *sum)
{
	const struct sum_labels *labels = &w->sums.labels.v[sum->labels];
	struct textbuf *tb = w->x->out;

	if (w->events) {
		put_name(tb, w->x->recording->events.v[labels->event]->name);
		textbuf__putc(tb, ';');
	}
	put_name(tb, labels->comm);
	go_to(w, sum->node);
	textbuf__put(tb, w->names.buf, w->names.len);
	textbuf__putc(tb, ' ');
	textbuf__dec(tb, w->x->opts.values_are_samples ? sum->nr : sum->period, 0);
	textbuf__putc(tb, '\n');
}

static void folded__end(void *ctx, const char *words __unused_arg)
{
	struct folded *w = ctx;
	u32 nr = 0;

	sums__end(&w->sums);
	for (size_t i = 0; i < w->x->recording->events.nr; i++)
		nr += !!w->x->counts[i];
	w->events = nr > 1;
	for (size_t i = 0; i < w->sums.v.nr; i++) {
		stack_path__soon(&w->x->table, sums__node_soon(&w->sums, i));
		put_stack(w, &w->sums.v.v[i]);
	}
}

static void folded__free(void *ctx)
{
	struct folded *w = ctx;

	sums__free(&w->sums);
	stack_path__free(&w->path);
	textbuf__free(&w->names);
	vec__free(&w->names_end);
	free(w);
}

const struct export_format export_folded = {
	.name = "folded", .suffix = "folded", .help = "a line for each stack, for flame graphs",
	.marks = true,
	.begin = folded__begin, .sample = folded__sample, .end = folded__end,
	.free = folded__free,
};
