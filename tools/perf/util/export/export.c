// SPDX-License-Identifier: GPL-2.0-only
#include "export.h"

#include <stdio.h>
#include <stdlib.h>

#include "../activity/activity.h"
#include "../off-cpu/wait.h"
#include "../sample/user-stack.h"
#include "clean-name.h"
#include "formats.h"

static const struct export_format *const formats[] = {
	&export_folded, &export_pprof, &export_gecko, &export_speedscope, &export_html,
	&export_svg, &export_otlp, &export_json, &export_perfetto,
#ifdef HAVE_SQLITE_SUPPORT
	&export_sqlite,
#endif
	NULL,
};

const struct export_format *const *export_formats(void)
{
	return formats;
}

const struct export_format *export_format__find(const char *name)
{
	for (const struct export_format *const *f = formats; *f; f++)
		if (!strcmp((*f)->name, name))
			return *f;
	return NULL;
}

bool evsel__counts_time(const struct evsel *ev)
{
	return evsel__is_off_cpu(ev) || (ev->attr.type == PERF_TYPE_SOFTWARE &&
					 (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
					  ev->attr.config == PERF_COUNT_SW_TASK_CLOCK));
}

const char *evsel__unit(const struct evsel *ev)
{
	return evsel__counts_time(ev) ? "nanoseconds" : "count";
}

u64 evsel__mean_period(const struct evsel *ev)
{
	u64 freq = ev->attr.sample_freq;

	if (evsel__is_off_cpu(ev))
		return 1;
	if (!ev->attr.freq)
		return ev->attr.sample_period ?: 1;
	return evsel__counts_time(ev) && freq && freq < 1000000000 ? 1000000000 / freq : 1;
}

void export__begin(struct export *x, const struct export_format *format,
		   const struct export_opts *opts, struct symbols *symbols,
		   const struct recording *rec, struct textbuf *out)
{
	*x = (struct export){
		.format = format, .opts = *opts, .recording = rec, .out = out,
		.resolver = resolver__new(symbols),
		.table = {
			.by_address = format->by_address, .lines = opts->lines,
			.name = opts->name, .name_ctx = opts->name_ctx,
		},
		.periods = xcalloc(rec->events.nr + 1, sizeof(u64)),
		.counts = xcalloc(rec->events.nr + 1, sizeof(u64)),
	};
	stack_table__init(&x->table, symbols, x->resolver);
	x->writer = format->begin(x);
}

void export__shorten(const struct export *x, struct short_names *names)
{
	const struct stack_table *t = &x->table;

	names->full = x->opts.full_names;
	names->symbols = t->symbols;
	for (u32 i = 1; i < t->functions.nr; i++) {
		const struct export_function *f = &t->functions.v[i];

		if (f->symbol)
			short_names__add(names, f, f->name, t->modules.v[f->module].dso, f->symbol);
	}
	short_names__make(names);
}

void export__free(struct export *x)
{
	if (x->writer)
		x->format->free(x->writer);
	if (x->table.arena)
		stack_table__free(&x->table);
	for (size_t i = 0; i < EXPORT_WAITING; i++)
		vec__free(&x->waiting[i].stack.steps);
	resolver__free(x->resolver);
	map64__free(&x->marks);
	free(x->periods);
	free(x->counts);
	*x = (struct export){};
}

/* "[not whole: copy too short]" */
static const char *mark_of(struct export *x, const struct whole_sample *ws)
{
	const char *reason = user_part__reason(ws->user_part, ws->deferred, ws->stop);
	const char *mark;
	char *text;

	if (!reason || !x->format->marks)
		return NULL;
	mark = map64__get(&x->marks, (uintptr_t)reason);
	if (mark)
		return mark;
	text = xasprintf("[not whole: %s]", reason);
	mark = arena__intern(x->table.arena, text);
	free(text);
	map64__set(&x->marks, (uintptr_t)reason, (void *)mark);
	return mark;
}

/* The frames of a sample without a chain: that of its ip. Their serial is 0. @leaf: room for it */
static void take_leaf(struct export *x, const struct whole_sample *ws, struct frame *leaf,
		      struct frames *frames)
{
	*leaf = (struct frame){ .ip = ws->s->ip, .cpumode = ws->s->cpumode, .starts = true };
	resolver__address(x->resolver, ws->thread, leaf->cpumode, leaf->ip, false, &leaf->loc);
	*frames = (struct frames){ .f = { leaf, 1 } };
}

