// SPDX-License-Identifier: GPL-2.0-only
#include "tree-view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../symbol/short-name.h"

#define INDENT 3 /* columns for each level of a tree */

void tree_view__init(struct tree_view *r)
{
	memset(r, 0, sizeof(*r));
}

static void free_trees(struct tree_view *r)
{
	for (size_t i = 0; i < r->trees.nr; i++)
		vec__free(&r->trees.v[i].nodes);
	r->trees.nr = 0;
	map64__free(&r->tree_of);
}

static void free_hist(struct tree_view *r)
{
	if (!r->shown)
		return;
	free_trees(r);
	chain_tree__free(&r->builder);
	hist__free(&r->hist);
	r->shown = false;
}

void tree_view__free(struct tree_view *r)
{
	free_hist(r);
	vec__free(&r->v);
	vec__free(&r->trees);
	map64__free(&r->open);
}

static bool is_open(const struct tree_view *r, u64 key)
{
	return map64__get(&r->open, key);
}

static void set_open(struct tree_view *r, u64 key, bool open)
{
	static const char yes;

	if (open)
		map64__set(&r->open, key, (void *)&yes);
	else
		map64__del(&r->open, key);
}

static u64 entry_key(const struct tree_view *r, const struct hist_entry *e)
{
	const struct hist_context *c = hist__context(&r->hist, e);
	const struct column_list *keys = &r->hist.opts.keys;
	u64 key = hash_u64(e->frame);

	if (column_list__has(keys, COLUMN_COMM))
		key ^= hash_bytes(c->comm, strlen(c->comm));
	if (column_list__has(keys, COLUMN_TID) || column_list__has(keys, COLUMN_PID))
		key = hash_u64(key + c->tid);
	if (column_list__has(keys, COLUMN_CPU))
		key = hash_u64(key + c->cpu);
	return key | 1;
}

static u64 branch_key(u64 parent, u32 frame)
{
	return hash_u64(parent * 31 + frame) | 1;
}

static u64 period_of(const struct tree_view *r, const struct hist_entry *e)
{
	return r->hist.opts.children ? e->period_all : e->period;
}

static u64 least_period(const struct tree_view *r)
{
	return ceil(r->columns.totals[0] * (r->opts->chains.min_percent / 100));
}

static bool has_tree(const struct tree_view *r, const struct hist_entry *e)
{
	return r->opts->chains.mode != CHAIN_NONE && e->depth && period_of(r, e) &&
	       period_of(r, e) >= least_period(r);
}

/* Returns the tree of an entry, which is made if it is not there. */
static const struct tree_of_entry *tree_of(struct tree_view *r, u32 entry)
{
	size_t nr = (uintptr_t)map64__get(&r->tree_of, entry);
	struct tree_of_entry *t;

	if (nr)
		return &r->trees.v[nr - 1];
	chain_tree__build(&r->builder, &r->hist.entries.v[entry], least_period(r), 0);
	t = vec__push(&r->trees);
	*t = (struct tree_of_entry){ entry, r->builder.nodes };
	r->builder.nodes = (chain_node_vec){};
	map64__set(&r->tree_of, entry, (void *)(uintptr_t)r->trees.nr);
	return t;
}

/* Nodes come in descending order. */
static u32 shown(const struct tree_view *r, const struct chain_node *n, u32 node)
{
	return node && n[node].period_all >= least_period(r) ? node : 0;
}

/* A branch of a tree that is still to be added. */
struct pending {
	u32 node;
	u16 level;
	u64 parent_key;
	bool branches;
};

typedef VEC(struct pending) pending_vec;

