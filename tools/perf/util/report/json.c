// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../text/json-lines.h"
#include "json.h"

struct report_printer {
	struct textbuf *tb;
	struct hist *h;
	const char *const *names;
	const struct report_text_opts *o;
	u64 totals[HIST_EVENTS_MAX]; /* 100 %, of each event */
};

void report_json__header(struct textbuf *tb, const struct recording *r, u64 lost)
{
	json__begin(tb, "header");
	textbuf__json_text(tb, "format", "perf-report");
	textbuf__json_number(tb, "version", REPORT_JSON_VERSION);
	textbuf__json_recording(tb, r);
	textbuf__json_number(tb, "lost", lost);
	json__end(tb);
}

void report_json__end(struct textbuf *tb, bool complete)
{
	json__begin(tb, "end");
	textbuf__json_bool(tb, "complete", complete);
	json__end(tb);
}

static void put_percent(struct report_printer *p, const char *key, u32 event, u64 period)
{
	double percent = p->totals[event] ? 100.0 * period / p->totals[event] : 0;

	textbuf__json_key(p->tb, key);
	textbuf__printf(p->tb, "%.4f", percent);
}

static void put_counts(struct report_printer *p, const struct hist_entry *e, u32 event)
{
	struct hist_counts c = hist__counts(p->h, e, event);

	put_percent(p, "overhead", event, c.period);
	textbuf__json_number(p->tb, "samples", c.nr);
	textbuf__json_number(p->tb, "period", c.period);
	if (column_list__has(&p->o->columns, COLUMN_OVERHEAD_SYS))
		put_percent(p, "overhead_sys", event, c.period_sys);
	if (column_list__has(&p->o->columns, COLUMN_OVERHEAD_US))
		put_percent(p, "overhead_us", event, c.period_us);
	if (!p->h->opts.children)
		return;
	put_percent(p, "overhead_children", event, c.period_all);
	textbuf__json_number(p->tb, "samples_children", c.nr_all);
	textbuf__json_number(p->tb, "period_children", c.period_all);
}

static void put_function(struct textbuf *tb, const struct stack_frame *f)
{
	if (f->is_cookie) {
		textbuf__json_address(tb, "cookie", f->addr);
		return;
	}
	if (f->sym)
		textbuf__json_text(tb, "sym", f->sym->name);
	else
		textbuf__json_address(tb, "addr", f->addr);
	if (f->sym && f->sym->inlined)
		textbuf__json_bool(tb, "inlined", true);
	textbuf__json_text(tb, "mode", json__mode_name(f->cpumode));
}

static void put_dso(struct textbuf *tb, const struct stack_frame *f)
{
	if (f->dso)
		textbuf__json_text(tb, "dso", f->dso->name);
}

/* "  123:comm": in text, numbers of threads are flush right. */
static const char *without_blanks(const char *s)
{
	return s + strspn(s, " ");
}

static void put_key(struct report_printer *p, enum column c, const struct hist_entry *e)
{
	const struct hist_context *ctx = hist__context(p->h, e);
	const struct stack_frame *f = hist__frame(p->h, e);

	switch (c) {
	case COLUMN_COMM:
		textbuf__json_text(p->tb, "comm", ctx->comm);
		break;
	case COLUMN_DSO:
		put_dso(p->tb, f);
		break;
	case COLUMN_SYM:
		put_function(p->tb, f);
		break;
	case COLUMN_PID:
		textbuf__json_signed(p->tb, "pid", (s32)ctx->pid);
		break;
	case COLUMN_TID:
		textbuf__json_signed(p->tb, "tid", (s32)ctx->tid);
		break;
	case COLUMN_CPU:
		textbuf__json_signed(p->tb, "cpu", (s32)ctx->cpu);
		break;
	case COLUMN_SYMBOL_SIZE:
		textbuf__json_number(p->tb, "symbol_size", hist__symbol_size(f));
		break;
	case COLUMN_SRCLINE:
		textbuf__json_text(p->tb, "srcline", hist__srcline(p->h, f));
		break;
	case COLUMN_SRCFILE:
		textbuf__json_text(p->tb, "srcfile", hist__srcfile(p->h, f));
		break;
	case COLUMN_SYMOFF:
		if (f->sym)
			textbuf__json_number(p->tb, "symoff", f->addr - f->sym->start);
		if (!column_list__has(&p->h->opts.keys, COLUMN_SYM))
			put_function(p->tb, f);
		break;
	case COLUMN_TRACE:
		textbuf__json_text(p->tb, "trace", ctx->trace ?: "");
		break;
	case COLUMN_ACTIVITY:
		textbuf__json_text(p->tb, "activity", ctx->activity ?: "");
		break;
	case COLUMN_STATE:
		textbuf__json_text(p->tb, "state", ctx->state ?: "");
		break;
	case COLUMN_WAKER:
		textbuf__json_text(p->tb, "waker", without_blanks(ctx->waker ?: ""));
		break;
	case COLUMN_WAKERS:
		textbuf__json_text(p->tb, "wakers", ctx->wakers ?: "");
		break;
	case COLUMN_PARALLELISM:
		textbuf__json_number(p->tb, "parallelism", ctx->parallelism);
		break;
	case COLUMN_SYSCALL:
		textbuf__json_text(p->tb, "syscall", ctx->syscall ?: "");
		break;
	case COLUMN_OBJECT:
		textbuf__json_text(p->tb, "object", ctx->object ?: "");
		break;
	case COLUMN_PARENT:
		textbuf__json_text(p->tb, "parent", ctx->parent ?: "");
		break;
	case COLUMN_SOCKET:
	case COLUMN_TGID:
		textbuf__json_text(p->tb, column__name(c),
				   without_blanks(ctx->texts[c - COLUMN_FIRST_TEXT]));
		break;
	case COLUMN_WHOLE:
		textbuf__json_text(p->tb, "whole", ctx->whole);
		break;
	default:
		if (column__is_text(c))
			textbuf__json_text(p->tb, column__name(c),
					   ctx->texts[c - COLUMN_FIRST_TEXT]);
		break;
	}
}

