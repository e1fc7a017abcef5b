// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processed format of profiler.firefox.com, version 60, which newer ones read: tables of
 * frames, functions and stacks that all threads share, as a list for each column. Each event of a
 * thread is a thread of its own; weights are time where the event counts that, else samples.
 */
#include <stdlib.h>

#include "../off-cpu/wait.h"
#include "../text/json.h"
#include "formats.h"
#include "series.h"
#include "string-numbers.h"

#define VERSION 60
#define ADDRESS_MAX UINT32_MAX /* what newer versions of the reader have room for */

enum { CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_MARK };

struct gecko {
	struct export *x;
	struct series_set set;
	struct string_numbers strings, sources;
	VEC(u32) native_of;       /* by function: number in nativeSymbols + 1 */
	u32 nr_natives;
};

static void *gecko__begin(struct export *x)
{
	struct gecko *w = xzalloc(sizeof(*w));

	w->x = x;
	return w;
}

static void gecko__sample(void *ctx, const struct export_sample *s)
{
	struct gecko *w = ctx;

	series_set__add(&w->set, s);
}

/* What stands at a place of a column. */
typedef void (*cell_fn)(struct gecko *w, u32 i);

/* Puts `"key":[...]`, the cells from 1 to @nr - 1. */
static void put_column(struct gecko *w, const char *key, u32 nr, cell_fn cell)
{
	struct textbuf *tb = w->x->out;

	textbuf__json_key(tb, key);
	textbuf__putc(tb, '[');
	for (u32 i = 1; i < nr; i++) {
		if (i > 1)
			textbuf__putc(tb, ',');
		cell(w, i);
	}
	textbuf__putc(tb, ']');
}

static void begin_table(struct gecko *w, const char *key, u32 nr)
{
	textbuf__json_key(w->x->out, key);
	textbuf__puts(w->x->out, "{\"length\":");
	textbuf__dec(w->x->out, nr - 1, 0);
}

static void put_or_null(struct gecko *w, bool there, u64 v)
{
	if (there)
		textbuf__dec(w->x->out, v, 0);
	else
		textbuf__puts(w->x->out, "null");
}

static void null_cell(struct gecko *w, u32 i __unused_arg)
{
	textbuf__puts(w->x->out, "null");
}

static void zero_cell(struct gecko *w, u32 i __unused_arg)
{
	textbuf__putc(w->x->out, '0');
}

static void one_cell(struct gecko *w, u32 i __unused_arg)
{
	textbuf__putc(w->x->out, '1');
}

static void false_cell(struct gecko *w, u32 i __unused_arg)
{
	textbuf__puts(w->x->out, "false");
}

static void node_frame(struct gecko *w, u32 i)
{
	textbuf__dec(w->x->out, w->x->table.nodes.v[i].frame - 1, 0);
}

static void node_parent(struct gecko *w, u32 i)
{
	u32 parent = w->x->table.nodes.v[i].parent;

	put_or_null(w, parent, (u64)parent - 1);
}

static void frame_address(struct gecko *w, u32 i)
{
	u64 addr = w->x->table.frames.v[i].addr;

	if (addr && addr <= ADDRESS_MAX)
		textbuf__dec(w->x->out, addr, 0);
	else
		textbuf__puts(w->x->out, "-1");
}

static void frame_inlined(struct gecko *w, u32 i)
{
	textbuf__dec(w->x->out, w->x->table.frames.v[i].inlined, 0);
}

static void frame_category(struct gecko *w, u32 i)
{
	const struct export_function *f = stack_table__function(&w->x->table, i);

	textbuf__dec(w->x->out, f->is_mark ? CATEGORY_MARK :
		     f->kernel ? CATEGORY_KERNEL : CATEGORY_USER, 0);
}

static void frame_function(struct gecko *w, u32 i)
{
	textbuf__dec(w->x->out, w->x->table.frames.v[i].function - 1, 0);
}

static void frame_native(struct gecko *w, u32 i)
{
	u32 native = w->native_of.v[w->x->table.frames.v[i].function];

	put_or_null(w, native, (u64)native - 1);
}

static void frame_line(struct gecko *w, u32 i)
{
	put_or_null(w, w->x->table.frames.v[i].line, w->x->table.frames.v[i].line);
}

static void function_name(struct gecko *w, u32 i)
{
	textbuf__dec(w->x->out,
		     string_numbers__of(&w->strings, w->x->table.functions.v[i].name), 0);
}

