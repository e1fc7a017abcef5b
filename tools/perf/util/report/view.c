// SPDX-License-Identifier: GPL-2.0-only
/* perf report: the view, and what chooses samples, from the options and what the recording has. */
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../base/number.h"
#include "state.h"

/*
 * How many frames of a deeper stack a call graph shows next to its line, unless --max-stack says
 * otherwise: as many as the kernel's own callchains have, and as perf shows.
 */
#define GRAPH_FRAMES 127

/*
 * With children, each frame of a chain has a graph of the others, and each branch of a graph is
 * indented: so the output would grow with the square or the cube of a stack's depth. A list of
 * whole chains, as for flame graphs, does not.
 */
static void limit_graphs(struct report_view *v)
{
	struct chain_opts *c = &v->text.chains;
	bool drawn = c->mode == CHAIN_GRAPH || c->mode == CHAIN_FRACTAL;

	if (v->max_stack != MAX_STACK_UNSET)
		return;
	v->max_stack = 0;
	if (drawn || v->hist.children)
		c->max_frames = GRAPH_FRAMES;
}

static void choose_chains(struct report *r)
{
	bool chains = recording__any_samples(r->state.recording, PERF_SAMPLE_CALLCHAIN);
	struct report_view *v = &r->view;
	struct chain_opts *c = &v->text.chains;

	if (!chains && r->opts->chains_asked && c->mode != CHAIN_NONE)
		pr_warn("%s has no callchains: record with -g or --defer\n",
			report__input_name(r));
	if (c->branches && recording__any_samples(r->state.recording, PERF_SAMPLE_BRANCH_STACK))
		pr_warn("branch stacks are not shown as callers: perf script -F +brstacksym prints "
			"them\n");
	if (!chains)
		c->mode = CHAIN_NONE;
	v->hist.children = r->opts->children && chains;
	if (!c->order_set)
		c->caller_order = v->hist.children;
	v->hist.caller_order = c->caller_order;
	limit_graphs(v);
	v->hist.callers_first = c->mode != CHAIN_NONE;
}

static int parse_socket(const char *s, u32 *socket, struct error *err)
{
	unsigned long n;
	char *end;

	if (!s)
		return 0;
	n = strtoul(s, &end, 10);
	if (end == s || *end || n >= NO_SOCKET)
		return error__set(err, -EINVAL, "--socket-filter: '%s' is not a number", s);
	*socket = n;
	return 0;
}

static int take_percentages(const struct report_opts *o, struct report_text_opts *text,
			    struct error *err)
{
	if (o->percentage) {
		text->relative = !strcmp(o->percentage, "relative");
		if (!text->relative && strcmp(o->percentage, "absolute"))
			return error__set(err, -EINVAL,
					  "--percentage must be relative or absolute");
	}
	if (o->percent_limit && !parse_percent(o->percent_limit, &text->min_percent))
		return error__set(err, -EINVAL, "'%s' is not a percentage", o->percent_limit);
	if (o->percent_limit)
		text->chains.min_percent = text->min_percent;
	return 0;
}

/* How entries look, except for their columns. */
static int take_text(struct report *r, struct error *err)
{
	const struct report_opts *o = r->opts;
	struct report_text_opts *text = &r->view.text;
	int ret = take_percentages(o, text, err) ?:
		  parse_socket(text->socket, &r->state.socket, err);

	if (!ret && text->separator && (!*text->separator || *text->separator == '.'))
		ret = error__set(err, -EINVAL, "--field-separator must be neither empty nor a dot: "
				 "a dot replaces the separator in names");
	if (!ret && o->color && strcmp(o->color, "never") && strcmp(o->color, "auto"))
		ret = error__set(err, -EINVAL, "--stdio-color: only 'never' is supported");
	text->latency = o->time.latency;
	text->quiet = o->quiet;
	text->time = r->view.time;
	text->skip_own_name = !r->view.fields;
	return ret;
}

static bool has_switches(const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (rec->events.v[i]->attr.context_switch)
			return true;
	return false;
}

/* What --latency and --parallelism need. */
static int choose_levels(struct report *r, struct error *err)
{
	const struct report_time_opts *t = &r->opts->time;
	bool switches = has_switches(r->state.recording);

	if (t->latency && !switches)
		return error__set(err, -ENODATA, "--latency: %s has no switches: record with "
				  "--latency, or with --off-cpu", report__input_name(r));
	if (!t->only)
		return 0;
	if (cpu_set__add(&r->state.time.levels, t->only, err))
		return error__set(err, -EINVAL, "--parallelism: '%s' is not a list of numbers like "
				  "1,3-4", t->only);
	if (switches)
		return 0;
	return error__set(err, -ENODATA, "--parallelism: %s has no switches: record with --latency",
			  report__input_name(r));
}

static enum name_style choose_names(const struct report *r)
{
	if (r->opts->json || r->view.text.separator || r->view.text.chains.mode == CHAIN_FOLDED)
		return NAMES_PLAIN;
	return name_opts__style(&r->opts->names);
}

int report__make_view(struct report *r, struct error *err)
{
	struct filter_args only = r->opts->only;
	struct report_state *st = &r->state;
	int ret;

	only.time = r->view.time;
	ret = filter__make(&st->filter, &only, st->recording, err);
	r->view.hist.filter = &st->filter;
	choose_chains(r);
	ret = ret ?: take_text(r, err);
	r->view.hist.names = choose_names(r);
	ret = ret ?: choose_levels(r, err);
	ret = ret ?: report__make_columns(r, err);
	return ret ?: report_chain__begin(&st->chain, &r->opts->chain,
					  column_list__has(&r->view.hist.keys, COLUMN_PARENT), err);
}
