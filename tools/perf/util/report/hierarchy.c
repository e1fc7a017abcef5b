// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "../text/report-text.h"
#include "hierarchy.h"

#define INDENT 3 /* of a level, as in perf */

/* Entries by the first keys: as many as the level's number says. */
struct level {
	struct hist *hist;       /* of the last level: the report's own */
	struct hist own;         /* of the others */
	struct report_text_opts numbers_opts, key_opts;
	struct report_columns numbers, key;
	u32 *first, *next;       /* children of an entry of this level; the next of its parent's */
	bool *wanted;            /* of its entries; above the last level: there is one below it */
};

struct hierarchy {
	struct textbuf *tb;
	const struct report_text_opts *o;
	struct level levels[COLUMNS_MAX];
	unsigned int nr;
	struct chain_tree tree;
	struct textbuf key;      /* of an entry, while it is printed */
};

static void split_columns(const struct column_list *all, struct column_list *numbers,
			  struct column_list *keys)
{
	*numbers = *keys = (struct column_list){};
	for (unsigned int i = 0; i < all->nr; i++)
		column_list__add(column__is_key(all->v[i]) ? keys : numbers, all->v[i]);
}

/* What sorts entries of a level: the same, but for the keys that it does not have. */
static struct column_list order_of(const struct column_list *all, const struct column_list *keys)
{
	struct column_list order = {};

	for (unsigned int i = 0; i < all->nr; i++)
		if (!column__is_key(all->v[i]) || column_list__has(keys, all->v[i]))
			column_list__add(&order, all->v[i]);
	return order;
}

/* The same samples, by fewer keys. */
static void make_hist(struct level *l, const struct hist *all, const struct column_list *keys)
{
	const struct hist_zoom everything = {};
	struct hist_opts opts = all->opts;

	opts.keys = *keys;
	opts.order = order_of(&all->opts.order, keys);
	opts.by_name = !column_list__has(keys, COLUMN_DSO) &&
		       column_list__has(&all->opts.keys, COLUMN_DSO);
	opts.filter = NULL; /* of the function of an entry, which it may have many of */
	hist__init(&l->own, &opts);
	l->own.stacks.show_address = all->stacks.show_address;
	hist__zoom(&l->own, all, &everything);
	hist__finish(&l->own);
	l->hist = &l->own;
}

static void make_level(struct hierarchy *t, unsigned int i, struct hist *h,
		       const struct column_list *numbers, const struct column_list *keys)
{
	struct level *l = &t->levels[i];
	struct column_list first = {};

	for (unsigned int k = 0; k <= i; k++)
		column_list__add(&first, keys->v[k]);
	l->hist = h;
	if (i + 1 < t->nr)
		make_hist(l, h, &first);
	l->numbers_opts = l->key_opts = *t->o;
	l->numbers_opts.columns = *numbers;
	l->key_opts.columns = (struct column_list){};
	column_list__add(&l->key_opts.columns, keys->v[i]);
	report_columns__init(&l->numbers, l->hist, &l->numbers_opts);
	report_columns__init(&l->key, l->hist, &l->key_opts);
	l->first = xcalloc(l->hist->entries.nr, sizeof(*l->first));
	l->next = xcalloc(l->hist->entries.nr, sizeof(*l->next));
	l->wanted = xcalloc(l->hist->entries.nr, sizeof(*l->wanted));
}

/* In the order of each level; what is wanted makes what it is a part of wanted. */
static void link_levels(struct hierarchy *t)
{
	for (unsigned int i = t->nr; i-- > 0;) {
		struct level *l = &t->levels[i], *up = i ? l - 1 : NULL;

		for (size_t k = l->hist->sorted.nr; k-- > 0;) {
			u32 e = l->hist->sorted.v[k], parent;

			if (i + 1 == t->nr)
				l->wanted[e] = report_columns__wants(&l->numbers,
								     &l->hist->entries.v[e]);
			if (!up) {
				l->next[e] = k + 1 < l->hist->sorted.nr ?
					     l->hist->sorted.v[k + 1] : 0;
				continue;
			}
			parent = hist__entry_above(up->hist, l->hist, &l->hist->entries.v[e]);
			l->next[e] = up->first[parent];
			up->first[parent] = e;
			up->wanted[parent] |= l->wanted[e];
		}
	}
}

static void put_chains(struct hierarchy *t, const struct hist_entry *e)
{
	const struct level *l = &t->levels[t->nr - 1];
	u32 skip = 0;

	if (t->o->chains.mode == CHAIN_NONE)
		return;
	if (t->o->skip_own_name && l->hist->opts.keys.v[0] == COLUMN_SYM)
		skip = hist__frame(l->hist, e)->shown;
	textbuf__chains(t->tb, &t->tree, e, &t->o->chains, l->numbers.totals[0], skip,
			t->o->separator);
}

/* Numbers of threads are flush right in a column of their own. */
static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " ");
}