static void function_resource(struct gecko *w, u32 i)
{
	u32 module = w->x->table.functions.v[i].module;

	if (module)
		textbuf__dec(w->x->out, module - 1, 0);
	else
		textbuf__puts(w->x->out, "-1");
}

static void module_number(struct gecko *w, u32 i)
{
	textbuf__dec(w->x->out, i - 1, 0);
}

static void module_name(struct gecko *w, u32 i)
{
	const struct dso *dso = w->x->table.modules.v[i].dso;

	textbuf__dec(w->x->out, string_numbers__of(&w->strings,
		     stack_table__name(&w->x->table, dso->short_name)), 0);
}

static void put_stacks(struct gecko *w)
{
	u32 nr = w->x->table.nodes.nr;

	begin_table(w, "stackTable", nr);
	put_column(w, "frame", nr, node_frame);
	put_column(w, "prefix", nr, node_parent);
	textbuf__putc(w->x->out, '}');
}

static void put_frames(struct gecko *w)
{
	u32 nr = w->x->table.frames.nr;

	begin_table(w, "frameTable", nr);
	put_column(w, "address", nr, frame_address);
	put_column(w, "inlineDepth", nr, frame_inlined);
	put_column(w, "category", nr, frame_category);
	put_column(w, "subcategory", nr, zero_cell);
	put_column(w, "func", nr, frame_function);
	put_column(w, "nativeSymbol", nr, frame_native);
	put_column(w, "innerWindowID", nr, null_cell);
	put_column(w, "line", nr, frame_line);
	put_column(w, "column", nr, null_cell);
	textbuf__putc(w->x->out, '}');
}

/* Files belong to functions there: that of the first line is taken. */
static void put_functions(struct gecko *w)
{
	const struct stack_table *t = &w->x->table;
	u32 nr = t->functions.nr;
	u32 *source = xcalloc(nr, sizeof(*source));
	struct textbuf *tb = w->x->out;

	for (u32 i = 1; i < t->frames.nr; i++)
		if (*t->frames.v[i].file && !source[t->frames.v[i].function])
			source[t->frames.v[i].function] =
				string_numbers__of(&w->sources, t->frames.v[i].file) + 1;
	begin_table(w, "funcTable", nr);
	put_column(w, "name", nr, function_name);
	put_column(w, "isJS", nr, false_cell);
	put_column(w, "relevantForJS", nr, false_cell);
	put_column(w, "resource", nr, function_resource);
	textbuf__puts(tb, ",\"source\":[");
	for (u32 i = 1; i < nr; i++) {
		if (i > 1)
			textbuf__putc(tb, ',');
		put_or_null(w, source[i], (u64)source[i] - 1);
	}
	textbuf__putc(tb, ']');
	put_column(w, "lineNumber", nr, null_cell);
	put_column(w, "columnNumber", nr, null_cell);
	textbuf__putc(tb, '}');
	free(source);
}

static void put_resources(struct gecko *w)
{
	u32 nr = w->x->table.modules.nr;

	begin_table(w, "resourceTable", nr);
	put_column(w, "lib", nr, module_number);
	put_column(w, "name", nr, module_name);
	put_column(w, "host", nr, null_cell);
	put_column(w, "type", nr, one_cell);
	textbuf__putc(w->x->out, '}');
}

static void number_natives(struct gecko *w)
{
	const struct stack_table *t = &w->x->table;

	vec__reserve(&w->native_of, t->functions.nr);
	for (u32 i = 0; i < t->functions.nr; i++) {
		const struct export_function *f = &t->functions.v[i];
		bool is = f->module && f->start && f->start <= ADDRESS_MAX;

		w->native_of.v[i] = is ? ++w->nr_natives : 0;
	}
}

typedef void (*native_fn)(struct gecko *w, const struct export_function *f);

static void put_native_column(struct gecko *w, const char *key, native_fn cell)
{
	const struct stack_table *t = &w->x->table;
	bool first = true;

	textbuf__json_key(w->x->out, key);
	textbuf__putc(w->x->out, '[');
	for (u32 i = 1; i < t->functions.nr; i++) {
		if (!w->native_of.v[i])
			continue;
		if (!first)
			textbuf__putc(w->x->out, ',');
		first = false;
		cell(w, &t->functions.v[i]);
	}
	textbuf__putc(w->x->out, ']');
}

static void native_lib(struct gecko *w, const struct export_function *f)
{
	textbuf__dec(w->x->out, f->module - 1, 0);
}

static void native_address(struct gecko *w, const struct export_function *f)
{
	textbuf__dec(w->x->out, f->start, 0);
}

