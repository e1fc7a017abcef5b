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
	&export_svg, &export_otlp, &export_json, &export_sqlite, &export_perfetto, NULL,
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
		.table = { .by_address = format->by_address, .lines = opts->lines },
		.periods = xcalloc(rec->events.nr + 1, sizeof(u64)),
		.counts = xcalloc(rec->events.nr + 1, sizeof(u64)),
	};
	stack_table__init(&x->table, symbols, x->resolver);
	x->writer = format->begin(x);
}

void export__free(struct export *x)
{
	if (x->writer)
		x->format->free(x->writer);
	if (x->table.arena)
		stack_table__free(&x->table);
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

/* The frames of a sample without a chain: that of its ip. @leaf: room for it */
static void take_leaf(struct export *x, const struct whole_sample *ws, struct frame *leaf,
		      struct frames *frames)
{
	*leaf = (struct frame){ .ip = ws->s->ip, .cpumode = ws->s->cpumode, .starts = true };
	resolver__address(x->resolver, ws->thread, leaf->cpumode, leaf->ip, false, &leaf->loc);
	frames->f.v = leaf;
	frames->f.nr = 1;
}

/* Fills in the frames, or the node that they are. @frames, @leaf: room for them */
static void take_stack(struct export *x, struct export_sample *s, struct frames *frames,
		       struct frame *leaf)
{
	const struct whole_sample *ws = s->ws;

	frames->f.nr = 0;
	if (ws->nr_chain || ws->nr_user)
		resolver__chain(x->resolver, ws, x->opts.max_stack, frames);
	if (frames->f.nr && !x->format->direct)
		s->node = stack_table__node(&x->table, frames, mark_of(x, ws));
	if (!frames->f.nr) {
		take_leaf(x, ws, leaf, frames);
		if (!x->format->direct)
			s->node = stack_table__leaf(&x->table, leaf);
	}
	s->frames = frames;
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

int export__sample(struct export *x, const struct whole_sample *ws)
{
	u32 event = ws->rec->event->idx;
	struct frames frames;
	struct frame leaf;
	struct export_sample s = {
		.time = ws->rec->time == NO_TIME ? 0 : ws->rec->time, .period = ws->s->period,
		.ws = ws, .pid = ws->thread->pid, .tid = ws->thread->tid,
		.cpu = ws->rec->cpu, .event = event,
		.comm = stack_table__name(&x->table, ws->thread->comm),
		.stack = user_stack__word(ws), .activity = activity_of(x, ws->s),
	};

	take_stack(x, &s, &frames, &leaf);
	if (!x->nr_samples++ || s.time < x->first_time)
		x->first_time = s.time;
	x->last_time = max_of(x->last_time, s.time);
	x->periods[event] += s.period;
	x->counts[event]++;
	x->format->sample(x->writer, &s);
	return x->out->error;
}

void export__record(struct export *x, const struct record *rec)
{
	resolver__record(x->resolver, rec);
}

void export__end(struct export *x, const char *words)
{
	x->format->end(x->writer, words);
}
