// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chain-text.h"

#define MARGIN 12

static int parse_word(struct chain_opts *o, const char *w, size_t len)
{
	static const struct { const char *word; int kind, value; } words[] = {
		{ "graph", 0, CHAIN_GRAPH }, { "fractal", 0, CHAIN_FRACTAL },
		{ "flat", 0, CHAIN_FLAT }, { "folded", 0, CHAIN_FOLDED }, { "none", 0, CHAIN_NONE },
		{ "caller", 1, true }, { "callee", 1, false },
		{ "function", 2, 0 }, { "address", 2, 1 }, { "srcline", 2, 2 },
		{ "branch", 4, true },
		{ "percent", 3, CHAIN_PERCENT }, { "period", 3, CHAIN_PERIOD },
		{ "count", 3, CHAIN_COUNT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].word) < len || strncmp(words[i].word, w, len))
			continue;
		switch (words[i].kind) {
		case 0:
			o->mode = words[i].value;
			break;
		case 1:
			o->caller_order = words[i].value;
			o->order_set = true;
			break;
		case 2:
			o->by_address = words[i].value;
			o->by_line = words[i].value == 2;
			break;
		case 3:
			o->value = words[i].value;
			break;
		default:
			o->branches = true;
			break;
		}
		return 0;
	}
	return -EINVAL;
}

int chain_opts__parse(struct chain_opts *o, const char *arg, struct error *err)
{
	bool have_percent = false;

	for (const char *p = arg; *p;) {
		size_t len = strcspn(p, ",");
		char *end;
		double number = strtod(p, &end);
		bool is_number = len && end == p + len && number >= 0;

		if (is_number && !have_percent && number <= 100) {
			o->min_percent = number;
			have_percent = true;
		} else if (is_number && have_percent && number <= UINT32_MAX) {
			o->print_limit = number;
		} else if (len && parse_word(o, p, len)) {
			error__set(err, -EINVAL, "'%.*s' is not a valid part of -g",
				   (int)len, p);
			error__hint(err, "Hint: -g graph|fractal|flat|folded|none,PERCENT,LINES,"
				    "caller|callee,function|address|srcline,percent|period|count");
			return -EINVAL;
		}
		p += len + (p[len] == ',');
	}
	return 0;
}

struct printer {
	struct textbuf *tb;
	const struct chain_tree *t;
	const struct chain_opts *o;
	u64 min_period;
	unsigned int margin;
	bool printed;
	VEC(char) bars; /* per depth: whether a line continues below */
};

/* Addresses of one function are distinguished by their lines, or by their offsets. */
static void put_function(struct textbuf *tb, const struct hist *h, const struct stack_frame *f,
			 bool by_address)
{
	const char *line = NULL;

	textbuf__name(tb, hist__name(h, f));
	if (by_address) {
		line = hist__line(h, f);
		if (line)
			textbuf__printf(tb, " %s", line);
		else
			textbuf__printf(tb, " +%" PRIu64, f->addr - f->sym->start);
	}
	if (f->sym->inlined)
		textbuf__puts(tb, " (inlined)");
}

void textbuf__chain_frame(struct textbuf *tb, const struct hist *h, u32 frame, bool by_address)
{
	const struct stack_frame *f = &h->stacks.frames.v[frame];

	if (f->is_cookie)
		textbuf__puts(tb, "(cookie)");
	else if (f->sym)
		put_function(tb, h, f, by_address);
	else
		textbuf__printf(tb, f->ip ? "%#" PRIx64 : "%" PRIx64, f->ip);
}

static void put_name(struct printer *p, u32 node)
{
	textbuf__chain_frame(p->tb, p->t->hist, p->t->nodes.v[node].frame, p->o->by_address);
}

static void put_value(struct printer *p, u32 nr, u64 period, u64 total)
{
	switch (p->o->value) {
	case CHAIN_PERCENT:
		textbuf__percent(p->tb, total ? 100.0 * period / total : 0.0, 0);
		break;
	case CHAIN_PERIOD:
		textbuf__dec(p->tb, period, 0);
		break;
	case CHAIN_COUNT:
		textbuf__dec(p->tb, nr, 0);
		break;
	}
}

/* Returns the first of @node and its siblings that is large enough to be shown; 0: none. */
static u32 next_shown(const struct printer *p, u32 node, u64 min_period)
{
	const struct chain_node *n = p->t->nodes.v;

	/* They come in descending order. */
	return node && n[node].period_all >= min_period ? node : 0;
}

