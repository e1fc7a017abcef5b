// SPDX-License-Identifier: GPL-2.0-only
#include "store.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/mem.h"
#include "../export/base64.h"
#include "../export/proto.h"
#include "../text/json.h"

static const struct {
	const char *path, *format, *type, *header;
} stores[] = {
	[STORE_INGEST] = { "/ingest", "pprof", "application/octet-stream", NULL },
	[STORE_PUSH_V1] = { "/push.v1.PusherService/Push", "pprof", "application/proto", NULL },
	[STORE_PARCA] = { "/profiles/writeraw", "pprof", "application/json", NULL },
	[STORE_OTLP] = { "/v1development/profiles", "otlp", "application/x-protobuf",
			 "OTLP-Profiles-Development-Version: 1" },
};

/* Of PushRequest, and what is in it. */
enum {
	PUSH_SERIES = 1, SERIES_LABELS = 1, SERIES_SAMPLES = 2, LABEL_NAME = 1, LABEL_VALUE = 2,
	RAW_PROFILE = 1, RAW_ID = 2,
};

enum store_kind store__kind(const char *url)
{
	size_t len = strcspn(url, "?#"), n;

	for (u32 i = 0; i < ARRAY_SIZE(stores); i++) {
		n = strlen(stores[i].path);
		if (len >= n && !memcmp(url + len - n, stores[i].path, n))
			return i;
	}
	return STORE_UNKNOWN;
}

const char *store__path(const char *format)
{
	return stores[!strcmp(format, "otlp") ? STORE_OTLP : STORE_INGEST].path;
}

const char *store__format(enum store_kind kind)
{
	return stores[kind].format;
}

const char *store__type(enum store_kind kind)
{
	return stores[kind].type;
}

const char *store__header(enum store_kind kind)
{
	return stores[kind].header;
}

/* A name as Prometheus has them: without dots. */
static char label_char(char c)
{
	return c == '.' ? '_' : c;
}

static void put_label_name(struct textbuf *tb, const char *name)
{
	for (; *name; name++)
		textbuf__putc(tb, label_char(*name));
}

/* In a query. */
static void put_escaped(struct textbuf *tb, const char *s, size_t len)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < len; i++) {
		u8 c = s[i];

		if (isalnum(c) || strchr("-._~", c)) {
			textbuf__putc(tb, c);
			continue;
		}
		textbuf__putc(tb, '%');
		textbuf__putc(tb, digits[c >> 4]);
		textbuf__putc(tb, digits[c & 15]);
	}
}

/* name{host=a,env=b}: there are no quotes, so a value has no braces. */
static void put_series(struct textbuf *tb, const struct store_profile *p)
{
	textbuf__puts(tb, p->name);
	for (size_t i = 0; i < p->nr_labels; i++) {
		textbuf__putc(tb, i ? ',' : '{');
		put_label_name(tb, p->labels[i].name);
		textbuf__putc(tb, '=');
		for (const char *s = p->labels[i].value; *s; s++)
			textbuf__putc(tb, strchr("{}", *s) ? '_' : *s);
	}
	if (p->nr_labels)
		textbuf__putc(tb, '}');
}

/* The query that /ingest wants; times in seconds. */
static char *ingest_url(const char *url, const struct store_profile *p)
{
	u64 until = (p->until + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
	struct textbuf series, name;
	char *full;

	textbuf__init(&series, -1);
	textbuf__init(&name, -1);
	put_series(&series, p);
	put_escaped(&name, series.buf, series.len);
	full = xasprintf("%s%cname=%s&from=%llu&until=%llu&format=pprof&spyName=perf", url,
			 strchr(url, '?') ? '&' : '?', textbuf__str(&name),
			 (unsigned long long)(p->from / NSEC_PER_SEC), (unsigned long long)until);
	textbuf__free(&series);
	textbuf__free(&name);
	return full;
}

static void put_label(struct textbuf *series, const char *name, const char *value)
{
	struct textbuf label;

	textbuf__init(&label, -1);
	proto__start(&label, LABEL_NAME, strlen(name));
	put_label_name(&label, name);
	proto__bytes(&label, LABEL_VALUE, value, strlen(value));
	proto__message(series, SERIES_LABELS, &label);
	textbuf__free(&label);
}

/* As text, a UUID. */
static void put_id(struct textbuf *raw, const char *id)
{
	char uuid[40];
	int len = snprintf(uuid, sizeof(uuid), "%.8s-%.4s-%.4s-%.4s-%.12s", id, id + 8, id + 12,
			   id + 16, id + 20);

	proto__bytes(raw, RAW_ID, uuid, len);
}

static void put_push(struct textbuf *body, const struct store_profile *p)
{
	struct textbuf series, raw;

	textbuf__init(&series, -1);
	textbuf__init(&raw, -1);
	put_label(&series, "__name__", "process_cpu");
	put_label(&series, "service_name", p->name);
	for (size_t i = 0; i < p->nr_labels; i++)
		put_label(&series, p->labels[i].name, p->labels[i].value);
	proto__bytes(&raw, RAW_PROFILE, p->data, p->size);
	put_id(&raw, p->id);
	proto__message(&series, SERIES_SAMPLES, &raw);
	proto__message(body, PUSH_SERIES, &series);
	textbuf__free(&series);
	textbuf__free(&raw);
}

static void put_json_label(struct textbuf *tb, const char *name, const char *value)
{
	textbuf__puts(tb, "{\"name\":\"");
	put_label_name(tb, name);
	textbuf__puts(tb, "\",\"value\":");
	textbuf__json_string(tb, value);
	textbuf__putc(tb, '}');
}

static void put_parca(struct textbuf *body, const struct store_profile *p)
{
	textbuf__puts(body, "{\"series\":[{\"labels\":{\"labels\":[");
	put_json_label(body, "__name__", "process_cpu");
	textbuf__putc(body, ',');
	put_json_label(body, "service_name", p->name);
	for (size_t i = 0; i < p->nr_labels; i++) {
		textbuf__putc(body, ',');
		put_json_label(body, p->labels[i].name, p->labels[i].value);
	}
	textbuf__puts(body, "]},\"samples\":[{\"rawProfile\":\"");
	textbuf__base64(body, p->data, p->size);
	textbuf__puts(body, "\"}]}],\"normalized\":true}");
}

bool store__request(enum store_kind kind, const char *url, const struct store_profile *p,
		    char **full, struct textbuf *body)
{
	*full = kind == STORE_INGEST ? ingest_url(url, p) : xstrdup(url);
	if (kind == STORE_PUSH_V1)
		put_push(body, p);
	else if (kind == STORE_PARCA)
		put_parca(body, p);
	return kind == STORE_PUSH_V1 || kind == STORE_PARCA;
}
