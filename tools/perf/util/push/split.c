// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile of Protocol Buffers has samples, and tables of items that samples and other items refer
 * to by number. The schemas below say only which fields these are. First all items are found, then
 * those are marked that a half needs, and then the profile is copied without the others. Where the
 * number of an item is its place in the table, an empty one takes the place.
 */
#include "split.h"

#include <stdlib.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../base/hash-bytes.h"
#include "../base/vec.h"
#include "../export/gzip-in.h"
#include "../export/gzip-out.h"
#include "../export/proto-reader.h"
#include "../export/proto.h"

/* Kinds of messages; the first ones are items of tables. */
enum kind {
	STRING, FUNCTION, LOCATION, STACK, ATTRIBUTE, NR_TABLES,
	ROOT = NR_TABLES, TYPE, SAMPLE, LABEL, MAPPING, LINE, RESOURCE, SCOPE, PROFILE, DICTIONARY,
};

enum how {
	OTHER,    /* copied as it is */
	INSIDE,   /* a message in which there may be fields of the schema */
	ITEM,     /* of the table .to */
	REFERS,   /* one number or several, packed, of items of .to */
	SAMPLES,  /* a sample of this message, which has .to */
	IDENTITY, /* random bytes, which must differ */
};

struct rule {
	u8 in, field, how, to;
};

struct schema {
	const struct rule *rules;
	size_t nr;
	bool has_ids;             /* items other than strings have their number in field 1 */
};

/* profile.proto */
static const struct rule pprof_rules[] = {
	{ ROOT, 1, INSIDE, TYPE }, { ROOT, 2, SAMPLES, SAMPLE }, { ROOT, 3, INSIDE, MAPPING },
	{ ROOT, 4, ITEM, LOCATION }, { ROOT, 5, ITEM, FUNCTION }, { ROOT, 6, ITEM, STRING },
	{ ROOT, 11, INSIDE, TYPE }, { ROOT, 13, REFERS, STRING }, { ROOT, 14, REFERS, STRING },
	{ TYPE, 1, REFERS, STRING }, { TYPE, 2, REFERS, STRING },
	{ SAMPLE, 1, REFERS, LOCATION }, { SAMPLE, 3, INSIDE, LABEL },
	{ LABEL, 1, REFERS, STRING }, { LABEL, 2, REFERS, STRING },
	{ MAPPING, 5, REFERS, STRING }, { MAPPING, 6, REFERS, STRING },
	{ LOCATION, 4, INSIDE, LINE }, { LINE, 1, REFERS, FUNCTION },
	{ FUNCTION, 2, REFERS, STRING }, { FUNCTION, 3, REFERS, STRING },
	{ FUNCTION, 4, REFERS, STRING },
};

/* opentelemetry.proto.profiles.v1development, 1.10 */
static const struct rule otlp_rules[] = {
	{ ROOT, 1, INSIDE, RESOURCE }, { ROOT, 2, INSIDE, DICTIONARY },
	{ RESOURCE, 2, INSIDE, SCOPE }, { SCOPE, 2, INSIDE, PROFILE },
	{ PROFILE, 1, INSIDE, TYPE }, { PROFILE, 2, SAMPLES, SAMPLE },
	{ PROFILE, 5, INSIDE, TYPE }, { PROFILE, 7, IDENTITY, 0 },
	{ PROFILE, 11, REFERS, ATTRIBUTE },
	{ TYPE, 1, REFERS, STRING }, { TYPE, 2, REFERS, STRING },
	{ SAMPLE, 1, REFERS, STACK }, { SAMPLE, 2, REFERS, ATTRIBUTE },
	{ DICTIONARY, 1, INSIDE, MAPPING }, { DICTIONARY, 2, ITEM, LOCATION },
	{ DICTIONARY, 3, ITEM, FUNCTION }, { DICTIONARY, 5, ITEM, STRING },
	{ DICTIONARY, 6, ITEM, ATTRIBUTE }, { DICTIONARY, 7, ITEM, STACK },
	{ MAPPING, 4, REFERS, STRING }, { MAPPING, 5, REFERS, ATTRIBUTE },
	{ LOCATION, 3, INSIDE, LINE }, { LOCATION, 4, REFERS, ATTRIBUTE },
	{ LINE, 1, REFERS, FUNCTION },
	{ FUNCTION, 1, REFERS, STRING }, { FUNCTION, 2, REFERS, STRING },
	{ FUNCTION, 3, REFERS, STRING },
	{ STACK, 1, REFERS, LOCATION }, { ATTRIBUTE, 1, REFERS, STRING },
};

