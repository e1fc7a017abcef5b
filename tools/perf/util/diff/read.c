// SPDX-License-Identifier: GPL-2.0-only
/* perf diff: from a recording to the tables of its events. */
#include <stdlib.h>
#include <string.h>

#include "../cli/account-print.h"
#include "../cli/input.h"
#include "../cli/progress.h"
#include "../pipeline/pipeline.h"
#include "../text/report-columns.h"
#include "diff.h"

#define NO_EVENT UINT32_MAX

/* A recording while it is read. */
struct diff_input {
	struct diff *d;
	u32 run;
	const struct recording *recording;
	struct sample_filter filter;
	struct resolver *resolver;
	struct frames frames;
	struct hist *hists;      /* by event of the recording */
	struct { u64 first, last; } *times;
	bool *taken;             /* it is one of the events that are compared */
	bool chains;
	struct progress progress;
};

static int input__sample(void *ctx, const struct whole_sample *ws)
{
	struct diff_input *in = ctx;
	u32 event = ws->rec->event->idx;
	struct frame leaf = { .ip = ws->s->ip, .cpumode = ws->s->cpumode };
	struct hist_context context;
	u64 time = ws->s->time;

	if (!filter__in_scope(&in->filter, ws->s))
		return 0;
	if (!in->times[event].first || time < in->times[event].first)
		in->times[event].first = time;
	in->times[event].last = max_of(in->times[event].last, time);
	resolver__address(in->resolver, ws->thread, leaf.cpumode, leaf.ip, false, &leaf.loc);
	if (!filter__passes(&in->filter, ws->thread, &leaf.loc)) {
		hist__add_filtered(&in->hists[event], 0, ws->s->period);
		return 0;
	}
	in->frames.f.nr = 0;
	if (in->chains)
		resolver__chain(in->resolver, ws, 0, &in->frames);
	context = (struct hist_context){
		.comm = ws->thread->comm, .pid = ws->thread->pid, .tid = ws->thread->tid,
		.cpu = ws->s->cpu,
	};
	hist__add(&in->hists[event], &context, &in->frames, &leaf, ws->s->period);
	return 0;
}

static int input__record(void *ctx, const struct record *rec)
{
	resolver__record(((struct diff_input *)ctx)->resolver, rec);
	return 0;
}

/* The same event in another recording: the numbers of tracepoints differ between kernels. */
static bool same_event(const struct diff_event *e, const struct evsel *ev)
{
	if (e->attr.type != ev->attr.type)
		return false;
	return ev->attr.type == PERF_TYPE_TRACEPOINT ? !strcmp(e->name, ev->name) :
						       e->attr.config == ev->attr.config;
}

/*
 * The first that no other has taken, if possible of the same name: "cycles:u" and "cycles:k" are
 * the same but for that, and where two are the same in all, the second is with the second.
 */
static u32 take_event(struct diff_input *in, const struct diff_event *e)
{
	u32 found = NO_EVENT;

	for (u32 i = 0; i < in->recording->events.nr; i++) {
		const struct evsel *ev = in->recording->events.v[i];

		if (in->taken[i] || !same_event(e, ev))
			continue;
		if (found == NO_EVENT || !strcmp(e->name, ev->name))
			found = i;
		if (!strcmp(e->name, ev->name))
			break;
	}
	if (found != NO_EVENT)
		in->taken[found] = true;
	return found;
}

static bool is_dummy(const struct evsel *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY;
}

/* The events of the first recording are those that are compared. */
static void make_events(struct diff *d, const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++) {
		const struct evsel *ev = rec->events.v[i];
		struct diff_event *e;

		if (is_dummy(ev))
			continue;
		e = vec__push(&d->state.events);
		*e = (struct diff_event){ .name = xstrdup(ev->name), .attr = ev->attr };
		diff_table__init(&e->table, d->opts->keys.nr, d->opts->files.nr);
		if (d->opts->with_paths)
			diff_paths__init(&e->paths, d->opts->files.nr);
	}
}

/* As in a report; but functions whose name says nothing are called as in the first recording. */
static void put_key(struct diff_input *in, const struct hist *h, enum column c,
		    const struct hist_entry *e, struct textbuf *text)
{
	const struct stack_frame *f = hist__frame(h, e);
	const char *key, *name;

	report_columns__key(h, c, e, text);
	if (c != COLUMN_SYM || !f->sym || !f->dso)
		return;
	name = diff_names__of(&in->d->state.names, h->opts.symbols, f->dso, f->sym);
	if (name == f->sym->name)
		return;
	key = textbuf__str(text);
	text->len = diff_table__name(key) - key;
	textbuf__name(text, name);
}

static void add_entry(struct diff_input *in, struct diff_table *t, const struct hist *h,
		      const struct hist_entry *e, struct textbuf texts[])
{
	const struct stack_frame *f = hist__frame(h, e);
	struct diff_cell counts = {
		.period = e->period, .nr = e->nr, .period_all = e->period_all, .nr_all = e->nr_all,
	};
	const char *keys[COLUMNS_MAX];
	u32 unnamed = DIFF_NO_KEY;

	for (u32 k = 0; k < in->d->opts->keys.nr; k++) {
		enum column c = in->d->opts->keys.v[k];

		texts[k].len = 0;
		put_key(in, h, c, e, &texts[k]);
		keys[k] = textbuf__str(&texts[k]);
		if (c == COLUMN_SYM && !f->sym)
			unnamed = k;
	}
	/* Of many addresses in one row, the sums would count a stack more than once. */
	if (unnamed != DIFF_NO_KEY || !h->opts.children) {
		counts.period_all = counts.period;
		counts.nr_all = counts.nr;
	}
	diff_table__add(t, in->run, keys, unnamed, &counts);
}