/* A list, so that readers need not nest as deep as stacks are: each node names its parent. */
static void put_graph(struct report_printer *p, const struct hist_entry *e, struct chain_tree *t)
{
	u64 least = p->totals[0] * (p->o->chains.min_percent / 100);
	struct textbuf *tb = p->tb;

	chain_tree__build(t, e, least, 0);
	if (t->nodes.nr < 2)
		return;
	textbuf__json_key(tb, "graph");
	for (size_t i = 1; i < t->nodes.nr; i++) {
		const struct chain_node *n = &t->nodes.v[i];
		const struct stack_frame *f = &p->h->stacks.frames.v[n->frame];

		textbuf__puts(tb, i > 1 ? ",{\"parent\":" : "[{\"parent\":");
		if (n->parent)
			textbuf__dec(tb, n->parent - 1, 0);
		else
			textbuf__puts(tb, "null");
		put_function(tb, f);
		put_dso(tb, f);
		textbuf__json_number(tb, "samples", n->nr_all);
		textbuf__json_number(tb, "period", n->period_all);
		textbuf__putc(tb, '}');
	}
	textbuf__putc(tb, ']');
}

static void put_entry(struct report_printer *p, const struct hist_entry *e, struct chain_tree *t)
{
	const struct column_list *keys = &p->h->opts.keys;

	json__begin(p->tb, "entry");
	put_counts(p, e, 0);
	for (unsigned int i = 0; i < keys->nr; i++)
		put_key(p, keys->v[i], e);
	for (u32 i = 1; i < p->h->opts.nr_events; i++) {
		if (i == 1)
			textbuf__json_key(p->tb, "group");
		textbuf__puts(p->tb, i == 1 ? "[{\"event\":" : ",{\"event\":");
		textbuf__json_string(p->tb, p->names[i]);
		put_counts(p, e, i);
		textbuf__putc(p->tb, '}');
	}
	if (p->h->opts.nr_events > 1)
		textbuf__putc(p->tb, ']');
	if (p->o->chains.mode != CHAIN_NONE)
		put_graph(p, e, t);
	json__end(p->tb);
}

static void put_event(struct report_printer *p)
{
	struct textbuf *tb = p->tb;

	json__begin(tb, "event");
	for (u32 i = 0; i < p->h->opts.nr_events; i++) {
		const struct hist_total *t = &p->h->totals[i];

		if (!i)
			textbuf__json_key(tb, "events");
		textbuf__puts(tb, i ? ",{\"event\":" : "[{\"event\":");
		textbuf__json_string(tb, p->names[i]);
		textbuf__json_number(tb, "samples", t->nr);
		textbuf__json_number(tb, "period", t->period);
		textbuf__json_number(tb, "filtered_samples", t->filtered_nr);
		textbuf__json_number(tb, "filtered_period", t->filtered_period);
		textbuf__putc(tb, '}');
	}
	textbuf__putc(tb, ']');
	json__end(tb);
}

void report_json__event(struct textbuf *tb, struct hist *h, const char *const *names,
			const struct report_text_opts *o)
{
	struct report_printer p = { .tb = tb, .h = h, .names = names, .o = o };
	struct chain_tree tree;

	for (u32 i = 0; i < h->opts.nr_events; i++)
		p.totals[i] = h->totals[i].period +
			      (o->relative ? 0 : h->totals[i].filtered_period);
	put_event(&p);
	chain_tree__init(&tree, h, o->chains.caller_order, o->chains.max_frames);
	for (size_t i = 0; i < h->sorted.nr && !tb->error; i++) {
		const struct hist_entry *e = &h->entries.v[h->sorted.v[i]];
		u64 period = h->opts.children ? e->period_all : e->period;

		if (!p.totals[0] || 100.0 * period / p.totals[0] >= o->min_percent)
			put_entry(&p, e, &tree);
	}
	chain_tree__free(&tree);
}
