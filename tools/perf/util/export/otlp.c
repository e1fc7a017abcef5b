// SPDX-License-Identifier: GPL-2.0-only
/*
 * ProfilesData of OpenTelemetry's protocol, package opentelemetry.proto.profiles.v1development as
 * of version 1.10 (Sample.values is field 4), which is also what an export request looks like. A
 * profile has one kind of value, so each event has two: samples, and what they stand for. All
 * tables are in one dictionary, where number 0 is always an empty item.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/version.h"
#include "formats.h"
#include "proto.h"
#include "stack-path.h"
#include "string-numbers.h"
#include "sums.h"
#include "wall-clock.h"

#define SCHEMA "https://opentelemetry.io/schemas/1.37.0"

/* Numbers of fields. */
enum {
	DATA_RESOURCE_PROFILES = 1, DATA_DICTIONARY = 2,
	RESOURCE_RESOURCE = 1, RESOURCE_SCOPES = 2, RESOURCE_SCHEMA = 3,
	SCOPE_SCOPE = 1, SCOPE_PROFILES = 2, SCOPE_SCHEMA = 3,
	PROFILE_TYPE = 1, PROFILE_SAMPLES = 2, PROFILE_TIME = 3, PROFILE_DURATION = 4,
	PROFILE_PERIOD_TYPE = 5, PROFILE_PERIOD = 6, PROFILE_ID = 7, PROFILE_ATTRIBUTES = 11,
	TYPE_TYPE = 1, TYPE_UNIT = 2,
	SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES = 2, SAMPLE_VALUES = 4,
	TABLE_MAPPING = 1, TABLE_LOCATION = 2, TABLE_FUNCTION = 3, TABLE_LINK = 4,
	TABLE_STRING = 5, TABLE_ATTRIBUTE = 6, TABLE_STACK = 7,
	MAPPING_FILE = 4, MAPPING_ATTRIBUTES = 5,
	LOCATION_MAPPING = 1, LOCATION_ADDRESS = 2, LOCATION_LINES = 3,
	LOCATION_ATTRIBUTES = 4,
	LINE_FUNCTION = 1, LINE_LINE = 2,
	FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME = 2, FUNCTION_FILE = 3,
	ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE = 2,
	VALUE_STRING = 1, VALUE_INT = 3,
	KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2, RESOURCE_ATTRIBUTES = 1,
	INSTRUMENTATION_NAME = 1, INSTRUMENTATION_VERSION = 2, STACK_LOCATIONS = 1,
};

/* Those of an event. */
enum { PERIODS, COUNTS, NR_PROFILES };

struct attribute {
	const char *key, *text;   /* text NULL: a number; both as string_of() has them */
	u64 number;
};

struct otlp {
	struct export *x;
	struct sums sums;
	struct string_numbers strings; /* without the empty one, number 0 */
	VEC(struct attribute) attributes;
	struct index attribute_index;
	u32 *location_of;         /* by frame: number in the table; 0: not there so far */
	u32 *stack_of;            /* by node, the same */
	u32 nr_locations, nr_stacks;
	struct location_list locations; /* of the last stack */
	struct textbuf lists;     /* of attributes, as fields of samples, one after another */
	VEC(size_t) lists_end;    /* by number of labels */
	const char **files;       /* by function */
	struct textbuf *profiles; /* NR_PROFILES of each event; empty without samples */
	size_t nr_profiles;
	struct textbuf dictionary, part, list;
};

static void *otlp__begin(struct export *x)
{
	struct otlp *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sums.kept = -1;
	w->nr_profiles = NR_PROFILES * x->recording->events.nr;
	w->profiles = xcalloc(w->nr_profiles, sizeof(*w->profiles));
	for (size_t i = 0; i < w->nr_profiles; i++)
		textbuf__init(&w->profiles[i], -1);
	textbuf__init(&w->dictionary, -1);
	textbuf__init(&w->part, -1);
	textbuf__init(&w->list, -1);
	textbuf__init(&w->lists, -1);
	return w;
}

static void otlp__sample(void *ctx, const struct export_sample *s)
{
	struct otlp *w = ctx;

	sums__count(&w->sums, s);
}

