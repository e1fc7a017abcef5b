// SPDX-License-Identifier: GPL-2.0-only
#include "activity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VERSION 1
#define HEAD_SIZE (8 + ACTIVITY_TRACE_SIZE + ACTIVITY_SPAN_SIZE)

struct head {
	u8 version, source, kind, flags;
	u16 value_size, nr_attributes;
	u8 trace[ACTIVITY_TRACE_SIZE], span[ACTIVITY_SPAN_SIZE];
};
_Static_assert(sizeof(struct head) == HEAD_SIZE, "it has no padding");

static u8 *put(u8 *out, struct bytes b)
{
	if (b.len)
		memcpy(out, b.data, b.len);
	return out + b.len;
}

u32 activity__encode(const struct activity *a, u8 *out)
{
	struct head h = {
		.version = VERSION, .source = a->source, .kind = a->kind, .flags = a->flags,
	};
	struct bytes value = { a->value.data, min_of(a->value.len, (size_t)ACTIVITY_VALUE_MAX) };
	u8 *end = out + ACTIVITY_PAYLOAD_MAX, *p = put(out + sizeof(h), value);

	h.value_size = value.len;
	memcpy(h.trace, a->trace, sizeof(h.trace));
	memcpy(h.span, a->span, sizeof(h.span));
	for (u32 i = 0; i < a->nr_attributes; i++) {
		const struct activity_attribute *at = &a->attributes[i];

		if (at->key.len > 255 || at->value.len > 255 ||
		    at->key.len + at->value.len + 2 > (size_t)(end - p))
			continue;
		*p++ = at->key.len;
		*p++ = at->value.len;
		p = put(put(p, at->key), at->value);
		h.nr_attributes++;
	}
	memcpy(out, &h, sizeof(h));
	return p - out;
}

static struct bytes take(struct cursor *c, size_t size)
{
	const u8 *p = cursor__take(c, size);

	return (struct bytes){ p, p ? size : 0 };
}

static void take_attributes(struct activity *a, struct cursor *c, u32 nr)
{
	for (u32 i = 0; i < min_of(nr, (u32)ACTIVITY_ATTRIBUTES_MAX); i++) {
		u8 key = cursor__u8(c), value = cursor__u8(c);
		struct activity_attribute at = { .key = take(c, key) };

		at.value = take(c, value);
		if (c->bad)
			return;
		a->attributes[a->nr_attributes++] = at;
	}
}

bool activity__of_sample(struct activity *a, const struct sample *s)
{
	struct cursor c;
	const void *ids;
	u16 value, nr;

	if (!s->aux_size || !side_data__find(s, SIDE_ACTIVITY, &c))
		return false;
	if (!cursor__u8(&c)) /* version 0 is none */
		return false;
	a->swapped = c.swap;
	a->nr_attributes = 0;
	a->source = cursor__u8(&c);
	a->kind = cursor__u8(&c);
	a->flags = cursor__u8(&c);
	value = cursor__u16(&c);
	nr = cursor__u16(&c);
	ids = cursor__take(&c, ACTIVITY_TRACE_SIZE + ACTIVITY_SPAN_SIZE);
	a->value = take(&c, value);
	if (c.bad || value > ACTIVITY_VALUE_MAX)
		return false;
	memcpy(a->trace, ids, sizeof(a->trace));
	memcpy(a->span, (const u8 *)ids + sizeof(a->trace), sizeof(a->span));
	take_attributes(a, &c, nr);
	return true;
}

/* Text while it grows; what does not fit is cut off. */
struct text {
	char *p;
	size_t len;
};

static void add_char(struct text *t, char c)
{
	if (t->len + 1 < ACTIVITY_TEXT_MAX)
		t->p[t->len++] = c;
}

static void add_str(struct text *t, const char *s)
{
	while (*s)
		add_char(t, *s++);
}

static void add_hex(struct text *t, const u8 *data, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		add_char(t, digits[data[i] >> 4]);
		add_char(t, digits[data[i] & 15]);
	}
}

