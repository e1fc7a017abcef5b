// SPDX-License-Identifier: GPL-2.0-only
#include "functions.h"

#include <stdlib.h>

#include "../base/log.h"
#include "../browser/dialogs.h"
#include "../browser/screen.h"

static const struct event_group *group_of(const struct annotate_functions *a, u32 event)
{
	return a->opts->groups ? event_groups__of(&a->groups, event) : NULL;
}

static void put_event_name(const struct annotate_functions *a, u32 event, struct textbuf *tb)
{
	const struct event_group *g = group_of(a, event);

	if (!g) {
		textbuf__name(tb, a->recording->events.v[event]->name);
		return;
	}
	textbuf__printf(tb, "%s { ", g->name ?: "anon group");
	for (u32 i = 0; i < g->nr; i++)
		textbuf__printf(tb, "%s%s", i ? ", " : "",
				a->recording->events.v[g->first + i]->name);
	textbuf__puts(tb, " }");
}

/* Returns 0; -errno with words: the function has no code to show. */
static int make_annotation(struct annotate_functions *a, u32 event, const struct code_count *f,
			   struct annotation *out, struct error *err)
{
	const struct event_group *g = group_of(a, event);
	int ret = annotate_args__listing(&a->code, a->symbols, f->dso, f->sym, out, err);

	for (u32 i = 0; !ret && i < (g ? g->nr : 1); i++)
		annotation__add(out, a->counts, event + i);
	return ret;
}

/* Once for each binary, or for the function that was asked for. */
static void say_missing(struct annotate_functions *a, const struct code_count *f, struct error *err)
{
	a->nr_failed++;
	if (a->opts->skip_missing || map64__set(&a->told, (uintptr_t)f->dso, a))
		return;
	if (!a->opts->only.syms)
		error__prefix(err, "some functions are not shown");
	pr_warn("%s\n", err->text);
}

static void put_function(struct annotate_functions *a, u32 event, const struct code_count *f,
			 struct textbuf *out)
{
	struct annotation code;
	struct textbuf name;
	struct error err;

	if (make_annotation(a, event, f, &code, &err)) {
		say_missing(a, f, &err);
	} else {
		textbuf__init(&name, -1);
		put_event_name(a, event, &name);
		textbuf__annotation(out, &code, textbuf__str(&name), a->symbols,
				    &a->code.text);
		textbuf__free(&name);
		a->nr_shown++;
	}
	annotation__free(&code);
}

static double percent_of_all(const struct annotate_functions *a, u32 event,
			     const struct code_count *f)
{
	u64 all = a->counts->totals.v[event].period;

	return all ? 100.0 * f->period / all : 0;
}

/* Fills the functions of an event that are to be shown. */
static void functions_of(const struct annotate_functions *a, u32 event, code_count_vec *out)
{
	const struct event_group *g = group_of(a, event);

	if (!g || g->first == event)
		code_counts__functions(a->counts, event, out);
	while (out->nr && percent_of_all(a, event, &out->v[out->nr - 1]) < a->opts->min_percent)
		out->nr--;
}

static void put_all(struct annotate_functions *a, struct textbuf *out)
{
	for (u32 event = 0; event < a->recording->events.nr; event++) {
		code_count_vec functions = {};

		functions_of(a, event, &functions);
		for (size_t i = 0; i < functions.nr; i++)
			put_function(a, event, &functions.v[i], out);
		vec__free(&functions);
	}
}

static void name_functions(const struct annotate_functions *a, const code_count_vec *functions,
			   struct short_names *names)
{
	*names = (struct short_names){
		.full = a->code.listing.names != NAMES_SHORT, .symbols = a->symbols,
	};
	for (size_t i = 0; i < functions->nr; i++) {
		const struct code_count *f = &functions->v[i];

		short_names__add(names, f->sym, f->sym->name, f->dso, f->sym);
	}
	short_names__make(names);
}

/* Fills a menu of functions. Returns the number of the one that the user chooses. */
static size_t choose(const struct annotate_functions *a, u32 event, const char *title,
		     const code_count_vec *functions)
{
	const char **items = xcalloc(functions->nr, sizeof(*items));
	struct short_names names;
	size_t chosen;

	name_functions(a, functions, &names);
	for (size_t i = 0; i < functions->nr; i++) {
		const struct code_count *f = &functions->v[i];

		items[i] = xasprintf("%6.2f%%  %-20s  %s", percent_of_all(a, event, f),
				     f->dso->short_name,
				     short_names__of(&names, f->sym, f->sym->name));
	}
	short_names__free(&names);
	chosen = dialog__choose(title, items, functions->nr);
	for (size_t i = 0; i < functions->nr; i++)
		free((char *)items[i]);
	free(items);
	return chosen;
}

static void browse_event(struct annotate_functions *a, u32 event)
{
	const struct event_group *g = group_of(a, event);
	code_count_vec functions = {};
	struct annotate_shown shown;
	struct textbuf name;
	struct error err;
	size_t chosen;

	functions_of(a, event, &functions);
	textbuf__init(&name, -1);
	put_event_name(a, event, &name);
	shown = (struct annotate_shown){
		.symbols = a->symbols, .counts = a->counts, .event = event,
		.nr_events = g ? g->nr : 1, .event_name = textbuf__str(&name),
	};
	a->nr_shown += functions.nr;
	while (functions.nr) {
		chosen = choose(a, event, textbuf__str(&name), &functions);
		if (chosen == functions.nr)
			break;
		if (annotate_args__browse(&a->code, &shown, functions.v[chosen].dso,
					  functions.v[chosen].sym, &err))
			dialog__text(functions.v[chosen].sym->name, err.text);
	}
	textbuf__free(&name);
	vec__free(&functions);
}

int annotate_functions__show(struct annotate_functions *a, struct textbuf *out, struct error *err)
{
	const char *function = a->opts->only.syms;
	int ret = 0;

	event_groups__read(&a->groups, a->recording);
	a->code = a->opts->code;
	for (u32 event = 0; a->opts->tui && event < a->recording->events.nr; event++)
		browse_event(a, event);
	if (!a->opts->tui)
		put_all(a, out);
	annotate_args__free(&a->code);
	event_groups__free(&a->groups);
	map64__free(&a->told);
	if (ret || a->nr_shown || a->nr_failed)
		return ret ?: a->nr_shown || a->opts->skip_missing ? 0 : -ENODATA;
	return error__set(err, -ENODATA, "%s has no samples in %s%s",
			  a->opts->input ?: "perf.data",
			  function ? "the function " : "functions that are known",
			  function ?: "");
}