static const char *interned(struct otlp *w, const char *s)
{
	return arena__intern(w->x->table.arena, s);
}

static u64 string_of(struct otlp *w, const char *s)
{
	return *s ? string_numbers__of(&w->strings, interned(w, s)) + 1 : 0;
}

static const char *event_name(struct otlp *w, u32 event)
{
	return stack_table__name(&w->x->table, w->x->recording->events.v[event]->name);
}

/* Puts an AnyValue as field @field of @tb. */
static void put_value(struct textbuf *tb, u32 field, const char *text, u64 number)
{
	struct textbuf value;

	textbuf__init(&value, -1);
	if (text) {
		proto__bytes(&value, VALUE_STRING, text, strlen(text));
	} else {
		proto__varint(&value, VALUE_INT << 3); /* also when it is 0 */
		proto__varint(&value, number);
	}
	proto__message(tb, field, &value);
	textbuf__free(&value);
}

/* Returns the number of an attribute in the table. @key, @text: interned */
static u32 attribute_of(struct otlp *w, const char *key, const char *text, u64 number)
{
	struct attribute a = { key, text, number };
	u64 hash = hash_bytes(&a, sizeof(a));
	struct index_probe p;
	u32 i;

	for (i = index__first(&w->attribute_index, hash, &p); i;
	     i = index__next(&w->attribute_index, &p))
		if (!memcmp(&w->attributes.v[i - 1], &a, sizeof(a)))
			return i;
	*vec__push(&w->attributes) = a;
	index__add(&w->attribute_index, hash, w->attributes.nr);
	proto__number(&w->part, ATTRIBUTE_KEY, string_of(w, key));
	put_value(&w->part, ATTRIBUTE_VALUE, text, number);
	proto__message(&w->dictionary, TABLE_ATTRIBUTE, &w->part);
	return w->attributes.nr;
}

static void add_text(struct otlp *w, const char *key, const char *text)
{
	proto__varint(&w->list, attribute_of(w, interned(w, key), interned(w, text), 0));
}

static void add_number(struct otlp *w, const char *key, u64 number)
{
	proto__varint(&w->list, attribute_of(w, interned(w, key), NULL, number));
}

static void put_line(struct otlp *w, u32 frame)
{
	const struct export_frame *f = &w->x->table.frames.v[frame];
	struct textbuf line;

	textbuf__init(&line, -1);
	proto__number(&line, LINE_FUNCTION, f->function);
	proto__number(&line, LINE_LINE, f->line);
	proto__message(&w->part, LOCATION_LINES, &line);
	textbuf__free(&line);
}

/* Which kind of code it is; NULL: none, or of a runtime whose language is not known here. */
static const char *frame_type(const struct stack_table *t, u32 frame)
{
	const struct export_function *f = stack_table__function(t, frame);

	if (f->is_mark || !f->module)
		return NULL;
	if (f->kernel)
		return "kernel";
	return stack_table__is_of_runtime(t, t->frames.v[frame].function) ? NULL : "native";
}

/* Returns the number of the location that begins at @node, of the innermost function there. */
static u32 location_of(void *ctx, u32 node, u32 caller)
{
	struct otlp *w = ctx;
	const struct stack_table *t = &w->x->table;
	u32 frame = t->nodes.v[node].frame;
	const char *type = frame_type(t, frame);

	if (w->location_of[frame])
		return w->location_of[frame];
	if (type)
		add_text(w, "profile.frame.type", type);
	w->location_of[frame] = ++w->nr_locations;
	proto__number(&w->part, LOCATION_MAPPING, stack_table__function(t, frame)->module);
	proto__number(&w->part, LOCATION_ADDRESS, t->frames.v[frame].addr);
	for (u32 n = node; n != caller; n = t->nodes.v[n].parent)
		put_line(w, t->nodes.v[n].frame);
	if (w->list.len)
		proto__message(&w->part, LOCATION_ATTRIBUTES, &w->list);
	proto__message(&w->dictionary, TABLE_LOCATION, &w->part);
	return w->nr_locations;
}