static void native_name(struct gecko *w, const struct export_function *f)
{
	textbuf__dec(w->x->out, string_numbers__of(&w->strings, f->name), 0);
}

static void native_size(struct gecko *w, const struct export_function *f __unused_arg)
{
	textbuf__puts(w->x->out, "null");
}

static void put_natives(struct gecko *w)
{
	begin_table(w, "nativeSymbols", w->nr_natives + 1);
	put_native_column(w, "libIndex", native_lib);
	put_native_column(w, "address", native_address);
	put_native_column(w, "name", native_name);
	put_native_column(w, "functionSize", native_size);
	textbuf__putc(w->x->out, '}');
}

static void put_strings(struct gecko *w, const char *key, const struct string_numbers *n)
{
	struct textbuf *tb = w->x->out;

	textbuf__json_key(tb, key);
	textbuf__putc(tb, '[');
	for (size_t i = 0; i < n->v.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		textbuf__json_string(tb, n->v.v[i]);
	}
	textbuf__putc(tb, ']');
}

static void put_sources(struct gecko *w)
{
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, ",\"sources\":{\"length\":");
	textbuf__dec(tb, w->sources.v.nr, 0);
	textbuf__puts(tb, ",\"id\":[");
	for (size_t i = 0; i < w->sources.v.nr; i++)
		textbuf__puts(tb, i ? ",null" : "null");
	textbuf__puts(tb, "],\"filename\":[");
	for (size_t i = 0; i < w->sources.v.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		textbuf__dec(tb, string_numbers__of(&w->strings, w->sources.v.v[i]), 0);
	}
	textbuf__puts(tb, "]}");
}

/* Names of other tables are among the strings, which come last. */
static void put_shared(struct gecko *w)
{
	struct textbuf *tb = w->x->out;

	number_natives(w);
	textbuf__puts(tb, ",\n\"shared\":{\"x-perf\":true");
	put_stacks(w);
	put_frames(w);
	put_functions(w);
	put_resources(w);
	put_natives(w);
	put_sources(w);
	put_strings(w, "stringArray", &w->strings);
	textbuf__putc(tb, '}');
}

/* The first eight bytes are three little-endian numbers there; an age of 0 follows. */
static void put_breakpad_id(struct textbuf *tb, const struct build_id *id)
{
	static const u8 order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };

	textbuf__puts(tb, ",\"breakpadId\":\"");
	for (u32 i = 0; i < ARRAY_SIZE(order) && id->size; i++)
		textbuf__printf(tb, "%02X", order[i] < id->size ? id->data[order[i]] : 0);
	textbuf__puts(tb, id->size ? "0\"" : "\"");
}

static void put_libs(struct gecko *w)
{
	struct stack_table *t = &w->x->table;
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, ",\n\"libs\":[");
	for (u32 i = 1; i < t->modules.nr; i++) {
		const struct export_module *m = &t->modules.v[i];
		const char *name = stack_table__name(t, m->dso->short_name);

		textbuf__puts(tb, i > 1 ? ",{\"arch\":" : "{\"arch\":");
		textbuf__json_string(tb, w->x->recording->arch ?: "");
		textbuf__json_text(tb, "name", name);
		textbuf__json_text(tb, "path", m->name);
		textbuf__json_text(tb, "debugName", name);
		textbuf__json_text(tb, "debugPath", m->name);
		put_breakpad_id(tb, &m->dso->build_id);
		textbuf__json_text(tb, "codeId", *m->build_id ? m->build_id : NULL);
		textbuf__putc(tb, '}');
	}
	textbuf__putc(tb, ']');
}

/* ns as ms with all digits. */
static void put_ms(struct textbuf *tb, u64 ns)
{
	textbuf__dec(tb, ns / 1000000, 0);
	if (!(ns % 1000000))
		return;
	textbuf__putc(tb, '.');
	textbuf__dec0(tb, ns % 1000000, 6);
}

static void put_meta(struct gecko *w, const char *words)
{
	const struct recording *rec = w->x->recording;
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, "{\"meta\":{\"interval\":1,\"startTime\":0,\"processType\":0,"
		      "\"product\":\"perf\",\"stackwalk\":1,\"version\":31,\"symbolicated\":true,"
		      "\"sourceCodeIsNotOnSearchfox\":true,\"usesOnlyOneStackType\":true,"
		      "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		      "\"threadCPUDelta\":\"ns\"},\"markerSchema\":[],\"categories\":["
		      "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		      "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		      "{\"name\":\"Not whole\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}]");
	textbuf__json_number(tb, "preprocessedProfileVersion", VERSION);
	textbuf__json_text(tb, "importedFrom", "perf data convert");
	textbuf__json_text(tb, "oscpu", rec->osrelease);
	textbuf__json_text(tb, "abi", rec->arch);
	textbuf__json_text(tb, "CPUName", rec->cpudesc);
	if (*words) {
		textbuf__puts(tb, ",\"extra\":[{\"label\":\"Stacks\",\"entries\":[{\"label\":"
			      "\"Completeness\",\"format\":\"string\"");
		textbuf__json_text(tb, "value", words);
		textbuf__puts(tb, "}]}]");
	}
	textbuf__putc(tb, '}');
}

