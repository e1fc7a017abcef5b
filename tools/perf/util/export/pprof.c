// SPDX-License-Identifier: GPL-2.0-only
/*
 * profile.proto. A location is an address with a line for each function there, the inlined ones
 * first; addresses are those of ELF files, so that a mapping begins at 0. Each event has two
 * values: samples, and what they stand for. Messages of the whole may come in any order and are
 * written as they are made; only strings are numbered first.
 */
#include <stdlib.h>

#include "formats.h"
#include "gzip-out.h"
#include "proto.h"
#include "stack-path.h"
#include "string-numbers.h"
#include "sums.h"
#include "wall-clock.h"

/* Numbers of fields. */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3, PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5, PROFILE_STRING = 6, PROFILE_TIME = 9, PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12, PROFILE_COMMENT = 13, PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1, TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3,
	LABEL_KEY = 1, LABEL_STRING = 2, LABEL_NUMBER = 3,
	MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_BUILD_ID = 6, MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8, MAPPING_HAS_LINES = 9, MAPPING_HAS_INLINES = 10,
	LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4,
	LINE_FUNCTION = 1, LINE_LINE = 2,
	FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4,
	FUNCTION_START_LINE = 5,
};

#define CHUNK (1 << 20)

struct pprof {
	struct export *x;
	struct sums sums;
	struct textbuf tb, message, part; /* what is to be compressed; a message; one inside it */
	struct gzip_out *gzip;
	struct string_numbers strings;    /* without the empty one, which is number 0 */
	struct location_list locations;   /* of the last stack */
	struct textbuf labels;            /* messages of all labels, one after another */
	VEC(size_t) labels_end;           /* by number of labels */
	VEC(bool) has_location;           /* by frame */
	const char **files;               /* by function */
};

static void *pprof__begin(struct export *x)
{
	struct pprof *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sums.kept = -1;
	textbuf__init(&w->tb, -1);
	textbuf__init(&w->message, -1);
	textbuf__init(&w->part, -1);
	textbuf__init(&w->labels, -1);
	return w;
}

static void pprof__sample(void *ctx, const struct export_sample *s)
{
	struct pprof *w = ctx;

	sums__count(&w->sums, s);
}

/* Number 0 is the empty string. */
static u64 string_of(struct pprof *w, const char *s)
{
	return *s ? string_numbers__of(&w->strings, arena__intern(w->x->table.arena, s)) + 1 : 0;
}

/* To be called when a message of the profile is done. */
static void compress_some(struct pprof *w)
{
	if (w->tb.len < CHUNK)
		return;
	gzip_out__put(w->gzip, w->tb.buf, w->tb.len);
	w->tb.len = 0;
}

static void put_message(struct pprof *w, u32 field)
{
	proto__message(&w->tb, field, &w->message);
	compress_some(w);
}

static void put_type(struct pprof *w, u32 field, const char *type, const char *unit)
{
	proto__number(&w->message, TYPE_TYPE, string_of(w, type));
	proto__number(&w->message, TYPE_UNIT, string_of(w, unit));
	put_message(w, field);
}

static bool is_shown(const struct pprof *w, size_t event)
{
	return w->x->counts[event];
}

static const char *event_name(struct pprof *w, size_t event)
{
	return stack_table__name(&w->x->table, w->x->recording->events.v[event]->name);
}

static void put_types(struct pprof *w)
{
	const struct recording *rec = w->x->recording;
	size_t nr = 0, first = 0;
	char *text;

	for (size_t i = rec->events.nr; i-- > 0;) {
		nr += is_shown(w, i);
		first = is_shown(w, i) ? i : first;
	}
	for (size_t i = 0; i < rec->events.nr; i++) {
		if (!is_shown(w, i))
			continue;
		text = nr == 1 ? xstrdup("samples") : xasprintf("%s:samples", event_name(w, i));
		put_type(w, PROFILE_SAMPLE_TYPE, text, "count");
		put_type(w, PROFILE_SAMPLE_TYPE, event_name(w, i), evsel__unit(rec->events.v[i]));
		free(text);
	}
	if (!nr) {
		put_type(w, PROFILE_SAMPLE_TYPE, "samples", "count");
		return;
	}
	put_type(w, PROFILE_PERIOD_TYPE, event_name(w, first), evsel__unit(rec->events.v[first]));
	proto__number(&w->tb, PROFILE_DEFAULT_TYPE, string_of(w, event_name(w, first)));
	proto__number(&w->tb, PROFILE_PERIOD, evsel__mean_period(rec->events.v[first]));
}

