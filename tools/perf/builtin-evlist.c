// SPDX-License-Identifier: GPL-2.0-only
/* perf evlist: the events of a recording. */
#include <inttypes.h>
#include <stdio.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/input.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/reader-confine.h"
#include "util/cli/reader-privileges.h"
#include "util/data/event-groups.h"
#include "util/data/tracepoint.h"
#include "util/text/attr-text.h"

static const char *const evlist_usage[] = { "perf evlist [<options>]", NULL };

struct evlist {
	const char *input;
	bool force, frequency, groups, trace_fields;
	int verbose;
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
	if (e->trace_fields) {
		put_trace_fields(&e->out, t, ev);
	} else if (e->verbose) {
		textbuf__puts(&e->out, ": ");
		textbuf__event_details(&e->out, ev);
	} else if (e->frequency) {
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
	struct tracepoints *t = e->trace_fields ? tracepoints__new(r) : NULL;
	struct event_groups groups = {};

	event_groups__read(&groups, r);
	if (e->groups)
		put_groups(&e->out, r, &groups);
	for (size_t i = 0; i < r->events.nr && !e->groups; i++)
		put_event(e, t, r->events.v[i]);
	if (has_tracepoints(r) && !e->trace_fields)
		textbuf__puts(&e->out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
			      "tracepoint events\n");
	if (groups.v.nr && !e->groups)
		textbuf__puts(&e->out, "# Tip: use 'perf evlist -g' to show group information\n");
	event_groups__free(&groups);
	tracepoints__free(t);
}

int cmd_evlist(int argc, const char **argv)
{
	struct evlist e = {};
	struct binary_opts binary = {};
	struct error err = {};
	struct input input;
	int ret;
	const struct option options[] = {
		OPT_STRING('i', "input", &e.input, "file", "read this recording (- is stdin)"),
		OPT_BOOL('f', "force", &e.force, "read recordings that belong to other users"),
		OPT_BOOL('F', "freq", &e.frequency, "print the frequency or period of samples"),
		OPT_BOOL('g', "group", &e.groups, "print the events of a group in a line"),
		OPT_INCR('v', "verbose", &e.verbose, "print all that was asked of the kernel"),
		OPT_BOOL(0, "trace-fields", &e.trace_fields, "print the fields of tracepoints"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, evlist_usage, 0);
	if (argc)
		usage__die(options, evlist_usage, "unexpected argument '%s': name a file with -i",
			   argv[0]);
	if (e.groups && (e.frequency || e.verbose || e.trace_fields))
		usage__die(options, evlist_usage, "-g prints names alone: leave out -F and -v, "
			   "and --trace-fields");
	if (e.trace_fields && (e.frequency || e.verbose))
		usage__die(options, evlist_usage, "--trace-fields prints these alone: leave out -F "
			   "and -v");
	pager__textbuf(&e.out);
	reader__drop_privileges(NULL);
	reader__confine(&(struct reader_names){ .input = e.input }, NULL);
	ret = input__open(&input, e.input, e.force, INPUT_FILE, &binary, &err);
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