static const struct schema
	pprof_schema = { pprof_rules, ARRAY_SIZE(pprof_rules), true },
	otlp_schema = { otlp_rules, ARRAY_SIZE(otlp_rules), false };

struct item {
	struct bytes bytes;
	bool needed;
};

struct splitter {
	const struct schema *schema;
	VEC(struct item) items[NR_TABLES];
	u64 most_samples;         /* of one message */
	u32 half;
	bool bad;
};

static struct rule rule_of(const struct splitter *s, enum kind in, u32 field)
{
	for (size_t i = 0; i < s->schema->nr; i++)
		if (s->schema->rules[i].in == in && s->schema->rules[i].field == field)
			return s->schema->rules[i];
	return (struct rule){ .how = OTHER };
}

/* The number of an item in a table: what it says itself, or its place. */
static u64 number_of(struct splitter *s, enum kind table, struct bytes item)
{
	struct proto_reader r = { .left = item };
	struct proto_field f;

	if (table == STRING || !s->schema->has_ids)
		return s->items[table].nr;
	while (proto__next(&r, &f))
		if (f.number == 1)
			return f.value;
	return 0;
}

/* @max: what a number must be less than, so that the table is no larger than the profile */
static void add_item(struct splitter *s, enum kind table, struct bytes item, u64 max)
{
	u64 nr = number_of(s, table, item), old = s->items[table].nr;

	if (nr >= max) {
		s->bad = true;
		return;
	}
	vec__reserve(&s->items[table], nr + 1);
	if (nr >= old) {
		memset(s->items[table].v + old, 0, (nr + 1 - old) * sizeof(struct item));
		s->items[table].nr = nr + 1;
	}
	s->items[table].v[nr].bytes = item;
}

/* Finds the items in a message, and counts samples. */
static void collect(struct splitter *s, enum kind in, struct bytes message, u64 max)
{
	struct proto_reader r = { .left = message };
	struct proto_field f;
	u64 nr_samples = 0;

	while (!s->bad && proto__next(&r, &f)) {
		struct rule rule = rule_of(s, in, f.number);

		if (rule.how == INSIDE)
			collect(s, rule.to, f.bytes, max);
		else if (rule.how == ITEM)
			add_item(s, rule.to, f.bytes, max);
		nr_samples += rule.how == SAMPLES;
	}
	s->bad |= r.bad;
	s->most_samples = max_of(s->most_samples, nr_samples);
}

static u64 count_samples(const struct splitter *s, enum kind in, struct bytes message)
{
	struct proto_reader r = { .left = message };
	struct proto_field f;
	u64 nr = 0;

	while (proto__next(&r, &f))
		nr += rule_of(s, in, f.number).how == SAMPLES;
	return nr;
}

/* Whether the sample @i of @nr belongs to this half. */
static bool is_ours(const struct splitter *s, u64 i, u64 nr)
{
	return (i >= (nr + 1) / 2) == s->half;
}

static void mark(struct splitter *s, enum kind in, struct bytes message);

static void mark_item(struct splitter *s, enum kind table, u64 nr)
{
	struct item *item;

	if (nr >= s->items[table].nr)
		return;
	item = &s->items[table].v[nr];
	if (item->needed)
		return;
	item->needed = true;
	if (table != STRING)
		mark(s, table, item->bytes);
}

static void mark_all(struct splitter *s, enum kind table, const struct proto_field *f)
{
	struct proto_reader r = { .left = f->bytes };
	u64 nr;

	if (f->type == PROTO_VARINT)
		mark_item(s, table, f->value);
	while (f->type == PROTO_BYTES && proto__next_varint(&r, &nr))
		mark_item(s, table, nr);
}

