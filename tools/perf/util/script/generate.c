// SPDX-License-Identifier: GPL-2.0-only
#include "generate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../data/tracepoint-fields.h"

static const char head[] =
	"# Made by perf script -g python: prints all that there is. Change it to your needs;\n"
	"# what functions get is told by perf-script-python(1).\n"
	"import os\n"
	"import sys\n"
	"\n"
	"sys.path.append(os.environ['PERF_EXEC_PATH'] +\n"
	"                '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')\n"
	"from perf_trace_context import *\n"
	"from Core import *\n"
	"from Util import *\n"
	"\n"
	"\n"
	"def trace_begin():\n"
	"    print('the first sample follows')\n"
	"\n"
	"\n"
	"def trace_end():\n"
	"    print('that was the last sample')\n"
	"\n"
	"\n"
	"def print_frames(callchain):\n"
	"    for frame in callchain:\n"
	"        name = frame['sym']['name'] if 'sym' in frame else '[unknown]'\n"
	"        print('    %16x %s (%s)' % (frame['ip'], name, frame.get('dso', '[unknown]')))\n";

static const char general[] =
	"\n"
	"\n"
	"def process_event(sample):\n"
	"    s = sample['sample']\n"
	"    print('%-16s %7d/%-7d [%03d] %s: %s' % (sample['comm'], s['pid'], s['tid'],\n"
	"          s['cpu'] & 0xffff, nsecs_str(s['time'])[0], sample['ev_name']))\n"
	"    print_frames(sample['callchain'])\n";

static const char unhandled[] =
	"\n"
	"\n"
	"def trace_unhandled(event_name, context, fields):\n"
	"    print(event_name, fields)\n";

/* Words that cannot be names in Python, or are names of the arguments in front of the fields. */
static bool is_taken(const char *name)
{
	static const char *const words[] = {
		"and", "as", "assert", "async", "await", "break", "class", "continue", "def",
		"del", "elif", "else", "except", "finally", "for", "from", "global", "if",
		"import", "in", "is", "lambda", "None", "nonlocal", "not", "or", "pass", "raise",
		"return", "True", "False", "try", "while", "with", "yield", "event_name",
		"context", "common_cpu", "common_secs", "common_nsecs", "common_pid",
		"common_comm", "common_callchain", "print", "print_frames", "symbol_str",
		"flag_str",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], name))
			return true;
	return false;
}

static bool is_name(const char *s)
{
	if (!s || !*s || isdigit((unsigned char)*s))
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_')
			return false;
	return true;
}

/* What a field is called as an argument: names come from the recording, and are not code. */
static void put_argument(struct textbuf *tb, const struct traced_event *e, u32 i)
{
	const char *name = e->fields[i].name;
	bool again = false;

	for (u32 j = 0; j < i; j++)
		again = again || (e->fields[j].name && name && !strcmp(e->fields[j].name, name));
	if (!is_name(name) || is_taken(name) || again)
		textbuf__printf(tb, "field_%u", i);
	else
		textbuf__puts(tb, name);
}

/* Which fields have names of values. */
struct named_fields {
	const struct traced_event *event;
	u8 *kinds; /* by field: 'f' flags, 's' symbols, 0 neither */
};

static void note_field(void *ctx, const char *field, const char *delim)
{
	struct named_fields *n = ctx;

	for (u32 i = 0; i < n->event->nr; i++)
		if (n->event->fields[i].name && !strcmp(n->event->fields[i].name, field))
			n->kinds[i] = delim ? 'f' : 's';
}

static void note_value(void *ctx, const char *field, bool is_flag, u64 value, const char *name)
{
}

static void put_value(struct textbuf *tb, const struct traced_event *e, u32 i, u8 kind)
{
	bool plain = e->fields[i].is_array || !is_name(e->fields[i].name);

	if (kind && !plain)
		textbuf__printf(tb, "%s('%s__%s', '%s', ", kind == 'f' ? "flag_str" : "symbol_str",
				e->system, e->name, e->fields[i].name);
	put_argument(tb, e, i);
	textbuf__puts(tb, kind && !plain ? ")" : "");
}

static void put_function(struct textbuf *tb, const struct traced_event *e, const u8 *kinds)
{
	textbuf__printf(tb, "\n\ndef %s__%s(event_name, context, common_cpu, common_secs, "
			"common_nsecs,\n        common_pid, common_comm, common_callchain",
			e->system, e->name);
	for (u32 i = 0; i < e->nr; i++) {
		textbuf__puts(tb, i % 6 ? ", " : ",\n        ");
		put_argument(tb, e, i);
	}
	textbuf__puts(tb, "):\n    print('%-16s %7d [%03d] %5d.%09d: %s:' % (common_comm, "
		      "common_pid, common_cpu,\n          common_secs, common_nsecs, "
		      "event_name), end='')\n");
	for (u32 i = 0; i < e->nr; i++) {
		textbuf__puts(tb, "    print(' ");
		put_argument(tb, e, i);
		textbuf__puts(tb, "=%s' % ");
		/* A tuple of one: bytes would be taken for several values. */
		textbuf__puts(tb, "(");
		put_value(tb, e, i, kinds[i]);
		textbuf__puts(tb, ",), end='')\n");
	}
	textbuf__puts(tb, "    print()\n    print_frames(common_callchain)\n");
}

static void put_tracepoint(struct textbuf *tb, const struct tracepoints *t, u64 id)
{
	struct traced_event *e = traced_event__new(t, id);
	struct named_fields named = { .event = e };
	struct traced_names names = { .ctx = &named, .field = note_field, .value = note_value };

	if (e && is_name(e->system) && is_name(e->name)) {
		named.kinds = xzalloc(e->nr + 1);
		traced_event__names(t, id, &names);
		put_function(tb, e, named.kinds);
		free(named.kinds);
	}
	free(e);
}

void textbuf__python_script(struct textbuf *tb, const struct recording *r)
{
	struct tracepoints *t = tracepoints__new(r);
	bool others = false;

	textbuf__puts(tb, head);
	for (size_t i = 0; i < r->events.nr; i++) {
		const struct perf_event_attr *attr = &r->events.v[i]->attr;

		if (attr->type == PERF_TYPE_TRACEPOINT)
			put_tracepoint(tb, t, attr->config);
		else
			others = true;
	}
	if (others)
		textbuf__puts(tb, general);
	textbuf__puts(tb, unhandled);
	tracepoints__free(t);
}
