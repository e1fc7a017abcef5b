// SPDX-License-Identifier: GPL-2.0-only
/* perf report: -s, -F and what else chooses columns. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

static bool all_events_are(const struct recording *rec, u32 type)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (rec->events.v[i]->attr.type != type)
			return false;
	return rec->events.nr > 0;
}

/*
 * A column that can have only one value, because of a filter, becomes a line of the header. Levels
 * of --hierarchy stay, as in perf.
 */
static void leave_out(struct report *r, enum column c, const struct name_list *names,
		      const char *title)
{
	struct column_list *l = &r->view.text.columns, kept = {};

	if (names->names.nr != 1 || !column_list__has(l, c))
		return;
	if (!r->opts->quiet)
		textbuf__printf(&r->view.left_out, "# %s: %s\n", title, names->names.v[0]);
	if (r->opts->hierarchy)
		return;
	for (unsigned int i = 0; i < l->nr; i++)
		if (l->v[i] != c)
			column_list__add(&kept, l->v[i]);
	*l = kept;
}

/* -w: "5,8,,12". */
static int take_widths(struct report *r, struct error *err)
{
	const char *p = r->opts->widths;
	char *end;

	r->view.text.nr_widths = 0;
	while (p && *p) {
		unsigned long width = strtoul(p, &end, 10);

		if ((*end && *end != ',') || *p == '-' || width > 4096 ||
		    r->view.text.nr_widths == COLUMNS_MAX)
			return error__set(err, -EINVAL, "--column-widths: '%s' is not a list of "
					  "widths up to 4096", r->opts->widths);
		r->view.text.fixed_widths[r->view.text.nr_widths++] = width;
		p = *end ? end + 1 : end;
	}
	return 0;
}

/*
 * The shares that reports begin with, and are sorted by. As in perf, keys that are shares
 * themselves (-s overhead_sys,sym) stand in place of what their names begin with.
 */
static void add_overhead(struct report *r, struct column_list *columns)
{
	const char *sort = r->view.sort ?: "";
	bool own = !strstr(sort, "overhead");
	bool children = r->view.hist.children && !strstr(sort, "overhead_children");

	if (children)
		column_list__add(columns, COLUMN_OVERHEAD_CHILDREN);
	if (own) {
		column_list__add(columns, COLUMN_OVERHEAD);
		column_list__add_first(&r->view.hist.order, COLUMN_OVERHEAD);
	}
	if (children)
		column_list__add_first(&r->view.hist.order, COLUMN_OVERHEAD_CHILDREN);
}

int report__make_columns(struct report *r, struct error *err)
{
	bool traces = all_events_are(r->state.recording, PERF_TYPE_TRACEPOINT);
	struct column_list *columns = &r->view.text.columns, sort = {};
	const char *fields = r->view.fields;
	bool added = r->view.sort && *r->view.sort == '+'; /* to the default keys */
	int ret = 0;

	if (r->view.sort ? added : !fields || *fields == '+')
		ret = column_list__parse(&sort, r->opts->mem_mode ? MEM_MODE_KEYS :
					 traces ? "trace" : "comm,dso,sym", NULL);
	if (!ret && r->view.sort)
		ret = column_list__parse(&sort, r->view.sort, err);
	if (!ret && fields && *fields != '+')
		ret = column_list__parse(columns, fields, err);
	if (ret)
		return ret;
	if (r->opts->wakers)
		column_list__add(&sort, COLUMN_WAKERS);
	if (r->opts->chain.parent || r->opts->chain.exclude_other)
		column_list__add(&sort, COLUMN_PARENT);
	r->view.hist.order = sort;
	if (r->opts->mem_mode)
		r->view.text.mem_keys = r->view.sort && !added ? r->view.sort : MEM_MODE_KEYS;
	if (!columns->nr)
		add_overhead(r, columns);
	if (r->opts->cpu_modes) {
		column_list__add(columns, COLUMN_OVERHEAD_SYS);
		column_list__add(columns, COLUMN_OVERHEAD_US);
	}
	if (r->opts->nr_samples)
		column_list__add(columns, COLUMN_SAMPLE);
	if (r->opts->total_period)
		column_list__add(columns, COLUMN_PERIOD);
	if (fields && *fields == '+')
		ret = column_list__parse(columns, fields, err);
	for (unsigned int i = 0; i < sort.nr; i++)
		column_list__add(columns, sort.v[i]);
	for (unsigned int i = 0; i < columns->nr; i++) {
		column_list__add(&r->view.hist.order, columns->v[i]);
		if (column__is_key(columns->v[i]))
			column_list__add(&r->view.hist.keys, columns->v[i]);
	}
	leave_out(r, COLUMN_DSO, &r->state.filter.dsos, "dso");
	leave_out(r, COLUMN_COMM, &r->state.filter.comms, "comm");
	leave_out(r, COLUMN_SYM, &r->state.filter.syms, "symbol");
	return ret ?: take_widths(r, err);
}
