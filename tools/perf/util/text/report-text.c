// SPDX-License-Identifier: GPL-2.0-only
#include "report-text.h"

struct report_printer {
	struct textbuf *tb;
	const struct hist *h;
	const struct report_text_opts *o;
	struct report_columns columns;
};

void textbuf__report_counts(struct textbuf *tb, const struct report_columns *columns,
			    const char *event_name)
{
	textbuf__puts(tb, "# ");
	report_columns__samples(columns, event_name, tb);
	textbuf__puts(tb, "\n# ");
	report_columns__event_count(columns, tb);
	if (columns->o->socket)
		textbuf__printf(tb, "\n# Processor Socket: %s", columns->o->socket);
	if (columns->o->mem_keys)
		textbuf__printf(tb, "\n# Sort order   : %s", columns->o->mem_keys);
	textbuf__puts(tb, "\n#\n");
}

static void put_titles(struct report_printer *p)
{
	textbuf__puts(p->tb, "# ");
	report_columns__titles(&p->columns, p->tb);
	textbuf__putc(p->tb, '\n');
	if (p->o->separator)
		return; /* nor is there a line of dots, as in perf */
	textbuf__puts(p->tb, "# ");
	report_columns__rule(&p->columns, p->tb);
	textbuf__puts(p->tb, "\n#\n");
}

static void put_chains(struct report_printer *p, const struct hist_entry *e, struct chain_tree *t)
{
	u32 skip = 0;

	/* The tree does not repeat the name of the entry, if that is its first function. */
	if (p->o->skip_own_name && p->h->opts.keys.v[0] == COLUMN_SYM)
		skip = hist__frame(p->h, e)->shown;
	textbuf__chains(p->tb, t, e, &p->o->chains, p->columns.totals[0], skip, p->o->separator);
}

void textbuf__report(struct textbuf *tb, struct hist *h, const char *event_name,
		     const struct report_text_opts *o)
{
	struct report_printer p = { .tb = tb, .h = h, .o = o };
	struct chain_tree tree;

	report_columns__init(&p.columns, h, o);
	if (!o->quiet) {
		textbuf__report_counts(tb, &p.columns, event_name);
		put_titles(&p);
	}
	chain_tree__init(&tree, h, o->chains.caller_order, o->chains.max_frames);
	for (size_t i = 0; i < h->sorted.nr && !tb->error; i++) {
		const struct hist_entry *e = &h->entries.v[h->sorted.v[i]];

		if (!report_columns__shows(&p.columns, e))
			continue;
		report_columns__entry(&p.columns, e, tb);
		textbuf__putc(tb, '\n');
		if (o->chains.mode != CHAIN_NONE)
			put_chains(&p, e, &tree);
	}
	chain_tree__free(&tree);
	textbuf__puts(tb, "\n\n");
}