static void add_event(struct diff_input *in, struct diff_event *e, u32 event)
{
	struct hist *h = &in->hists[event];
	const struct hist_total *total = &h->totals[0];
	bool all = !in->d->opts->relative;
	struct textbuf texts[COLUMNS_MAX];
	struct diff_run *run = &e->table.runs[in->run];

	*run = (struct diff_run){
		.period = total->period + (all ? total->filtered_period : 0),
		.nr = total->nr + (all ? total->filtered_nr : 0),
		.duration = in->times[event].last - in->times[event].first,
	};
	in->d->state.nr_samples += total->nr;
	for (u32 k = 0; k < in->d->opts->keys.nr; k++)
		textbuf__init(&texts[k], -1);
	hist__finish(h);
	for (size_t i = 0; i < h->sorted.nr; i++)
		add_entry(in, &e->table, h, &h->entries.v[h->sorted.v[i]], texts);
	for (u32 k = 0; k < in->d->opts->keys.nr; k++)
		textbuf__free(&texts[k]);
	if (in->d->opts->with_paths) {
		e->paths.nodes.runs[in->run] = *run;
		stacks__make_lists(&h->stacks);
		diff_paths__add(&e->paths, &in->d->state.names, in->run, h);
	}
}

static int input__end(void *ctx)
{
	struct diff_input *in = ctx;
	struct diff *d = in->d;

	progress__finish(&in->progress);
	if (!in->run)
		make_events(d, in->recording);
	for (size_t i = 0; i < d->state.events.nr; i++) {
		u32 event = take_event(in, &d->state.events.v[i]);

		if (event != NO_EVENT)
			add_event(in, &d->state.events.v[i], event);
	}
	return 0;
}

static void make_hists(struct diff_input *in, struct symbols *symbols)
{
	u32 nr = in->recording->events.nr;
	struct hist_opts opts = {
		.keys = in->d->opts->keys, .order = in->d->opts->keys, .children = in->chains,
		.symbols = symbols,
	};

	in->hists = xcalloc(nr, sizeof(*in->hists));
	in->times = xcalloc(nr, sizeof(*in->times));
	in->taken = xcalloc(nr, sizeof(*in->taken));
	for (u32 i = 0; i < nr; i++)
		hist__init(&in->hists[i], &opts);
}

static void free_hists(struct diff_input *in)
{
	for (size_t i = 0; i < in->recording->events.nr; i++)
		hist__free(&in->hists[i]);
	free(in->hists);
	free(in->times);
	free(in->taken);
}

static int run_pipeline(struct diff_input *in, struct reader *reader, struct error *err)
{
	struct pipeline_opts opts = {
		.symbols = in->d->symbols,
		.sink = {
			.sample = input__sample, .record = input__record, .end = input__end,
			.ctx = in, .split_reads = true,
		},
		.progress = progress__update, .progress_ctx = &in->progress,
	};
	struct pipeline *p;
	int ret = pipeline__new(&p, in->recording, &opts, err);

	if (ret)
		return ret;
	in->resolver = resolver__new(pipeline__symbols(p));
	make_hists(in, pipeline__symbols(p));
	progress__start(&in->progress, "Processing records...");
	ret = pipeline__run(p, reader, err);
	progress__finish(&in->progress);
	if (!ret) {
		account__print_symbols(pipeline__symbols(p));
		if (account__describe(reader, pipeline__account(p), account__print))
			ret = -EBADMSG;
	}
	free_hists(in);
	resolver__free(in->resolver);
	pipeline__free(p);
	return ret;
}

char *diff__time_of_run(const struct diff *d, u32 run)
{
	const char *time = d->opts->time, *end;

	/* Without a colon, all have the same. */
	run = time && strchr(time, ':') ? run : 0;
	for (; time && run && *time; run--) {
		time += strcspn(time, ":");
		time += *time == ':';
	}
	if (!time)
		return NULL;
	end = time + strcspn(time, ":");
	return end == time ? NULL : xasprintf("%.*s", (int)(end - time), time);
}

static void leave_out(struct diff *d, enum column c, const struct name_list *names)
{
	if (names->names.nr == 1)
		column_list__add(&d->view.left_out, c);
}

int diff__read(struct diff *d, u32 run, struct error *err)
{
	struct diff_input in = { .d = d, .run = run };
	char *time = diff__time_of_run(d, run);
	struct filter_args only = d->opts->only;
	struct input input;
	const char *file = d->opts->files.v[run];
	int ret = input__open(&input, file, d->opts->force, INPUT_FILE, &d->symbols.binary, err);

	only.time = time;
	diff_names__begin(&d->state.names, run);
	if (!ret) {
		in.recording = reader__recording(input.reader);
		in.chains = d->opts->runs && recording__any_samples(in.recording,
							      PERF_SAMPLE_CALLCHAIN);
		d->state.any_chains |= in.chains;
		ret = filter__make(&in.filter, &only, in.recording, err);
		leave_out(d, COLUMN_DSO, &in.filter.dsos);
		leave_out(d, COLUMN_COMM, &in.filter.comms);
		leave_out(d, COLUMN_SYM, &in.filter.syms);
		if (!ret)
			ret = run_pipeline(&in, input.reader, err);
		if (err->code)
			error__prefix(err, "%s", file);
		filter__free(&in.filter);
	}
	input__close(&input);
	free(time);
	return ret;
}
