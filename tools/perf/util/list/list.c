// SPDX-License-Identifier: GPL-2.0-only
#include "list.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/pager.h"
#include "../event/all-events.h"
#include "../event/event-names.h"
#include "../event/tracefs.h"
#include "../io/output-file.h"
#include "../live/probe.h"
#include "../text/json.h"

#define COLUMNS 78 /* and a bracket */
#define INDENT 8

struct list {
	const struct list_opts *opts;
	all_events events;
	VEC(bool) wanted;       /* of each of .events */
	struct textbuf out;
};

static const char *const type_names[EVENT_KIND_NR] = {
	[EVENT_HARDWARE] = "Hardware event",
	[EVENT_CACHE] = "Hardware cache event",
	[EVENT_SOFTWARE] = "Software event",
	[EVENT_PMU] = "Kernel PMU event",
	[EVENT_TRACEPOINT] = "Tracepoint event",
	[EVENT_RAW] = "Raw event descriptor",
	[EVENT_BREAKPOINT] = "Hardware breakpoint",
};

static const struct {
	const char *word;
	enum event_kind kind;
} kind_words[] = {
	{ "hw", EVENT_HARDWARE }, { "hardware", EVENT_HARDWARE },
	{ "sw", EVENT_SOFTWARE }, { "software", EVENT_SOFTWARE },
	{ "cache", EVENT_CACHE }, { "hwcache", EVENT_CACHE },
	{ "tracepoint", EVENT_TRACEPOINT }, { "pmu", EVENT_PMU },
};

/* Of the fixed names of hardware, those are listed that the kernel knows how to count here. */
static bool is_there(const struct listed_event *e)
{
	struct perf_event_attr attr = {};

	if (e->kind != EVENT_HARDWARE && e->kind != EVENT_CACHE)
		return true;
	return event_name__parse(e->name, &attr) && probe__event(attr.type, attr.config);
}

static void want_kind(struct list *c, enum event_kind kind)
{
	for (size_t i = 0; i < c->events.nr; i++)
		c->wanted.v[i] |= c->events.v[i].kind == kind;
}

/* As in every perf, a pattern may match within a name. */
static void want_glob(struct list *c, const char *glob)
{
	char *pattern = xasprintf("*%s*", glob);
	bool any = false;

	for (size_t i = 0; i < c->events.nr; i++) {
		const struct listed_event *e = &c->events.v[i];

		if (fnmatch(pattern, e->name, FNM_CASEFOLD) && strcmp(glob, e->unit))
			continue;
		c->wanted.v[i] = true;
		any = true;
	}
	free(pattern);
	if (!any)
		pr_warn("no event matches '%s': 'perf list' alone lists all\n", glob);
}

static void want(struct list *c, const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(kind_words); i++)
		if (!strcmp(word, kind_words[i].word)) {
			want_kind(c, kind_words[i].kind);
			return;
		}
	if (!strcmp(word, "metric") || !strcmp(word, "metricgroup"))
		pr_warn("metrics are for 'perf stat', which this perf does not have\n");
	else if (!strcmp(word, "sdt"))
		pr_warn("probes of binaries (sdt) are defined by 'perf probe' of another perf\n");
	else
		want_glob(c, word);
}

static void choose(struct list *c)
{
	all_events__list(&c->events);
	vec__reserve(&c->wanted, c->events.nr);
	for (size_t i = 0; i < c->events.nr; i++)
		*vec__push(&c->wanted) = !c->opts->nr_words;
	for (size_t i = 0; i < c->opts->nr_words; i++)
		want(c, c->opts->words[i]);
	for (size_t i = 0; i < c->events.nr; i++)
		c->wanted.v[i] = c->wanted.v[i] && is_there(&c->events.v[i]) &&
				 (!c->opts->unit || !strcmp(c->opts->unit, c->events.v[i].unit));
}