static u32 stack_of(struct otlp *w, u32 node)
{
	if (!node || w->stack_of[node])
		return node ? w->stack_of[node] : 0;
	location_list__go(&w->locations, &w->x->table, node, location_of, w);
	w->stack_of[node] = ++w->nr_stacks;
	proto__bytes(&w->part, STACK_LOCATIONS, location_list__bytes(&w->locations),
		     w->locations.size);
	proto__message(&w->dictionary, TABLE_STACK, &w->part);
	return w->nr_stacks;
}

/* Labels are those of many samples: their lists are made once. */
static void make_lists(struct otlp *w)
{
	for (size_t i = 0; i < w->sums.labels.nr; i++) {
		const struct sum_labels *l = &w->sums.labels.v[i];

		add_text(w, "thread.name", l->comm);
		add_number(w, "process.pid", l->pid);
		add_number(w, "thread.id", l->tid);
		if (l->cpu != NO_ID)
			add_number(w, "cpu.logical_number", l->cpu);
		add_text(w, "perf.user_stack", l->stack);
		if (l->activity)
			add_text(w, "perf.activity", l->activity);
		proto__message(&w->lists, SAMPLE_ATTRIBUTES, &w->list);
		*vec__push(&w->lists_end) = w->lists.len;
	}
}

/* Puts a sample into a profile. @list: its attributes, a field */
static void put_sample(struct textbuf *tb, u32 stack, const char *list, size_t len, u64 value)
{
	size_t size = proto__varint_size(value);

	proto__start(tb, PROFILE_SAMPLES, proto__number_size(SAMPLE_STACK, stack) + len +
		     proto__bytes_size(SAMPLE_VALUES, size));
	proto__number(tb, SAMPLE_STACK, stack);
	textbuf__put(tb, list, len);
	proto__start(tb, SAMPLE_VALUES, size);
	proto__varint(tb, value);
}

/* Puts the samples of an event into its profiles, @p. */
static void put_samples(struct otlp *w, u32 event, struct textbuf *p)
{
	for (size_t i = 0; i < w->sums.v.nr; i++) {
		const struct sum *sum = &w->sums.v.v[i];
		size_t from = sum->labels ? w->lists_end.v[sum->labels - 1] : 0;
		size_t len = w->lists_end.v[sum->labels] - from;
		u32 stack;

		if (w->sums.labels.v[sum->labels].event != event)
			continue;
		stack_path__soon(&w->x->table, sums__node_soon(&w->sums, i));
		stack = stack_of(w, sum->node);
		put_sample(&p[PERIODS], stack, w->lists.buf + from, len, sum->period);
		put_sample(&p[COUNTS], stack, w->lists.buf + from, len, sum->nr);
	}
}

static void put_type(struct otlp *w, struct textbuf *profile, u32 field, const char *type,
		     const char *unit)
{
	proto__number(&w->part, TYPE_TYPE, string_of(w, type));
	proto__number(&w->part, TYPE_UNIT, string_of(w, unit));
	proto__message(profile, field, &w->part);
}

struct id {
	u64 v[2];
};

/* Two words at a time, each of which depends on the one two before only: half the time. */
static struct id hash_more(struct id id, const struct textbuf *tb)
{
	size_t at = 0;
	u64 words[2];

	for (; tb->len - at >= sizeof(words); at += sizeof(words)) {
		memcpy(words, tb->buf + at, sizeof(words));
		id.v[0] = hash_mix(id.v[0] ^ words[0]);
		id.v[1] = hash_mix(id.v[1] ^ words[1]);
	}
	id.v[0] = hash_mix(id.v[0] ^ hash_bytes_with(tb->len, tb->buf + at, tb->len - at));
	id.v[1] = hash_mix(id.v[1] ^ id.v[0]);
	id.v[0] = hash_mix(id.v[0] ^ id.v[1]);
	return id;
}

static void put_time(struct otlp *w, struct textbuf *profile)
{
	u64 time = export__wall_clock(w->x, w->x->first_time);

	if (time)
		proto__fixed64(profile, PROFILE_TIME, time);
}