/* Marks what a message refers to. Items refer to those of other tables only, in no circle. */
static void mark(struct splitter *s, enum kind in, struct bytes message)
{
	u64 nr = count_samples(s, in, message), i = 0;
	struct proto_reader r = { .left = message };
	struct proto_field f;

	while (proto__next(&r, &f)) {
		struct rule rule = rule_of(s, in, f.number);

		if (rule.how == REFERS)
			mark_all(s, rule.to, &f);
		else if (rule.how == INSIDE || (rule.how == SAMPLES && is_ours(s, i++, nr)))
			mark(s, rule.to, f.bytes);
	}
}

/* The next item of a table, in the order of the file. */
static void copy_item(struct splitter *s, enum kind table, const struct proto_field *f, u64 *place,
		      struct textbuf *out)
{
	bool by_place = table == STRING || !s->schema->has_ids;
	u64 nr = by_place ? place[table]++ : number_of(s, table, f->bytes);

	if (s->items[table].v[nr].needed)
		textbuf__put(out, (const char *)f->all.data, f->all.len);
	else if (by_place)
		proto__bytes(out, f->number, "", 0);
}

/* The same for a half that is made again, and another for each half of a half. */
static void change_identity(struct textbuf *out, size_t len, u32 half)
{
	char *id = out->buf + out->len - len;
	u64 hash = hash_bytes_with(half + 1, id, len);

	memcpy(id, &hash, min_of(len, sizeof(hash)));
}

static void copy(struct splitter *s, enum kind in, struct bytes message, struct textbuf *out)
{
	u64 nr = count_samples(s, in, message), i = 0, place[NR_TABLES] = {};
	struct proto_reader r = { .left = message };
	struct textbuf inner;
	struct proto_field f;

	textbuf__init(&inner, -1);
	while (proto__next(&r, &f)) {
		struct rule rule = rule_of(s, in, f.number);

		if (rule.how == ITEM) {
			copy_item(s, rule.to, &f, place, out);
		} else if (rule.how == INSIDE) {
			copy(s, rule.to, f.bytes, &inner);
			proto__message(out, f.number, &inner);
		} else if (rule.how != SAMPLES || is_ours(s, i++, nr)) {
			textbuf__put(out, (const char *)f.all.data, f.all.len);
			if (rule.how == IDENTITY)
				change_identity(out, f.bytes.len, s->half);
		}
	}
	textbuf__free(&inner);
}

static void make_half(struct splitter *s, u32 half, struct bytes all, struct textbuf *out)
{
	s->half = half;
	for (u32 t = 0; t < NR_TABLES; t++)
		for (size_t i = 0; i < s->items[t].nr; i++)
			s->items[t].v[i].needed = !i; /* number 0 is none */
	mark(s, ROOT, all);
	copy(s, ROOT, all, out);
}

static bool split(const struct schema *schema, struct bytes all, struct textbuf halves[2])
{
	struct splitter s = { .schema = schema };
	bool ok;

	collect(&s, ROOT, all, all.len);
	ok = !s.bad && s.most_samples > 1;
	for (u32 half = 0; ok && half < 2; half++)
		make_half(&s, half, all, &halves[half]);
	for (u32 t = 0; t < NR_TABLES; t++)
		vec__free(&s.items[t]);
	return ok;
}

static void put_gzip(struct textbuf *out, const struct textbuf *plain)
{
	struct gzip_out *g = gzip_out__new(out);

	gzip_out__put(g, plain->buf, plain->len);
	gzip_out__end(g);
}

static bool split_pprof(struct bytes all, struct textbuf halves[2])
{
	struct textbuf plain, half[2];
	bool ok;

	textbuf__init(&plain, -1);
	textbuf__init(&half[0], -1);
	textbuf__init(&half[1], -1);
	ok = gzip_in__all(all, &plain) &&
	     split(&pprof_schema, (struct bytes){ (const u8 *)plain.buf, plain.len }, half);
	for (u32 i = 0; ok && i < 2; i++)
		put_gzip(&halves[i], &half[i]);
	textbuf__free(&plain);
	textbuf__free(&half[0]);
	textbuf__free(&half[1]);
	return ok;
}

bool profile__split(const char *format, const void *data, size_t size, struct textbuf halves[2])
{
	struct bytes all = { data, size };

	if (!strcmp(format, "pprof"))
		return split_pprof(all, halves);
	return split(&otlp_schema, all, halves);
}