static u64 sum_of_children(const struct chain_tree *t, u32 node)
{
	return t->nodes.v[node].period_all - t->nodes.v[node].period;
}

/* A level of the graph that is being printed: the children of a node. */
struct level {
	u32 next;       /* the sibling to print next */
	u64 min_period, total, remaining;
	u32 nr_left;    /* samples not yet printed, for the rest line */
	unsigned int printed;
};

static struct level level_below(const struct printer *p, u32 node, u64 total)
{
	const struct chain_node *n = &p->t->nodes.v[node];
	struct level l = { .min_period = p->min_period, .total = total };

	if (p->o->mode == CHAIN_FRACTAL) {
		l.min_period = ceil(sum_of_children(p->t, node) * (p->o->min_percent / 100));
		l.total = total ? total : sum_of_children(p->t, node);
	}
	l.remaining = l.total;
	l.nr_left = n->nr_all - n->nr;
	l.next = next_shown(p, n->child, l.min_period);
	return l;
}

static void put_bars(struct printer *p, unsigned int depth, bool gap)
{
	textbuf__pad(p->tb, ' ', MARGIN + p->margin);
	for (unsigned int i = 0; i < depth; i++) {
		textbuf__putc(p->tb, p->bars.v[i] ? '|' : ' ');
		if (i + 1 < depth || gap)
			textbuf__puts(p->tb, "          ");
	}
}

static void put_run(struct printer *p, u32 node, u32 end, unsigned int depth, u64 total)
{
	const struct chain_node *n = p->t->nodes.v;

	for (u32 at = node;; at = n[at].child) {
		put_bars(p, depth, at != node);
		if (at == node) {
			textbuf__puts(p->tb, "--");
			put_value(p, n[node].nr_all, n[node].period_all, total);
			textbuf__puts(p->tb, "--");
		}
		put_name(p, at);
		textbuf__putc(p->tb, '\n');
		if (at == end)
			break;
	}
}

/* The rest that fractal mode leaves out, so that its shares add up. */
static void put_rest(struct printer *p, const struct level *l, unsigned int depth)
{
	if (p->o->mode != CHAIN_FRACTAL || !l->remaining || l->remaining == l->total)
		return;
	p->bars.v[depth - 1] = false;
	put_bars(p, depth, false);
	textbuf__puts(p->tb, "--");
	put_value(p, l->nr_left, l->remaining, l->total);
	textbuf__puts(p->tb, "--[...]\n");
}

/* The graph below @top, from depth 1 on; a stack of levels in place of recursion. */
static void put_graph(struct printer *p, u32 top, u64 total)
{
	const struct chain_node *n = p->t->nodes.v;
	VEC(struct level) levels = {};

	*vec__push(&levels) = level_below(p, top, total);
	p->bars.nr = 0;
	*vec__push(&p->bars) = true;
	while (levels.nr) {
		struct level *l = &levels.v[levels.nr - 1];
		unsigned int depth = levels.nr;
		u32 node = l->next, end;

		if (!node || (p->o->print_limit && l->printed == p->o->print_limit)) {
			put_rest(p, l, depth);
			levels.nr--;
			p->bars.nr--;
			continue;
		}
		end = chain_node__end_of_run(n, node);
		l->remaining -= n[node].period_all;
		l->nr_left -= n[node].nr_all;
		l->printed++;
		l->next = next_shown(p, n[node].sibling, l->min_period);
		p->printed = true;
		put_bars(p, depth, true);
		textbuf__putc(p->tb, '\n');
		if (!l->next && (p->o->mode != CHAIN_FRACTAL || !l->remaining))
			p->bars.v[depth - 1] = false;
		put_run(p, node, end, depth, l->total);
		*vec__push(&p->bars) = true;
		*vec__push(&levels) = level_below(p, end, p->o->mode == CHAIN_FRACTAL ? 0 : total);
	}
	vec__free(&levels);
}

/* A tree whose only branch has all samples begins without a percentage. */
static u32 put_trunk(struct printer *p, u32 skip)
{
	const struct chain_node *n = p->t->nodes.v;
	u32 node = n[0].child, end = chain_node__end_of_run(n, node);
	unsigned int lines = 0;

	for (u32 at = node;; at = n[at].child) {
		bool skipped = at == node && skip && n[at].frame == skip;

		if (!skipped) {
			textbuf__pad(p->tb, ' ', MARGIN);
			if (!lines++) {
				textbuf__puts(p->tb, "|\n");
				textbuf__pad(p->tb, ' ', MARGIN);
				textbuf__puts(p->tb, "---");
			} else {
				textbuf__pad(p->tb, ' ', 3);
			}
			put_name(p, at);
			textbuf__putc(p->tb, '\n');
		}
		if (at == end || (lines && lines == p->o->print_limit))
			break;
	}
	p->printed = lines > 0;
	p->margin = lines ? 3 : 0;
	return end;
}