static void add_bytes(struct text *t, struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		add_char(t, b.data[i] < ' ' || b.data[i] == 0x7f ? '?' : b.data[i]);
}

/* A value of a number's size is one; else its bytes are printed in order. */
static void add_value(struct text *t, const struct activity *a)
{
	struct cursor c = cursor__init(a->value.data, a->value.len, a->swapped);
	u64 v = a->value.len == 8 ? cursor__u64(&c) : a->value.len == 4 ? cursor__u32(&c) :
		a->value.len == 2 ? cursor__u16(&c) : a->value.len == 1 ? cursor__u8(&c) : 0;
	char number[24];

	if (!c.pos) {
		add_hex(t, a->value.data, a->value.len);
		return;
	}
	snprintf(number, sizeof(number), "0x%" PRIx64, v);
	add_str(t, number);
}

static void add_attributes(struct text *t, const struct activity *a)
{
	add_char(t, '{');
	for (u32 i = 0; i < a->nr_attributes; i++) {
		if (i)
			add_str(t, ", ");
		add_bytes(t, a->attributes[i].key);
		add_char(t, '=');
		add_bytes(t, a->attributes[i].value);
	}
	add_char(t, '}');
}

static void add_group(struct text *t, const struct activity *a)
{
	if (a->kind == ACTIVITY_VALUE)
		add_value(t, a);
	else if (a->kind == ACTIVITY_LABELS)
		add_attributes(t, a);
	else
		add_hex(t, a->trace, sizeof(a->trace));
}

size_t activity__group(const struct activity *a, char *out)
{
	struct text t = { .p = out };

	add_group(&t, a);
	out[t.len] = 0;
	return t.len;
}

size_t activity__text(const struct activity *a, char *out)
{
	struct text t = { .p = out };

	add_group(&t, a);
	if (a->kind == ACTIVITY_OTEL) {
		add_char(&t, '/');
		add_hex(&t, a->span, sizeof(a->span));
	}
	if (a->kind != ACTIVITY_LABELS && a->nr_attributes) {
		add_char(&t, ' ');
		add_attributes(&t, a);
	}
	out[t.len] = 0;
	return t.len;
}

static bool is_hex(const u8 *data, size_t len, const char *id)
{
	char buf[2 * ACTIVITY_TRACE_SIZE + 1];
	struct text t = { .p = buf };

	add_hex(&t, data, len);
	return strlen(id) == t.len && !strncasecmp(buf, id, t.len);
}

static bool has_attribute(const struct activity *a, const char *id)
{
	const char *eq = strchr(id, '=');

	for (u32 i = 0; eq && i < a->nr_attributes; i++) {
		struct bytes k = a->attributes[i].key, v = a->attributes[i].value;

		if (k.len == (size_t)(eq - id) && !memcmp(k.data, id, k.len) &&
		    v.len == strlen(eq + 1) && !memcmp(v.data, eq + 1, v.len))
			return true;
	}
	return false;
}

bool activity__is(const struct activity *a, const char *id)
{
	char both[2 * (ACTIVITY_TRACE_SIZE + ACTIVITY_SPAN_SIZE) + 2];
	struct text t = { .p = both };
	char value[2 * ACTIVITY_VALUE_MAX + 3];

	if (has_attribute(a, id))
		return true;
	if (a->kind == ACTIVITY_VALUE) {
		t.p = value;
		add_value(&t, a);
		value[t.len] = 0;
		return !strcasecmp(value, id) ||
		       (!strncmp(value, "0x", 2) && !strcasecmp(value + 2, id));
	}
	if (a->kind != ACTIVITY_OTEL)
		return false;
	add_hex(&t, a->trace, sizeof(a->trace));
	add_char(&t, '/');
	add_hex(&t, a->span, sizeof(a->span));
	both[t.len] = 0;
	return is_hex(a->trace, sizeof(a->trace), id) || is_hex(a->span, sizeof(a->span), id) ||
	       !strcasecmp(both, id);
}