/* Puts what follows the samples. @dictionary: its hash, so far */
static void end_profile(struct otlp *w, struct textbuf *profile, u32 event, struct id dictionary,
			const char *words)
{
	const struct evsel *ev = w->x->recording->events.v[event];
	struct id id = hash_more(dictionary, profile);

	/* The same for a profile that is written again: so a store knows one that it has. */
	proto__bytes(profile, PROFILE_ID, id.v, sizeof(id.v));
	put_time(w, profile);
	proto__number(profile, PROFILE_DURATION, w->x->last_time - w->x->first_time);
	put_type(w, profile, PROFILE_PERIOD_TYPE, event_name(w, event), evsel__unit(ev));
	proto__number(profile, PROFILE_PERIOD, evsel__mean_period(ev));
	add_text(w, "perf.event", event_name(w, event));
	add_text(w, "perf.completeness", words);
	proto__message(profile, PROFILE_ATTRIBUTES, &w->list);
}

/* Makes the profiles of an event: of what its samples stand for, and of their number. */
static void make_profiles(struct otlp *w, u32 event, const char *words)
{
	struct textbuf *p = &w->profiles[NR_PROFILES * event];
	const struct evsel *ev = w->x->recording->events.v[event];
	struct id id = { { w->x->first_time, w->x->last_time } };

	put_type(w, &p[PERIODS], PROFILE_TYPE, event_name(w, event), evsel__unit(ev));
	put_type(w, &p[COUNTS], PROFILE_TYPE, "samples", "count");
	put_samples(w, event, p);
	id = hash_more(id, &w->dictionary);
	end_profile(w, &p[PERIODS], event, id, words);
	end_profile(w, &p[COUNTS], event, id, words);
}

static void put_mappings(struct otlp *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->modules.nr; i++) {
		const struct export_module *m = &t->modules.v[i];

		if (*m->build_id)
			add_text(w, "process.executable.build_id.gnu", m->build_id);
		proto__number(&w->part, MAPPING_FILE, string_of(w, m->name));
		if (w->list.len)
			proto__message(&w->part, MAPPING_ATTRIBUTES, &w->list);
		proto__message(&w->dictionary, TABLE_MAPPING, &w->part);
	}
}

static void put_functions(struct otlp *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->functions.nr; i++) {
		u64 name = string_of(w, t->functions.v[i].name);

		proto__number(&w->part, FUNCTION_NAME, name);
		proto__number(&w->part, FUNCTION_SYSTEM_NAME, name);
		if (w->files[i])
			proto__number(&w->part, FUNCTION_FILE, string_of(w, w->files[i]));
		proto__message(&w->dictionary, TABLE_FUNCTION, &w->part);
	}
}

static void put_key_value(struct textbuf *tb, const char *key, const char *text)
{
	struct textbuf pair;

	if (!text)
		return;
	textbuf__init(&pair, -1);
	proto__bytes(&pair, KEY_VALUE_KEY, key, strlen(key));
	put_value(&pair, KEY_VALUE_VALUE, text, 0);
	proto__message(tb, RESOURCE_ATTRIBUTES, &pair);
	textbuf__free(&pair);
}

static const char *clean(struct otlp *w, const char *s)
{
	return s ? stack_table__name(&w->x->table, s) : NULL;
}

/* Something that is known of the host, unless a label says it otherwise. */
static void put_known(struct otlp *w, const char *key, const char *text)
{
	const struct export_opts *o = &w->x->opts;

	for (size_t i = 0; i < o->nr_labels; i++)
		if (!strcmp(o->labels[i].name, key))
			return;
	put_key_value(&w->part, key, clean(w, text));
}

static void make_resource(struct otlp *w, struct textbuf *resource)
{
	const struct recording *rec = w->x->recording;
	const struct export_opts *o = &w->x->opts;

	put_known(w, "service.name", o->service);
	put_known(w, "host.name", rec->hostname);
	put_known(w, "host.arch", rec->arch);
	put_known(w, "os.type", "linux");
	put_known(w, "os.version", rec->osrelease);
	for (size_t i = 0; i < o->nr_labels; i++)
		put_key_value(&w->part, o->labels[i].name, o->labels[i].value);
	proto__message(resource, RESOURCE_RESOURCE, &w->part);
}