static void put_graphs(struct printer *p, u64 entry_period, u64 total, u32 skip)
{
	const struct chain_node *n = p->t->nodes.v;
	u32 child = next_shown(p, n[0].child, p->min_period), top = 0;

	if (!child)
		return;
	if (!next_shown(p, n[child].sibling, p->min_period) && n[child].period_all == entry_period)
		top = put_trunk(p, skip);
	put_graph(p, top, p->o->mode == CHAIN_FRACTAL ? entry_period : total);
	if (p->printed)
		textbuf__putc(p->tb, '\n');
}

/* As put_name(); a dot is in the place of what is between the names. */
static void put_cell(struct printer *p, u32 node, char separator)
{
	struct printer cell = *p;
	struct textbuf name;

	textbuf__init(&name, -1);
	cell.tb = &name;
	put_name(&cell, node);
	textbuf__replace(&name, separator, '.');
	textbuf__put(p->tb, name.buf, name.len);
	textbuf__free(&name);
}

/* @separator: of cells; or NULL */
static void put_path(struct printer *p, u32 node, const char *before, const char *between,
		     const char *after, const char *separator)
{
	const struct chain_node *n = p->t->nodes.v;
	VEC(u32) path = {};

	for (u32 at = node; at; at = n[at].parent)
		*vec__push(&path) = at;
	while (path.nr--) {
		textbuf__puts(p->tb, before);
		if (separator)
			put_cell(p, path.v[path.nr], *separator);
		else
			put_name(p, path.v[path.nr]);
		textbuf__puts(p->tb, path.nr ? between : after);
	}
	free(path.v);
}

static int compare_own(const void *pa, const void *pb, void *ctx)
{
	const struct chain_node *n = ctx;
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;

	if (n[a].period != n[b].period)
		return n[a].period > n[b].period ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* flat and folded: prints each whole chain. */
static void put_each_chain(struct printer *p, u64 total, const char *separator)
{
	const struct chain_node *n = p->t->nodes.v;
	VEC(u32) ends = {};

	for (u32 i = 1; i < p->t->nodes.nr; i++)
		if (n[i].nr && n[i].period >= p->min_period)
			*vec__push(&ends) = i;
	if (ends.nr)
		qsort_r(ends.v, ends.nr, sizeof(u32), compare_own, (void *)n);
	for (size_t i = 0; i < ends.nr; i++) {
		u32 end = ends.v[i];

		if (p->o->print_limit && i == p->o->print_limit)
			break;
		if (p->o->mode == CHAIN_FLAT)
			textbuf__pad(p->tb, ' ', MARGIN - 1);
		put_value(p, n[end].nr, n[end].period, total);
		if (p->o->mode == CHAIN_FLAT) {
			textbuf__putc(p->tb, '\n');
			put_path(p, end, "                ", "\n", "\n\n", separator);
		} else {
			textbuf__putc(p->tb, ' ');
			put_path(p, end, "", separator ?: ";", "\n", separator);
		}
	}
	vec__free(&ends);
}

void textbuf__chains(struct textbuf *tb, struct chain_tree *t, const struct hist_entry *e,
		     const struct chain_opts *o, u64 total_period, u32 skip,
		     const char *separator)
{
	u64 entry_period = t->hist->opts.children ? e->period_all : e->period;
	bool fractal = o->mode == CHAIN_FRACTAL;
	double part = o->min_percent / 100;
	struct printer p = { .tb = tb, .t = t, .o = o, .min_period = total_period * part };

	/* Parts of a smaller entry are smaller, too. */
	if (o->mode == CHAIN_NONE || (!fractal && entry_period < p.min_period))
		return;
	chain_tree__build(t, e, p.min_period, fractal ? part : 0);
	if (fractal)
		p.min_period = ceil(sum_of_children(t, 0) * part);
	if (t->nodes.nr < 2)
		return;
	if (o->mode == CHAIN_GRAPH || fractal)
		put_graphs(&p, entry_period, total_period, skip);
	else
		put_each_chain(&p, total_period, separator);
	vec__free(&p.bars);
}
