// SPDX-License-Identifier: GPL-2.0-only
#include "evlist.h"

#include <errno.h>
#include <inttypes.h>

#include "../base/log.h"
#include "../cli/input.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../data/event-groups.h"
#include "../data/tracepoint.h"
#include "../text/attr-text.h"

struct evlist {
	const struct evlist_opts *opts;
	struct textbuf out;
};

static void put_trace_fields(struct textbuf *out, const struct tracepoints *t,
			     const struct evsel *ev)
{
	const char *name;

	if (ev->attr.type != PERF_TYPE_TRACEPOINT) {
		textbuf__puts(out, ": (not a tracepoint)");
		return;
	}
	textbuf__puts(out, ": trace_fields: ");
	for (u32 i = 0; (name = tracepoints__field_name(t, ev->attr.config, i)); i++)
		textbuf__printf(out, "%s%s", i ? "," : "", name);
}

static void put_event(struct evlist *e, const struct tracepoints *t, const struct evsel *ev)
{
	textbuf__name(&e->out, ev->name);
	if (e->opts->trace_fields) {
		put_trace_fields(&e->out, t, ev);
	} else if (e->opts->verbose) {
		textbuf__puts(&e->out, ": ");
		textbuf__event_details(&e->out, ev);
	} else if (e->opts->frequency) {
		textbuf__printf(&e->out, ": sample_%s=%" PRIu64,
				ev->attr.freq ? "freq" : "period", (u64)ev->attr.sample_period);
	}
	textbuf__putc(&e->out, '\n');
}

/* "{a,b}" or "name{a,b}", and a line for each event that is in no group. */
static void put_groups(struct textbuf *out, const struct recording *r,
		       const struct event_groups *groups)
{
	for (u32 i = 0; i < r->events.nr; i++) {
		const struct event_group *g = event_groups__of(groups, i);
		u32 end = g ? g->first + g->nr : i + 1;

		if (g)
			textbuf__printf(out, "%s{", g->name ?: "");
		for (u32 first = i; i < end; i++)
			textbuf__printf(out, "%s%s", i > first ? "," : "", r->events.v[i]->name);
		textbuf__puts(out, g ? "}\n" : "\n");
		i--;
	}
}

static bool has_tracepoints(const struct recording *r)
{
	for (size_t i = 0; i < r->events.nr; i++)
		if (r->events.v[i]->attr.type == PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

static void put_events(struct evlist *e, const struct recording *r)
{
	struct tracepoints *t = e->opts->trace_fields ? tracepoints__new(r) : NULL;
	struct event_groups groups = {};

	event_groups__read(&groups, r);
	if (e->opts->groups)
		put_groups(&e->out, r, &groups);
	for (size_t i = 0; i < r->events.nr && !e->opts->groups; i++)
		put_event(e, t, r->events.v[i]);
	if (has_tracepoints(r) && !e->opts->trace_fields)
		textbuf__puts(&e->out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
			      "tracepoint events\n");
	if (groups.v.nr && !e->opts->groups)
		textbuf__puts(&e->out, "# Tip: use 'perf evlist -g' to show group information\n");
	event_groups__free(&groups);
	tracepoints__free(t);
}

int evlist__run(const struct evlist_opts *opts)
{
	struct evlist e = { .opts = opts };
	struct binary_opts binary = {};
	struct error err = {};
	struct input input;
	int ret;

	pager__textbuf(&e.out);
	reader__drop_privileges(NULL);
	reader__confine(&(struct reader_names){ .input = opts->input }, NULL);
	ret = input__open(&input, opts->input, opts->force, INPUT_FILE, &binary, &err);
	if (!ret)
		put_events(&e, reader__recording(input.reader));
	input__close(&input);
	textbuf__flush(&e.out);
	if (e.out.error && e.out.error != -EPIPE)
		ret = e.out.error;
	textbuf__free(&e.out);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