/* Writes all profiles, in a scope in a resource: large, they are copied into neither. */
static void put_profiles(struct otlp *w)
{
	struct textbuf *out = w->x->out, resource, scope;

	size_t size;

	textbuf__init(&resource, -1);
	textbuf__init(&scope, -1);
	make_resource(w, &resource);
	proto__bytes(&w->part, INSTRUMENTATION_NAME, "perf", strlen("perf"));
	proto__bytes(&w->part, INSTRUMENTATION_VERSION, perf__version(), strlen(perf__version()));
	proto__message(&scope, SCOPE_SCOPE, &w->part);
	size = scope.len + proto__bytes_size(SCOPE_SCHEMA, strlen(SCHEMA));
	for (size_t i = 0; i < w->nr_profiles; i++)
		if (w->profiles[i].len)
			size += proto__bytes_size(SCOPE_PROFILES, w->profiles[i].len);
	proto__start(out, DATA_RESOURCE_PROFILES,
		     resource.len + proto__bytes_size(RESOURCE_SCOPES, size) +
		     proto__bytes_size(RESOURCE_SCHEMA, strlen(SCHEMA)));
	textbuf__put(out, resource.buf, resource.len);
	proto__start(out, RESOURCE_SCOPES, size);
	textbuf__put(out, scope.buf, scope.len);
	for (size_t i = 0; i < w->nr_profiles; i++)
		if (w->profiles[i].len)
			proto__message(out, SCOPE_PROFILES, &w->profiles[i]);
	proto__bytes(out, SCOPE_SCHEMA, SCHEMA, strlen(SCHEMA));
	proto__bytes(out, RESOURCE_SCHEMA, SCHEMA, strlen(SCHEMA));
	textbuf__free(&resource);
	textbuf__free(&scope);
}

static void otlp__end(void *ctx, const char *words)
{
	static const u32 tables[] = {
		TABLE_MAPPING, TABLE_LOCATION, TABLE_FUNCTION, TABLE_LINK, TABLE_STRING,
		TABLE_ATTRIBUTE, TABLE_STACK,
	};
	struct otlp *w = ctx;
	const struct stack_table *t = &w->x->table;

	w->location_of = xcalloc(t->frames.nr, sizeof(*w->location_of));
	w->stack_of = xcalloc(t->nodes.nr, sizeof(*w->stack_of));
	w->files = stack_table__files(t);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		proto__bytes(&w->dictionary, tables[i], "", 0);
	sums__by_stack(&w->sums, t);
	make_lists(w);
	for (u32 i = 0; i < w->x->recording->events.nr; i++)
		if (w->x->counts[i])
			make_profiles(w, i, words);
	put_profiles(w);
	put_mappings(w);
	put_functions(w);
	for (size_t i = 0; i < w->strings.v.nr; i++)
		proto__bytes(&w->dictionary, TABLE_STRING, w->strings.v.v[i],
			     strlen(w->strings.v.v[i]));
	proto__message(w->x->out, DATA_DICTIONARY, &w->dictionary);
}

static void otlp__free(void *ctx)
{
	struct otlp *w = ctx;

	sums__free(&w->sums);
	string_numbers__free(&w->strings);
	vec__free(&w->attributes);
	index__free(&w->attribute_index);
	free(w->location_of);
	free(w->stack_of);
	free(w->files);
	textbuf__free(&w->dictionary);
	for (size_t i = 0; i < w->nr_profiles; i++)
		textbuf__free(&w->profiles[i]);
	free(w->profiles);
	textbuf__free(&w->part);
	textbuf__free(&w->list);
	textbuf__free(&w->lists);
	vec__free(&w->lists_end);
	location_list__free(&w->locations);
	free(w);
}

const struct export_format export_otlp = {
	.name = "otlp", .suffix = "otlp", .help = "ProfilesData of OpenTelemetry, version 1.10",
	.by_address = true, .binary = true,
	.begin = otlp__begin, .sample = otlp__sample, .end = otlp__end, .free = otlp__free,
};