static void put_line(struct pprof *w, u32 frame)
{
	const struct export_frame *f = &w->x->table.frames.v[frame];

	proto__number(&w->part, LINE_FUNCTION, f->function);
	proto__number(&w->part, LINE_LINE, f->line);
	proto__message(&w->message, LOCATION_LINE, &w->part);
}

/* The number of a location is that of its innermost frame. */
static u32 put_location(void *ctx, u32 node, u32 caller)
{
	struct pprof *w = ctx;
	const struct stack_table *t = &w->x->table;
	u32 frame = t->nodes.v[node].frame;
	const struct export_function *f = stack_table__function(t, frame);

	if (w->has_location.v[frame])
		return frame;
	w->has_location.v[frame] = true;
	proto__number(&w->message, LOCATION_ID, frame);
	proto__number(&w->message, LOCATION_MAPPING, f->module);
	proto__number(&w->message, LOCATION_ADDRESS, t->frames.v[frame].addr);
	for (u32 n = node; n != caller; n = t->nodes.v[n].parent)
		put_line(w, t->nodes.v[n].frame);
	put_message(w, PROFILE_LOCATION);
	return frame;
}

static void put_label(struct pprof *w, const char *key, const char *text, u64 number)
{
	proto__number(&w->part, LABEL_KEY, string_of(w, key));
	if (text)
		proto__number(&w->part, LABEL_STRING, string_of(w, text));
	else
		proto__number(&w->part, LABEL_NUMBER, number);
	proto__message(&w->labels, SAMPLE_LABEL, &w->part);
}

/* Labels are those of many samples: their messages are made once. */
static void make_labels(struct pprof *w)
{
	for (size_t i = 0; i < w->sums.labels.nr; i++) {
		const struct sum_labels *l = &w->sums.labels.v[i];

		put_label(w, "comm", l->comm, 0);
		put_label(w, "pid", NULL, l->pid);
		put_label(w, "tid", NULL, l->tid);
		if (l->cpu != NO_ID)
			put_label(w, "cpu", NULL, l->cpu);
		put_label(w, "event", event_name(w, l->event), 0);
		put_label(w, "user_stack", l->stack, 0);
		if (l->activity)
			put_label(w, "activity", l->activity, 0);
		*vec__push(&w->labels_end) = w->labels.len;
	}
}

static void make_values(struct pprof *w, const struct sum *sum, u32 event)
{
	for (size_t i = 0; i < w->x->recording->events.nr; i++)
		if (is_shown(w, i)) {
			proto__varint(&w->part, i == event ? sum->nr : 0);
			proto__varint(&w->part, i == event ? sum->period : 0);
		}
}

static void put_sample(struct pprof *w, const struct sum *sum)
{
	size_t from = sum->labels ? w->labels_end.v[sum->labels - 1] : 0;
	size_t labels = w->labels_end.v[sum->labels] - from;

	location_list__go(&w->locations, &w->x->table, sum->node, put_location, w);
	make_values(w, sum, w->sums.labels.v[sum->labels].event);
	proto__start(&w->tb, PROFILE_SAMPLE,
		     proto__bytes_size(SAMPLE_LOCATION, w->locations.size) +
		     proto__bytes_size(SAMPLE_VALUE, w->part.len) + labels);
	proto__bytes(&w->tb, SAMPLE_LOCATION, location_list__bytes(&w->locations),
		     w->locations.size);
	proto__message(&w->tb, SAMPLE_VALUE, &w->part);
	textbuf__put(&w->tb, w->labels.buf + from, labels);
	compress_some(w);
}

static void put_function(struct pprof *w, u32 nr)
{
	const struct export_function *f = &w->x->table.functions.v[nr];
	struct source_line begin;

	stack_table__source(&w->x->table, f, &begin);
	proto__number(&w->message, FUNCTION_ID, nr);
	proto__number(&w->message, FUNCTION_NAME, string_of(w, f->name));
	proto__number(&w->message, FUNCTION_SYSTEM_NAME, string_of(w, f->name));
	if (w->files[nr])
		proto__number(&w->message, FUNCTION_FILE, string_of(w, w->files[nr]));
	proto__number(&w->message, FUNCTION_START_LINE, begin.line);
	put_message(w, PROFILE_FUNCTION);
}