/* Those below @node, the first one last. */
static void push_below(const struct tree_view *r, const struct chain_node *n, u32 node, u16 level,
		       u64 key, pending_vec *todo)
{
	size_t first = todo->nr;
	u64 below = n[node].period_all - n[node].period;

	for (u32 i = shown(r, n, n[node].child); i; i = shown(r, n, n[i].sibling))
		*vec__push(todo) = (struct pending){ i, level, key, n[i].period_all < below };
	for (size_t a = first, b = todo->nr; a + 1 < b; a++, b--) {
		struct pending swapped = todo->v[a];

		todo->v[a] = todo->v[b - 1];
		todo->v[b - 1] = swapped;
	}
}

/* Adds the rows of a part without branches, and what is below it if that is open. */
static void add_run(struct tree_view *r, const struct tree_of_entry *t, const struct pending *p,
		    pending_vec *todo)
{
	const struct chain_node *n = t->nodes.v;
	u32 end = chain_node__end_of_run(n, p->node);
	struct tree_row row = {
		.key = branch_key(p->parent_key, n[p->node].frame), .entry = t->entry,
		.node = p->node, .level = p->level, .branches = p->branches,
	};

	if (shown(r, n, n[end].child))
		row.sign = is_open(r, row.key) ? ROW_OPEN : ROW_CLOSED;
	if (row.sign == ROW_OPEN)
		push_below(r, n, end, p->level + 1, row.key, todo);
	for (;; row.node = n[row.node].child) {
		*vec__push(&r->v) = row;
		row.sign = ROW_PLAIN;
		row.branches = false;
		if (row.node == end)
			break;
	}
}

static void add_tree(struct tree_view *r, u32 entry, u64 key)
{
	const struct tree_of_entry *t = tree_of(r, entry);
	struct tree_of_entry tree = *t; /* the array may move */
	pending_vec todo = {};

	if (tree.nodes.nr)
		push_below(r, tree.nodes.v, 0, 0, key, &todo);
	while (todo.nr) {
		struct pending p = todo.v[--todo.nr];

		add_run(r, &tree, &p, &todo);
	}
	vec__free(&todo);
}

static bool passes(const struct tree_view *r, const struct stack_frame *f)
{
	const struct tree_filter *filter = &r->filter;

	return (!filter->dso || (f->dso && !strcmp(f->dso->short_name, filter->dso))) &&
	       (!filter->kernel || f->cpumode == PERF_RECORD_MISC_KERNEL) &&
	       (!filter->name || (f->sym && strcasestr(f->sym->name, filter->name)));
}

static void make_rows(struct tree_view *r)
{
	r->v.nr = 0;
	for (size_t i = 0; i < r->hist.sorted.nr; i++) {
		u32 entry = r->hist.sorted.v[i];
		const struct hist_entry *e = &r->hist.entries.v[entry];
		struct tree_row row = { .key = entry_key(r, e), .entry = entry };

		if (!report_columns__shows(&r->columns, e) ||
		    !passes(r, hist__frame(&r->hist, e)))
			continue;
		if (has_tree(r, e))
			row.sign = is_open(r, row.key) ? ROW_OPEN : ROW_CLOSED;
		*vec__push(&r->v) = row;
		if (row.sign == ROW_OPEN)
			add_tree(r, entry, row.key);
	}
}

void tree_view__show(struct tree_view *r, const struct hist *all, const struct hist_opts *hist_opts,
		const struct hist_zoom *zoom, const struct report_text_opts *opts)
{
	free_hist(r);
	r->opts = opts;
	hist__init(&r->hist, hist_opts);
	hist__zoom(&r->hist, all, zoom);
	hist__finish(&r->hist);
	chain_tree__init(&r->builder, &r->hist, opts->chains.caller_order,
			 opts->chains.max_frames);
	r->shown = true;
	tree_view__refresh(r);
}

void tree_view__refresh(struct tree_view *r)
{
	free_trees(r);
	r->builder.caller_order = r->opts->chains.caller_order;
	r->builder.fold = r->opts->chains.fold;
	report_columns__init(&r->columns, &r->hist, r->opts);
	make_rows(r);
}

