// SPDX-License-Identifier: GPL-2.0-only
/* perf diff: what is printed of the tables, and whether conditions hold. */
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "change-json.h"
#include "diff.h"

#define STATUS_HOLDS 2

/* What was found of an event. */
struct event_changes {
	struct diff_changes functions, paths;
};

static const char *function_name(const struct diff *d, const struct diff_table *t, u32 row)
{
	const struct diff_row *r = &t->rows.v[row];

	for (u32 k = 0; k < d->opts->keys.nr; k++)
		if (d->opts->keys.v[k] == COLUMN_SYM && r->unnamed == DIFF_NO_KEY)
			return diff_table__name(r->texts[k]);
	return NULL;
}

/* A condition of one function is one question: the others do not matter for its chance. */
static bool is_beyond_chance(const struct diff *d, const struct diff_limit *l,
			     const struct diff_change *c)
{
	double p = diff_limit__is_pattern(l) ? c->q : c->c.p;

	return c->tested && p <= 1 - d->view.groups.confidence;
}

static void put_limit_line(struct diff *d, const struct diff_limit *l, const char *name,
			   const struct stat_change *c, bool holds)
{
	if (d->view.changes.format == DIFF_JSON)
		textbuf__limit_json(&d->view.out, l, name, c, holds);
	else
		textbuf__limit(&d->view.out, l, name, c, holds, &d->view.changes);
}

static bool put_limit_of_run(struct diff *d, const struct diff_limit *l,
			     const struct diff_changes *changes)
{
	const struct stat_change *c = &changes->run;
	bool holds = diff_limit__exceeds(l, c) && c->p <= 1 - d->view.groups.confidence;

	put_limit_line(d, l, NULL, c, holds);
	return holds;
}

/* Of a pattern, only what fails has a line. Returns 0; STATUS_HOLDS; -ENOENT: no such function. */
static int put_limit(struct diff *d, const struct diff_limit *l, const struct diff_event *e,
		     const struct diff_changes *changes)
{
	bool pattern = diff_limit__is_pattern(l), found = false;
	int ret = 0;

	for (size_t i = 0; i < changes->v.nr; i++) {
		const struct diff_change *c = &changes->v.v[i];
		const char *name = function_name(d, &e->table, c->row);
		bool holds;

		if (!name || c->total != (l->what == DIFF_LIMIT_TOTAL) ||
		    !diff_limit__is_of(l, name))
			continue;
		found = true;
		holds = diff_limit__exceeds(l, &c->c) && is_beyond_chance(d, l, c);
		if (holds || !pattern)
			put_limit_line(d, l, name, &c->c, holds);
		if (holds)
			ret = STATUS_HOLDS;
	}
	return found || (l->function && !strcmp(l->function, "*")) ? ret : -ENOENT;
}

/* Each condition is of all events. */
static int put_limits(struct diff *d, const struct event_changes *found, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < d->opts->limits.nr; i++) {
		const struct diff_limit *l = &d->opts->limits.v[i];
		bool known = l->what == DIFF_LIMIT_RUN;

		for (size_t k = 0; k < d->state.events.nr; k++) {
			int ret = 0;

			if (l->what != DIFF_LIMIT_RUN)
				ret = put_limit(d, l, &d->state.events.v[k], &found[k].functions);
			else if (put_limit_of_run(d, l, &found[k].functions))
				ret = STATUS_HOLDS;
			known |= ret >= 0;
			status = ret > 0 ? ret : status;
		}
		if (!known)
			return error__set(err, -ENOENT, "--fail-if '%s': no recording has a "
					  "function of this name", l->text);
	}
	return status;
}

static void put_changes(struct diff *d, struct diff_event *e, struct event_changes *found)
{
	struct diff_groups per_path = d->view.groups;
	struct diff_findings findings = {
		.event_name = e->name, .t = &e->table, .changes = &found->functions,
	};

	diff_changes__make(&found->functions, &e->table, &d->view.groups);
	if (d->opts->with_paths) {
		per_path.self = false;
		per_path.totals = true;
		diff_changes__make(&found->paths, &e->paths.nodes, &per_path);
		diff_paths__keep_innermost(&e->paths, &found->paths);
		findings.paths = &e->paths;
		findings.path_changes = &found->paths;
	}
	if (d->view.changes.format == DIFF_JSON)
		textbuf__changes_json(&d->view.out, &findings, &d->view.changes);
	else
		textbuf__changes(&d->view.out, &findings, &d->view.changes);
}

static int put_runs(struct diff *d, struct error *err)
{
	struct event_changes *found = xcalloc(d->state.events.nr + 1, sizeof(*found));
	int ret;

	d->view.groups.self = true;
	d->view.groups.totals = d->state.any_chains;
	d->view.changes.groups = &d->view.groups;
	d->view.changes.keys = &d->opts->keys;
	d->view.changes.files = d->opts->files.v;
	d->view.changes.quiet = d->opts->quiet;
	for (size_t i = 0; i < d->state.events.nr; i++) {
		textbuf__puts(&d->view.out, i && d->view.changes.format != DIFF_JSON ? "\n" : "");
		put_changes(d, &d->state.events.v[i], &found[i]);
	}
	ret = put_limits(d, found, err);
	for (size_t i = 0; i < d->state.events.nr; i++) {
		diff_changes__free(&found[i].functions);
		diff_changes__free(&found[i].paths);
	}
	free(found);
	return ret;
}

/* Text for people has short names. */
static const struct diff_shown *make_shown(struct diff *d)
{
	struct diff_shown *s = &d->view.shown;

	if (name_opts__style(&d->opts->demangle) != NAMES_SHORT || d->view.text.separator ||
	    d->view.changes.format == DIFF_JSON)
		return NULL;
	for (size_t i = 0; i < d->state.events.nr; i++) {
		const struct diff_event *e = &d->state.events.v[i];

		for (u32 row = 0; row < e->table.rows.nr; row++)
			for (u32 k = 0; k < d->opts->keys.nr; k++)
				if (d->opts->keys.v[k] == COLUMN_SYM)
					diff_shown__add(s, e->table.rows.v[row].texts[k]);
		for (u32 row = 0; d->opts->with_paths && row < e->paths.nodes.rows.nr; row++)
			diff_shown__add(s, diff_paths__name(&e->paths, row));
	}
	diff_shown__make(s);
	return s;
}

static void say_unmatched(const struct diff *d)
{
	const char *example;
	u32 nr = diff_names__unmatched(&d->state.names, &example);

	if (nr)
		pr_warn("%u %s without a name of %s own, such as %s, cannot be looked for in other "
			"builds: other functions have the same code, or it is not here\n", nr,
			nr == 1 ? "function" : "functions", nr == 1 ? "its" : "their", example);
}

int diff__put(struct diff *d, struct error *err)
{
	say_unmatched(d);
	d->view.text.shown = d->view.changes.shown = make_shown(d);
	if (d->opts->runs)
		return put_runs(d, err);
	d->view.text.keys = &d->opts->keys;
	d->view.text.left_out = &d->view.left_out;
	d->view.text.files = d->opts->files.v;
	d->view.text.quiet = d->opts->quiet;
	d->view.text.name_files = d->opts->verbose > 0;
	d->view.text.order.run = d->opts->order_run;
	for (size_t i = 0; i < d->state.events.nr; i++) {
		const struct diff_event *e = &d->state.events.v[i];

		textbuf__puts(&d->view.out, i && !d->opts->quiet ? "\n" : "");
		textbuf__diff(&d->view.out, &e->table, e->name, &d->view.text);
	}
	return 0;
}
