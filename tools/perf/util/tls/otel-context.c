// SPDX-License-Identifier: GPL-2.0-only
#include "otel-context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../io/proc-maps.h"
#include "../io/procfile.h"
#include "tls-process.h"

#define SIGNATURE "OTEL_CTX"
#define VERSION 2
#define PAYLOAD_MAX 65536
#define TRIES 3
#define KEY_MAP "threadlocal.attribute_key_map"

struct header {
	char signature[8];
	u32 version, payload_size;
	u64 published_at, payload;
};

/* A field of a message (protobuf.dev, "Encoding"): a number, or bytes. */
struct field {
	u32 number;
	bool is_bytes;
	struct bytes bytes;
};

static bool next_field(struct cursor *c, struct field *f)
{
	u64 tag, len;

	if (!cursor__left(c))
		return false;
	tag = cursor__uleb(c);
	*f = (struct field){ .number = tag >> 3, .is_bytes = (tag & 7) == 2 };
	switch (tag & 7) {
	case 0:
		cursor__uleb(c);
		break;
	case 1:
		cursor__take(c, 8);
		break;
	case 2:
		len = cursor__uleb(c);
		f->bytes.data = cursor__take(c, min_of(len, (u64)SIZE_MAX));
		f->bytes.len = f->bytes.data ? len : 0;
		break;
	case 5:
		cursor__take(c, 4);
		break;
	default:
		return false;
	}
	return !c->bad;
}

static struct cursor inside(struct bytes b)
{
	return cursor__init(b.data, b.len, false);
}

/* @any: an AnyValue with an array (5) of AnyValues (1), which have a string (1) each */
static void take_names(struct otel_names *out, struct bytes any)
{
	struct cursor c = inside(any), values, value;
	struct field f;

	while (next_field(&c, &f)) {
		if (f.number != 5 || !f.is_bytes)
			continue;
		values = inside(f.bytes);
		while (out->nr < OTEL_NAMES_MAX && next_field(&values, &f)) {
			if (f.number != 1 || !f.is_bytes)
				continue;
			value = inside(f.bytes);
			out->v[out->nr] = (struct bytes){};
			if (next_field(&value, &f) && f.number == 1 && f.is_bytes)
				out->v[out->nr] = f.bytes;
			out->nr++;
		}
	}
}

/* A KeyValue: key (1), value (2). */
static void take_pair(struct otel_names *out, struct bytes pair)
{
	struct cursor c = inside(pair);
	struct bytes key = {}, value = {};
	struct field f;

	while (next_field(&c, &f)) {
		if (f.number == 1 && f.is_bytes)
			key = f.bytes;
		else if (f.number == 2 && f.is_bytes)
			value = f.bytes;
	}
	if (key.len == strlen(KEY_MAP) && !memcmp(key.data, KEY_MAP, key.len)) {
		out->nr = 0;
		take_names(out, value);
	}
}

/* A ProcessContext: its attributes are its second field. */
void otel_names__decode(struct otel_names *out, const u8 *payload, size_t size)
{
	struct cursor c = cursor__init(payload, size, false);
	struct field f;

	out->nr = 0;
	while (next_field(&c, &f))
		if (f.number == 2 && f.is_bytes)
			take_pair(out, f.bytes);
}

/* It may change meanwhile: the time says whether it did. */
static int read_once(struct otel_names *out, struct tls_processes *t, u32 pid, u64 at)
{
	struct header h, again;

	if (!tls_processes__read(t, pid, at, &h, sizeof(h)) ||
	    memcmp(h.signature, SIGNATURE, sizeof(h.signature)) || h.version != VERSION ||
	    h.payload_size > PAYLOAD_MAX)
		return -EINVAL;
	if (!h.published_at)
		return -EAGAIN;
	out->payload = xrealloc(out->payload, h.payload_size + 1);
	if (!tls_processes__read(t, pid, h.payload, out->payload, h.payload_size) ||
	    !tls_processes__read(t, pid, at, &again, sizeof(again)) ||
	    again.published_at != h.published_at)
		return -EAGAIN;
	otel_names__decode(out, out->payload, h.payload_size);
	return 0;
}

static bool is_context(const char *name)
{
	static const char *const names[] = {
		"/memfd:OTEL_CTX", "[anon_shmem:OTEL_CTX]", "[anon:OTEL_CTX]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

int otel_names__read(struct otel_names *out, struct tls_processes *t, u32 pid)
{
	char path[64], *text, *next, *line;
	struct maps_line m;
	int ret;

	*out = (struct otel_names){};
	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	ret = procfile__read(path, &text, NULL);
	if (ret)
		return ret;
	ret = -ENOENT;
	next = text;
	while (ret && (line = strsep(&next, "\n"))) {
		if (!maps_line__parse(line, &m) || !is_context(m.name))
			continue;
		for (int i = 0; i < TRIES; i++) {
			ret = read_once(out, t, pid, m.start);
			if (ret != -EAGAIN)
				break;
		}
	}
	free(text);
	return ret;
}

void otel_names__free(struct otel_names *n)
{
	zfree(&n->payload);
	n->nr = 0;
}