/* Another name for the same; NULL: there is none. */
static const char *alias_of(const struct list *c, const struct listed_event *e)
{
	for (size_t i = 0; i < c->events.nr; i++) {
		const struct listed_event *other = &c->events.v[i];

		if (other != e && other->kind == e->kind && e->counts && other->counts &&
		    !strcmp(other->terms, e->terms))
			return other->name;
	}
	return NULL;
}

/* "Time, by a timer of the CPU"; for free(); NULL: not known. */
static char *description(const struct list *c, const struct listed_event *e)
{
	const char *alias = alias_of(c, e);

	if (!e->counts)
		return NULL;
	return alias ? xasprintf("%s [the same as %s]", e->counts, alias) : xstrdup(e->counts);
}

/* The file of a tracepoint that says which fields it has; for free(). NULL: it cannot be read. */
static char *format_of(const struct listed_event *e)
{
	const char *colon = strchr(e->name, ':');
	char *system, *text = NULL;

	if (e->kind != EVENT_TRACEPOINT || !colon)
		return NULL;
	system = xasprintf("%.*s", (int)(colon - e->name), e->name);
	if (tracefs__event_format(system, colon + 1, &text, NULL))
		text = NULL;
	free(system);
	return text;
}

/* "software/config=0/", as -e takes it, too; for free(). NULL: not known. */
static char *encoding(const struct listed_event *e)
{
	const char *colon = strchr(e->name, ':');
	char *system, *ret = NULL;
	u64 id;

	if (e->terms)
		return xasprintf("%s/%s/", e->unit, e->terms);
	if (e->kind != EVENT_TRACEPOINT || !colon)
		return NULL;
	system = xasprintf("%.*s", (int)(colon - e->name), e->name);
	if (!tracefs__event_id(system, colon + 1, &id, NULL))
		ret = xasprintf("tracepoint/config=%#llx/", (unsigned long long)id);
	free(system);
	return ret;
}

/* Puts a text in brackets, in lines of COLUMNS; its own lines stay lines. */
static void put_wrapped(struct textbuf *out, const char *text)
{
	size_t column = INDENT;

	textbuf__puts(out, "       [");
	for (const char *s = text; *s;) {
		size_t space = strspn(s, " \t\n"), len;
		bool new_line = memchr(s, '\n', space);

		s += space;
		len = strcspn(s, " \t\n");
		if (!len)
			break;
		if (column > INDENT && (new_line || column + 1 + len > COLUMNS)) {
			textbuf__putc(out, '\n');
			textbuf__pad(out, ' ', INDENT);
			column = INDENT;
		} else if (column > INDENT) {
			textbuf__putc(out, ' ');
			column++;
		}
		textbuf__put(out, s, len);
		column += len;
		s += len;
	}
	textbuf__puts(out, "]\n");
}

static void put_details(struct list *c, const struct listed_event *e)
{
	char *code = c->opts->details ? encoding(e) : NULL;

	if (code)
		textbuf__printf(&c->out, "        %s\n", code);
	free(code);
}

static void put_plain(struct list *c, const struct listed_event *e)
{
	char *format = c->opts->long_desc ? format_of(e) : NULL;

	textbuf__printf(&c->out, "  %-50s [%s]\n", e->name, type_names[e->kind]);
	if (format)
		put_wrapped(&c->out, format);
	free(format);
	put_details(c, e);
}

static void put_described(struct list *c, const struct listed_event *e)
{
	char *text = c->opts->desc ? description(c, e) : NULL, *whole;

	textbuf__printf(&c->out, "  %s\n", e->name);
	if (text) {
		whole = xasprintf("%s. Unit: %s", text, e->unit);
		put_wrapped(&c->out, whole);
		free(whole);
	}
	free(text);
	put_details(c, e);
}