/* Where a tree begins with a single branch, there is nothing to choose. */
static void open_trunk(struct tree_view *r, u32 entry, u64 key)
{
	const struct chain_node *n = tree_of(r, entry)->nodes.v;
	u32 first = shown(r, n, n[0].child);

	if (first && !shown(r, n, n[first].sibling))
		set_open(r, branch_key(key, n[first].frame), true);
}

bool tree_view__toggle(struct tree_view *r, size_t nr)
{
	if (nr >= r->v.nr || r->v.v[nr].sign == ROW_PLAIN)
		return false;
	if (!r->v.v[nr].node && r->v.v[nr].sign == ROW_CLOSED)
		open_trunk(r, r->v.v[nr].entry, r->v.v[nr].key);
	set_open(r, r->v.v[nr].key, r->v.v[nr].sign == ROW_CLOSED);
	make_rows(r);
	return true;
}

/* Opens each branch of an entry's tree. */
static void open_tree(struct tree_view *r, u32 entry, u64 key)
{
	struct tree_of_entry t = *tree_of(r, entry);
	const struct chain_node *n = t.nodes.v;
	pending_vec todo = {};

	set_open(r, key, true);
	if (t.nodes.nr)
		push_below(r, n, 0, 0, key, &todo);
	while (todo.nr) {
		struct pending p = todo.v[--todo.nr];
		u64 branch = branch_key(p.parent_key, n[p.node].frame);

		set_open(r, branch, true);
		push_below(r, n, chain_node__end_of_run(n, p.node), 0, branch, &todo);
	}
	vec__free(&todo);
}

void tree_view__toggle_entry(struct tree_view *r, size_t nr)
{
	const struct hist_entry *e;
	u64 key;

	if (nr >= r->v.nr)
		return;
	e = &r->hist.entries.v[r->v.v[nr].entry];
	key = entry_key(r, e);
	if (is_open(r, key))
		set_open(r, key, false);
	else if (has_tree(r, e))
		open_tree(r, r->v.v[nr].entry, key);
	make_rows(r);
}

void tree_view__open_all(struct tree_view *r)
{
	size_t nr = r->v.nr;

	for (size_t i = 0; i < nr; i++)
		if (!r->v.v[i].node && r->v.v[i].sign != ROW_PLAIN)
			open_tree(r, r->v.v[i].entry, r->v.v[i].key);
	make_rows(r);
}

void tree_view__close_all(struct tree_view *r)
{
	map64__free(&r->open);
	make_rows(r);
}

size_t tree_view__find(const struct tree_view *r, u64 key, bool is_entry)
{
	size_t i = 0;

	while (i < r->v.nr && (r->v.v[i].key != key || !r->v.v[i].node != is_entry))
		i++;
	return i;
}

/* Returns the first row of the part without branches that row @nr is in. */
static size_t first_of_run(const struct tree_view *r, size_t nr)
{
	const struct tree_row *v = r->v.v;

	while (nr && v[nr].node && v[nr - 1].node && v[nr - 1].key == v[nr].key)
		nr--;
	return nr;
}

size_t tree_view__parent(const struct tree_view *r, size_t nr)
{
	size_t up = first_of_run(r, nr);

	if (up < nr || !r->v.v[nr].node)
		return up;
	while (r->v.v[up].node && r->v.v[up].level >= r->v.v[nr].level)
		up--;
	return first_of_run(r, up);
}

size_t tree_view__search(const struct tree_view *r, size_t from, bool backwards, const char *text)
{
	size_t nr = r->v.nr, at = from;
	bool found = false;
	struct textbuf tb;

	if (!nr || !*text)
		return nr;
	textbuf__init(&tb, -1);
	for (size_t i = 0; i < nr && !found; i++) {
		at = backwards ? (at + nr - 1) % nr : (at + 1) % nr;
		tb.len = 0;
		tree_view__text(r, at, &tb);
		found = strcasestr(textbuf__str(&tb), text);
	}
	textbuf__free(&tb);
	return found ? at : nr;
}