static void put_entry(struct hierarchy *t, unsigned int level, const struct hist_entry *e)
{
	const struct level *l = &t->levels[level];

	textbuf__pad(t->tb, ' ', level * INDENT);
	report_columns__entry(&l->numbers, e, t->tb);
	if (t->o->separator)
		textbuf__puts(t->tb, t->o->separator);
	else
		textbuf__pad(t->tb, ' ', (t->nr - 1) * INDENT + 2);
	t->key.len = 0;
	report_columns__entry(&l->key, e, &t->key);
	textbuf__puts(t->tb, skip_blanks(textbuf__str(&t->key)));
	textbuf__putc(t->tb, '\n');
	if (level + 1 == t->nr)
		put_chains(t, e);
}

static bool is_shown(const struct level *l, u32 e)
{
	return l->wanted[e] && report_columns__is_large(&l->numbers, &l->hist->entries.v[e]);
}

/* Returns the first of @e and those behind it that is shown; 0: none. */
static u32 next_shown(const struct level *l, u32 e)
{
	while (e && !is_shown(l, e))
		e = l->next[e];
	return e;
}

/* What stands for the parts of an entry, if all are too small. */
static void put_lack(struct hierarchy *t, unsigned int level)
{
	size_t indent = t->o->separator ? 0 : (level + t->nr - 1) * INDENT;

	textbuf__pad(t->tb, ' ', 2 + indent + report_columns__width(&t->levels[0].numbers) + 2);
	textbuf__printf(t->tb, "no entry >= %.2f%%\n", t->o->min_percent);
}

/* Entry @e, its next ones, and below each its parts. Levels are at most as many as columns. */
static void put_entries(struct hierarchy *t, unsigned int level, u32 e)
{
	const struct level *l = &t->levels[level];

	for (e = next_shown(l, e); e && !t->tb->error; e = next_shown(l, l->next[e])) {
		put_entry(t, level, &l->hist->entries.v[e]);
		if (level + 1 == t->nr)
			continue;
		if (next_shown(l + 1, l->first[e]))
			put_entries(t, level + 1, l->first[e]);
		else
			put_lack(t, level + 1);
	}
}

/* Returns how wide the keys are, with their titles, which are appended. */
static size_t put_key_titles(struct hierarchy *t)
{
	size_t width = 0, titles = 0;

	for (unsigned int i = 0; i < t->nr; i++) {
		const struct level *l = &t->levels[i];
		const char *title = skip_blanks(column__title(l->key_opts.columns.v[0]));

		textbuf__printf(t->tb, "%s%s", i ? " / " : "", title);
		titles += (i ? strlen(" / ") : 0) + strlen(title);
		width = max_of(width, i * INDENT + report_columns__width(&l->key));
	}
	return max_of(width, titles);
}

static void put_titles(struct hierarchy *t)
{
	const struct report_columns *numbers = &t->levels[0].numbers;
	size_t widest, indent = t->o->separator ? 0 : (t->nr - 1) * INDENT;

	textbuf__puts(t->tb, "# ");
	textbuf__pad(t->tb, ' ', indent);
	report_columns__titles(numbers, t->tb);
	textbuf__puts(t->tb, t->o->separator ?: "  ");
	widest = put_key_titles(t);
	textbuf__puts(t->tb, "\n# ");
	textbuf__pad(t->tb, '.', indent);
	if (t->o->separator) /* in contrast to a report without levels, as in perf */
		report_columns__rule(numbers, t->tb);
	else
		textbuf__pad(t->tb, '.', report_columns__width(numbers));
	textbuf__puts(t->tb, t->o->separator ?: "  ");
	textbuf__pad(t->tb, '.', widest);
	textbuf__puts(t->tb, "\n#\n");
}

void textbuf__hierarchy(struct textbuf *tb, struct hist *h, const char *event_name,
			const struct report_text_opts *o)
{
	struct hierarchy t = { .tb = tb, .o = o };
	struct column_list numbers, keys;

	split_columns(&o->columns, &numbers, &keys);
	t.nr = keys.nr;
	if (!t.nr) {
		textbuf__report(tb, h, event_name, o);
		return;
	}
	for (unsigned int i = 0; i < t.nr; i++)
		make_level(&t, i, h, &numbers, &keys);
	link_levels(&t);
	if (!o->quiet) {
		textbuf__report_counts(tb, &t.levels[t.nr - 1].numbers, event_name);
		put_titles(&t);
	}
	textbuf__init(&t.key, -1);
	chain_tree__init(&t.tree, h, o->chains.caller_order, o->chains.max_frames);
	put_entries(&t, 0, t.levels[0].hist->sorted.nr ? t.levels[0].hist->sorted.v[0] : 0);
	chain_tree__free(&t.tree);
	textbuf__free(&t.key);
	textbuf__puts(tb, "\n\n");
	for (unsigned int i = 0; i < t.nr; i++) {
		free(t.levels[i].first);
		free(t.levels[i].next);
		free(t.levels[i].wanted);
		if (i + 1 < t.nr)
			hist__free(&t.levels[i].own);
	}
}
