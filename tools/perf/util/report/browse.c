// SPDX-License-Identifier: GPL-2.0-only
/* perf report --tui: what the browser asks for. */
#include <stdlib.h>

#include "state.h"
#include "../browser/screen.h"
#include "../text/header-text.h"

static size_t nr_hists(void *ctx)
{
	const struct report *r = ctx;

	return r->state.recording->events.nr;
}

static const struct hist *hist_of(void *ctx, size_t i)
{
	const struct report *r = ctx;
	const struct hist *h = &r->state.hists[i];
	u64 nr = 0;

	for (u32 k = 0; k < h->opts.nr_events; k++)
		nr += h->totals[k].nr + h->totals[k].filtered_nr;
	return !report_groups__place(&r->state.groups, i) && (nr || !i) ? h : NULL;
}

static void put_name(void *ctx, size_t i, struct textbuf *tb)
{
	report__put_event_name(ctx, i, tb);
}

static void put_account(void *ctx, struct textbuf *tb)
{
	struct textbuf text;
	const char *p, *end;

	textbuf__init(&text, -1);
	report__put_account(ctx, &text);
	for (p = textbuf__str(&text); *p; p = end + 1) {
		end = strchrnul(p, '\n');
		p += strspn(p, "# ");
		if (p < end)
			textbuf__printf(tb, "%.*s\n", (int)(end - p), p);
		if (!*end)
			break;
	}
	textbuf__puts(tb, "\nPercentages exclude lost samples. A stack that is not whole ends at "
			  "its last\nproven function: its callers are missing, perf does not guess "
			  "them.\n");
	textbuf__free(&text);
}

static void put_header(void *ctx, struct textbuf *tb)
{
	struct report *r = ctx;

	textbuf__header(tb, r->state.reader);
}

/* Whether entries by other keys can be made of the stacks that were counted. */
static bool needs_reading(const struct report *r, const struct column_list *sort)
{
	const struct hist_opts *counted = &r->state.hists[0].opts;

	for (unsigned int i = 0; i < sort->nr; i++)
		if (column__is_key(sort->v[i]) && sort->v[i] != COLUMN_SYM &&
		    sort->v[i] != COLUMN_DSO && sort->v[i] != COLUMN_PID &&
		    !column_list__has(&counted->keys, sort->v[i]))
			return true;
	return false;
}

static int take_sort(void *ctx, const char *keys, struct error *err)
{
	struct report *r = ctx;
	struct column_list sort = {};
	int ret = column_list__parse(&sort, keys, err);

	if (!ret && r->opts->live && needs_reading(r, &sort))
		ret = error__set(err, -EINVAL, "start perf top with --sort=%s for that", keys);
	if (ret)
		return ret;
	free(r->view.asked_sort);
	r->view.sort = r->view.asked_sort = xstrdup(keys);
	r->view.fields = NULL;
	if (needs_reading(r, &sort) && !r->opts->live)
		return 1;
	r->view.text.columns = r->view.hist.keys = r->view.hist.order = (struct column_list){};
	return report__make_columns(r, err);
}

static int take_time(void *ctx, const char *range, struct error *err)
{
	struct report *r = ctx;
	struct filter_args args = { .time = range };
	struct sample_filter filter = {};
	int ret;

	if (r->opts->live)
		return error__set(err, -EINVAL, "perf top has no time ranges: z discards the "
						"samples so far");
	ret = filter__make(&filter, &args, r->state.recording, err);

	filter__free(&filter);
	if (ret)
		return ret;
	free(r->view.asked_time);
	r->view.time = r->view.asked_time = xstrdup(range);
	return 1;
}

/* The table has the function itself, also where the frame is one that was inlined into it. */
static int annotate(void *ctx, size_t i, const struct stack_frame *f, struct error *err)
{
	struct report *r = ctx;
	const struct event_group *g = report_groups__of(&r->state.groups, i);
	struct symbols *symbols = r->view.hist.symbols;
	struct annotate_shown shown = {
		.symbols = symbols, .counts = &r->state.counts, .event = i,
		.nr_events = g ? g->nr : 1,
	};
	const struct symbol *sym = symbols__find(symbols, f->dso, f->addr - f->is_return);
	struct textbuf name;
	int ret;

	if (!sym)
		return error__set(err, -ENOENT, "there is no function at its address");
	textbuf__init(&name, -1);
	report__put_event_name(r, i, &name);
	shown.event_name = textbuf__str(&name);
	ret = annotate_args__browse(&r->view.code, &shown, f->dso, sym, err);
	textbuf__free(&name);
	return ret;
}

static void zero(void *ctx)
{
	report_live__zero(ctx);
}

/* What is only text, or has to be read before the terminal is asked for keys. */
static bool needs_text(const struct report_opts *o)
{
	return o->stats || o->tasks || o->mmaps || o->json || o->brief || o->header ||
	       o->header_only || o->dump || o->times || o->quiet || o->hierarchy || o->threads ||
	       o->text.separator || (o->input && !strcmp(o->input, "-"));
}

bool report_opts__want_browser(const struct report_opts *o)
{
	return o->tui || (!o->stdio && !needs_text(o) && screen__is_there());
}

int report__open_browser(struct report *r, struct error *err)
{
	struct browser_source source = {
		.ctx = r, .nr = nr_hists, .hist = hist_of, .put_name = put_name,
		.put_account = put_account, .put_header = put_header,
		.sort = take_sort, .time = take_time, .annotate = annotate,
	};
	const struct browser_opts opts = { .text = &r->view.text, .hist = &r->view.hist };

	if (r->opts->live) {
		source.zero = zero;
		source.delay_ns = r->opts->live->delay_ns;
		source.each_anew = r->opts->live->zero;
	}
	return browser__new(&r->view.browser, &source, &opts, err);
}

int report__browse(struct report *r, int ret)
{
	if (!ret || ret == -EINTR) {
		r->view.again = browser__run(r->view.browser) == BROWSER_READ_AGAIN;
		ret = 0;
	}
	browser__forget(r->view.browser);
	return ret;
}
