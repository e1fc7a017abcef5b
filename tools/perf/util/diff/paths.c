// SPDX-License-Identifier: GPL-2.0-only
#include "paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OF_IT 0.8 /* of a caller's change, that of one callee */

enum { KEY_FUNCTION, KEY_CALLER, NR_KEYS };

void diff_paths__init(struct diff_paths *p, u32 nr_runs)
{
	*p = (struct diff_paths){};
	diff_table__init(&p->nodes, NR_KEYS, nr_runs);
}

void diff_paths__free(struct diff_paths *p)
{
	diff_table__free(&p->nodes);
	vec__free(&p->callers);
}

const char *diff_paths__name(const struct diff_paths *p, u32 row)
{
	return p->nodes.rows.v[row].texts[KEY_FUNCTION];
}

/* All code of a binary of which no functions are known is one step. @function: or NULL */
static void name_step(const struct stack_frame *f, const char *function, char *name,
		      size_t size)
{
	const char *dso = f->dso ? f->dso->short_name : "[unknown]";
	bool bare = *dso != '['; /* not "[kernel.kallsyms]" */

	snprintf(name, size, "%s%s%s%s%s", function ?: "", function ? " " : "", bare ? "[" : "",
		 dso, bare ? "]" : "");
}

static u32 add_node(struct diff_paths *p, u32 run, const char *name, u32 caller,
		    const struct diff_cell *counts)
{
	char number[16];
	const char *texts[NR_KEYS] = { name, number };
	u32 row;

	snprintf(number, sizeof(number), "%u", caller);
	row = diff_table__add(&p->nodes, run, texts, DIFF_NO_KEY, counts);
	if (row == p->callers.nr)
		*vec__push(&p->callers) = caller;
	return row + 1;
}

static void add_stack(struct diff_paths *p, struct diff_names *names, u32 run,
		      const struct hist *h, const struct stack_record *r)
{
	const u32 *frames = r->nr_frames ? stacks__frames_of(&h->stacks, r) : &r->leaf;
	u32 nr = max_of(r->nr_frames, 1u), caller = 0, last = 0, steps = 0;
	const struct diff_cell counts = { .period_all = r->period, .nr_all = r->nr };
	const struct stack_frame *f;
	char name[4096];

	for (u32 i = nr; i--;) {
		u32 shown = h->stacks.frames.v[frames[i]].shown;

		if (shown == last)
			continue;
		if (steps++ == DIFF_PATH_STEPS || p->nodes.rows.nr >= DIFF_PATHS_MAX) {
			p->nr_cut += r->nr;
			return;
		}
		last = shown;
		f = &h->stacks.frames.v[shown];
		name_step(f, f->sym ? diff_names__of(names, h->opts.symbols, f->dso, f->sym) : NULL,
			  name, sizeof(name));
		caller = add_node(p, run, name, caller, &counts);
	}
}

void diff_paths__add(struct diff_paths *p, struct diff_names *names, u32 run,
		     const struct hist *h)
{
	for (u32 i = 1; i < h->stacks.records.nr; i++)
		add_stack(p, names, run, h, &h->stacks.records.v[i]);
}

static bool says_the_same(const struct diff_change *callee, const struct diff_change *caller)
{
	double inner = callee->c.after - callee->c.before;
	double outer = caller->c.after - caller->c.before;

	return inner * outer > 0 && fabs(inner) >= MOST_OF_IT * fabs(outer);
}

void diff_paths__keep_innermost(const struct diff_paths *p, struct diff_changes *c)
{
	const struct diff_change **of_row = xcalloc(p->nodes.rows.nr + 1, sizeof(*of_row));
	bool *hidden = xcalloc(p->nodes.rows.nr + 1, sizeof(*hidden));
	u32 kept = 0;

	for (u32 i = 0; i < c->nr_beyond; i++)
		of_row[c->v.v[i].row + 1] = &c->v.v[i];
	for (u32 i = 0; i < c->nr_beyond; i++) {
		u32 caller = p->callers.v[c->v.v[i].row];

		if (of_row[caller] && says_the_same(&c->v.v[i], of_row[caller]))
			hidden[caller] = true;
	}
	for (u32 i = 0; i < c->nr_beyond; i++)
		if (!hidden[c->v.v[i].row + 1])
			c->v.v[kept++] = c->v.v[i];
	c->nr_beyond = c->v.nr = kept;
	free(of_row);
	free(hidden);
}