#define CUT ".."

void tree_view__fit(const struct tree_view *r, size_t nr, size_t columns, struct textbuf *tb)
{
	const struct stack_frame *f = tree_view__frame(r, nr);
	const char *name = f->sym ? hist__name(&r->hist, f) : "", *fits, *at = NULL;
	size_t len = strlen(name), room, rest;

	if (tb->len <= columns || !len)
		return;
	for (const char *p = tb->buf; (p = memmem(p, tb->buf + tb->len - p, name, len)); p++)
		at = p;
	rest = at ? tb->buf + tb->len - at - len : 0;
	room = columns > tb->len - len + strlen(CUT) ? columns - (tb->len - len) - strlen(CUT) : 0;
	fits = name__fit(name, room);
	/* Columns behind the name keep their places. */
	if (!at || fits == name || (rest && strncmp(at + len, " (inlined)", 10) &&
				    strncmp(at + len, " x ", 3)))
		return;
	len = at - tb->buf;
	memmove(tb->buf + len + strlen(CUT), at + (fits - name), tb->len - len - (fits - name));
	memcpy(tb->buf + len, CUT, strlen(CUT));
	tb->len -= fits - name - strlen(CUT);
}

static const struct chain_node *nodes_of(const struct tree_view *r, const struct tree_row *row)
{
	size_t nr = (uintptr_t)map64__get(&r->tree_of, row->entry);

	return r->trees.v[nr - 1].nodes.v;
}

double tree_view__percent(const struct tree_view *r, size_t nr)
{
	const struct tree_row *row = &r->v.v[nr];
	u64 period = row->node ? nodes_of(r, row)[row->node].period_all :
				 period_of(r, &r->hist.entries.v[row->entry]);

	return report_columns__percent(&r->columns, 0, period);
}

const struct stack_frame *tree_view__frame(const struct tree_view *r, size_t nr)
{
	const struct tree_row *row = &r->v.v[nr];

	if (!row->node)
		return hist__frame(&r->hist, &r->hist.entries.v[row->entry]);
	return &r->hist.stacks.frames.v[nodes_of(r, row)[row->node].frame];
}

static void put_value(const struct tree_view *r, const struct chain_node *n, u32 node,
		      struct textbuf *tb)
{
	bool fractal = r->opts->chains.mode == CHAIN_FRACTAL;
	u64 whole = fractal ? n[n[node].parent].period_all : r->columns.totals[0];

	switch (r->opts->chains.value) {
	case CHAIN_PERCENT:
		textbuf__percent(tb, whole ? 100.0 * n[node].period_all / whole : 0.0, 0);
		break;
	case CHAIN_PERIOD:
		textbuf__dec(tb, n[node].period_all, 0);
		break;
	case CHAIN_COUNT:
		textbuf__dec(tb, n[node].nr_all, 0);
		break;
	}
	textbuf__putc(tb, ' ');
}

void tree_view__text(const struct tree_view *r, size_t nr, struct textbuf *tb)
{
	static const char signs[] = " +-";
	const struct tree_row *row = &r->v.v[nr];
	const struct chain_node *n;

	if (row->node)
		textbuf__pad(tb, ' ', INDENT * (row->level + 1));
	if (r->opts->chains.mode != CHAIN_NONE) {
		textbuf__putc(tb, signs[row->sign]);
		textbuf__putc(tb, ' ');
	}
	if (!row->node) {
		report_columns__entry(&r->columns, &r->hist.entries.v[row->entry], tb);
		return;
	}
	n = nodes_of(r, row);
	if (row->branches)
		put_value(r, n, row->node, tb);
	textbuf__chain_frame(tb, &r->hist, n[row->node].frame, r->opts->chains.by_address);
	if (n[row->node].times > 1)
		textbuf__printf(tb, " x %u", n[row->node].times);
}