static void put_weights(struct gecko *w, const struct series *s)
{
	struct textbuf *tb = w->x->out;

	if (!evsel__counts_time(w->x->recording->events.v[s->event])) {
		textbuf__puts(tb, ",\"weight\":null,\"weightType\":\"samples\"");
		return;
	}
	textbuf__puts(tb, ",\"weightType\":\"tracing-ms\",\"weight\":[");
	for (size_t i = 0; i < s->points.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		put_ms(tb, s->points.v[i].period);
	}
	textbuf__putc(tb, ']');
}

/* What the profiler sorts tracks by: how long the thread was on a CPU for each sample, in ns. */
static void put_cpu_time(struct gecko *w, const struct series *s)
{
	const struct evsel *ev = w->x->recording->events.v[s->event];
	struct textbuf *tb = w->x->out;

	if (!evsel__counts_time(ev) || evsel__is_off_cpu(ev))
		return;
	textbuf__json_key(tb, "threadCPUDelta");
	series__put_periods(s, tb);
}

static void put_samples(struct gecko *w, const struct series *s)
{
	struct textbuf *tb = w->x->out;

	textbuf__puts(tb, ",\"samples\":{\"length\":");
	textbuf__dec(tb, s->points.nr, 0);
	put_weights(w, s);
	put_cpu_time(w, s);
	textbuf__puts(tb, ",\"stack\":[");
	for (size_t i = 0; i < s->points.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		put_or_null(w, s->points.v[i].node, (u64)s->points.v[i].node - 1);
	}
	textbuf__puts(tb, "],\"time\":[");
	for (size_t i = 0; i < s->points.nr; i++) {
		if (i)
			textbuf__putc(tb, ',');
		put_ms(tb, s->points.v[i].time - w->x->first_time);
	}
	textbuf__puts(tb, "]}");
}

static void put_thread(struct gecko *w, const struct series *s, bool events)
{
	const struct evsel *ev = w->x->recording->events.v[s->event];
	struct textbuf *tb = w->x->out;
	char *name = events ? xasprintf("%s (%s)", s->comm, ev->name) : xstrdup(s->comm);

	textbuf__puts(tb, "{\"processType\":\"default\",\"processStartupTime\":0,"
		      "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		      "\"pausedRanges\":[]");
	textbuf__json_text(tb, "processName", s->comm);
	textbuf__json_text(tb, "name", name);
	textbuf__json_bool(tb, "isMainThread", s->pid == s->tid);
	textbuf__printf(tb, ",\"pid\":\"%d\",\"tid\":%d", (int)s->pid, (int)s->tid);
	put_samples(w, s);
	textbuf__puts(tb, ",\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],"
		      "\"endTime\":[],\"phase\":[],\"category\":[]}}");
	free(name);
}

static void gecko__end(void *ctx, const char *words)
{
	struct gecko *w = ctx;
	struct textbuf *tb = w->x->out;
	u32 nr = 0;

	for (size_t i = 0; i < w->x->recording->events.nr; i++)
		nr += !!w->x->counts[i];
	put_meta(w, words);
	put_libs(w);
	put_shared(w);
	textbuf__puts(tb, ",\n\"threads\":[");
	for (size_t i = 0; i < w->set.v.nr; i++) {
		if (i)
			textbuf__puts(tb, ",\n");
		put_thread(w, &w->set.v.v[i], nr > 1);
	}
	textbuf__puts(tb, "]}\n");
}

static void gecko__free(void *ctx)
{
	struct gecko *w = ctx;

	series_set__free(&w->set);
	string_numbers__free(&w->strings);
	string_numbers__free(&w->sources);
	vec__free(&w->native_of);
	free(w);
}

const struct export_format export_gecko = {
	.name = "gecko", .suffix = "gecko.json", .help = "JSON for profiler.firefox.com",
	.by_address = true, .marks = true,
	.begin = gecko__begin, .sample = gecko__sample, .end = gecko__end, .free = gecko__free,
};