/* What is known need not be looked for by the reader, on a machine that may have other files. */
static void put_mapping(struct pprof *w, u32 nr)
{
	const struct export_module *m = &w->x->table.modules.v[nr];

	proto__number(&w->message, MAPPING_ID, nr);
	proto__number(&w->message, MAPPING_FILE, string_of(w, m->name));
	proto__number(&w->message, MAPPING_BUILD_ID, string_of(w, m->build_id));
	proto__number(&w->message, MAPPING_HAS_FUNCTIONS, true);
	proto__number(&w->message, MAPPING_HAS_FILES, m->has_lines);
	proto__number(&w->message, MAPPING_HAS_LINES, m->has_lines);
	proto__number(&w->message, MAPPING_HAS_INLINES, symbols__has_inlines(w->x->table.symbols));
	put_message(w, PROFILE_MAPPING);
}

/* The first mapping is the name of the whole: that of a program, if there is one. */
static void put_mappings(struct pprof *w)
{
	const struct stack_table *t = &w->x->table;
	u32 first = 0;

	for (u32 i = t->modules.nr; i-- > 1;)
		if (t->modules.v[i].dso->kind == DSO_USER && !strstr(t->modules.v[i].name, ".so"))
			first = i;
	if (first)
		put_mapping(w, first);
	for (u32 i = 1; i < t->modules.nr; i++)
		if (i != first)
			put_mapping(w, i);
}

static void put_comment(struct pprof *w, const char *words)
{
	for (const char *end; *words; words = end + !!*end) {
		end = strchrnul(words, '\n');
		proto__number(&w->tb, PROFILE_COMMENT,
			      string_of(w, arena__intern_n(w->x->table.arena, words, end - words)));
	}
}

static void put_strings(struct pprof *w)
{
	proto__bytes(&w->tb, PROFILE_STRING, "", 0);
	for (size_t i = 0; i < w->strings.v.nr; i++)
		proto__bytes(&w->tb, PROFILE_STRING, w->strings.v.v[i], strlen(w->strings.v.v[i]));
}

static void pprof__end(void *ctx, const char *words)
{
	struct pprof *w = ctx;
	const struct stack_table *t = &w->x->table;

	vec__reserve(&w->has_location, t->frames.nr);
	memset(w->has_location.v, 0, t->frames.nr * sizeof(*w->has_location.v));
	w->files = stack_table__files(t);
	w->gzip = gzip_out__new(w->x->out);
	sums__by_stack(&w->sums, t);
	put_types(w);
	make_labels(w);
	for (size_t i = 0; i < w->sums.v.nr; i++) {
		stack_path__soon(t, sums__node_soon(&w->sums, i));
		put_sample(w, &w->sums.v.v[i]);
	}
	put_mappings(w);
	for (u32 i = 1; i < t->functions.nr; i++)
		put_function(w, i);
	proto__number(&w->tb, PROFILE_TIME, export__wall_clock(w->x, w->x->first_time));
	proto__number(&w->tb, PROFILE_DURATION, w->x->last_time - w->x->first_time);
	put_comment(w, words);
	put_strings(w);
	gzip_out__put(w->gzip, w->tb.buf, w->tb.len);
	gzip_out__end(w->gzip);
	w->gzip = NULL;
}

static void pprof__free(void *ctx)
{
	struct pprof *w = ctx;

	sums__free(&w->sums);
	textbuf__free(&w->tb);
	textbuf__free(&w->message);
	textbuf__free(&w->part);
	string_numbers__free(&w->strings);
	textbuf__free(&w->labels);
	vec__free(&w->labels_end);
	location_list__free(&w->locations);
	vec__free(&w->has_location);
	free(w->files);
	free(w);
}

const struct export_format export_pprof = {
	.name = "pprof", .suffix = "pb.gz", .help = "profile.proto with gzip, for pprof and stores",
	.by_address = true, .binary = true,
	.begin = pprof__begin, .sample = pprof__sample, .end = pprof__end, .free = pprof__free,
};