/* Events with a description stand under their unit; the others in a line each. */
static void put_text(struct list *c)
{
	const char *unit = "";

	for (size_t i = 0; i < c->events.nr; i++)
		if (c->wanted.v[i] && !c->events.v[i].counts)
			put_plain(c, &c->events.v[i]);
	for (size_t i = 0; i < c->events.nr; i++) {
		const struct listed_event *e = &c->events.v[i];

		if (!c->wanted.v[i] || !e->counts)
			continue;
		if (strcmp(unit, e->unit))
			textbuf__printf(&c->out, "\n%s:\n", e->unit);
		unit = e->unit;
		put_described(c, e);
	}
}

static void put_member(struct textbuf *out, const char *key, const char *value, const char *first)
{
	if (!value)
		return;
	textbuf__puts(out, first);
	textbuf__printf(out, "\t\"%s\": ", key);
	textbuf__json_string(out, value);
}

static void put_object(struct list *c, const struct listed_event *e)
{
	char *text = description(c, e), *format = format_of(e), *code = encoding(e);

	textbuf__puts(&c->out, "{\n");
	put_member(&c->out, "Unit", e->unit, "");
	put_member(&c->out, "Topic", text ? e->unit : NULL, ",\n");
	put_member(&c->out, "EventName", e->name, ",\n");
	put_member(&c->out, "EventType", type_names[e->kind], ",\n");
	put_member(&c->out, "BriefDescription", text, ",\n");
	put_member(&c->out, "PublicDescription", format, ",\n");
	put_member(&c->out, "Encoding", code, ",\n");
	textbuf__puts(&c->out, "\n}");
	free(text);
	free(format);
	free(code);
}

static void put_json(struct list *c)
{
	const char *before = "\n";

	textbuf__puts(&c->out, "[");
	for (size_t i = 0; i < c->events.nr; i++)
		if (c->wanted.v[i]) {
			textbuf__puts(&c->out, before);
			put_object(c, &c->events.v[i]);
			before = ",\n";
		}
	textbuf__puts(&c->out, "\n]\n");
}

static void put_names(struct list *c)
{
	for (size_t i = 0; i < c->events.nr; i++)
		if (c->wanted.v[i] && c->events.v[i].kind < EVENT_RAW)
			textbuf__printf(&c->out, "%s ", c->events.v[i].name);
	textbuf__putc(&c->out, '\n');
}

/* Finds tracefs, or says why there are no tracepoints in the list. */
static void find_tracefs(const struct list *c)
{
	char path[PATH_MAX];
	struct error err = {};

	/* The shell's completion, which asks for names alone, is to mount and to print nothing. */
	if (c->opts->raw_dump || !tracefs__path(path, &err))
		return;
	error__prefix(&err, "tracepoints are not listed");
	pr_warn("%s\n", err.text);
}

static int open_output(struct list *c)
{
	struct error err = {};
	int fd;

	if (!c->opts->output) {
		pager__textbuf(&c->out);
		return 0;
	}
	fd = output_file__open(c->opts->output, OUTPUT_FILE_AS_NAMED, 0666, &err);
	if (fd < 0) {
		pr_err("%s\n", err.text);
		return fd;
	}
	textbuf__init(&c->out, fd);
	return 0;
}

static int close_output(struct list *c)
{
	int ret = textbuf__flush(&c->out);

	if (c->opts->output && close(c->out.fd) && !ret)
		ret = -errno;
	if (ret && ret != -EPIPE)
		pr_err("cannot write %s: %s\n", c->opts->output ?: "the list", strerror(-ret));
	textbuf__free(&c->out);
	return ret;
}

int list__run(const struct list_opts *opts)
{
	struct list c = { .opts = opts };
	int ret;

	find_tracefs(&c);
	choose(&c);
	ret = open_output(&c);
	if (!ret) {
		if (opts->json)
			put_json(&c);
		else if (opts->raw_dump)
			put_names(&c);
		else
			put_text(&c);
		ret = close_output(&c);
	}
	all_events__free(&c.events);
	vec__free(&c.wanted);
	return ret ? 1 : 0;
}