static const char *activity_of(struct export *x, const struct sample *s)
{
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;

	if (!s->aux_size || !activity__of_sample(&a, s))
		return NULL;
	activity__text(&a, text);
	return name__clean(x->table.arena, text);
}

/* Gives the writer the sample that waits longest. */
static void take_waiting(struct export *x)
{
	struct export_waiting *w = &x->waiting[x->nr_taken++ % EXPORT_WAITING];

	w->s.node = stack_table__find(&x->table, &w->stack);
	x->format->sample(x->writer, &w->s);
}

/* Begins to look for the node of a sample, and goes on with others. */
static void want_node(struct export *x, const struct export_sample *s, const struct frames *frames,
		      const struct whole_sample *ws)
{
	struct export_waiting *w;

	if (x->nr_wanted - x->nr_taken == EXPORT_WAITING)
		take_waiting(x);
	w = &x->waiting[x->nr_wanted++ % EXPORT_WAITING];
	w->s = *s;
	if (frames->serial)
		stack_table__want(&x->table, frames, mark_of(x, ws), &w->stack);
	else
		stack_table__want_leaf(&x->table, frames->f.v, &w->stack);
	if (x->nr_wanted > EXPORT_WAITING / 2)
		stack_table__fetch(&x->table, &x->waiting[(x->nr_wanted - EXPORT_WAITING / 2) %
							  EXPORT_WAITING].stack);
}

/* Counts a sample. */
static void count(struct export *x, const struct export_sample *s)
{
	if (!x->nr_samples++ || s->time < x->first_time)
		x->first_time = s->time;
	x->last_time = max_of(x->last_time, s->time);
	x->periods[s->event] += s->period;
	x->counts[s->event]++;
}

/* What a sample says of a wait; one of another recorder was blocked all the time. */
static void take_wait(struct export_sample *out, const struct whole_sample *ws)
{
	struct off_cpu_wait w;

	out->waker_pid = out->waker_tid = NO_ID;
	out->is_wait = evsel__is_off_cpu(ws->rec->event);
	if (!out->is_wait || !off_cpu_wait__decode(&w, ws->s))
		return;
	out->runnable = min_of(w.runnable, out->period);
	if (!(w.flags & WAIT_WOKEN) || w.flags & WAIT_BY_INTERRUPT)
		return;
	out->waker_pid = w.waker_pid;
	out->waker_tid = w.waker_tid;
}

int export__sample(struct export *x, const struct whole_sample *ws)
{
	struct frames frames = {};
	struct frame leaf;
	struct export_sample s = {
		.time = ws->rec->time == NO_TIME ? 0 : ws->rec->time, .period = ws->s->period,
		.pid = ws->thread->pid, .tid = ws->thread->tid,
		.cpu = ws->rec->cpu, .event = ws->rec->event->idx,
		.comm = stack_table__name(&x->table, ws->thread->comm),
		.stack = user_stack__word(ws), .activity = activity_of(x, ws->s),
		.cpumode = ws->s->cpumode,
	};

	take_wait(&s, ws);
	if (ws->nr_chain || ws->nr_user)
		resolver__chain(x->resolver, ws, x->opts.max_stack, &frames);
	if (!frames.f.nr)
		take_leaf(x, ws, &leaf, &frames);
	count(x, &s);
	if (!x->format->direct) {
		want_node(x, &s, &frames, ws);
		return x->out->error;
	}
	s.ws = ws;
	s.frames = &frames;
	x->format->sample(x->writer, &s);
	return x->out->error;
}

void export__soon(struct export *x, const struct thread *t, const u64 *chain, u64 nr)
{
	resolver__soon(x->resolver, t, chain, nr);
}

void export__record(struct export *x, const struct record *rec)
{
	resolver__record(x->resolver, rec);
}

void export__end(struct export *x, const char *words)
{
	while (x->nr_taken < x->nr_wanted)
		take_waiting(x);
	x->format->end(x->writer, words);
}
