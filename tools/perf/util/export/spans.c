// SPDX-License-Identifier: GPL-2.0-only
#include "spans.h"

#include "../text/json.h"
#include "base64.h"
#include "page.h"
#include "proto.h"

#define UNIT_BITS 10

static u32 thread_of(struct spans *s, u32 pid, u32 tid)
{
	u64 key = (u64)pid << 32 | tid;
	uintptr_t known = (uintptr_t)map64__get(&s->thread_of, key);

	if (known)
		return known - 1;
	*vec__push(&s->threads) = (struct span_thread){ .pid = pid, .tid = tid, .comm = "" };
	map64__set(&s->thread_of, key, (void *)(uintptr_t)s->threads.nr);
	return s->threads.nr - 1;
}

void spans__add(struct spans *s, const struct export_sample *sample)
{
	struct span span = {
		.blocked = sample->is_wait ? sample->period - sample->runnable : 0,
		.runnable = sample->runnable, .node = sample->node, .wait = sample->is_wait,
	};

	if (s->too_many)
		return;
	if (s->v.nr == SPANS_MAX) {
		spans__free(s);
		s->too_many = true;
		return;
	}
	if (!s->v.nr)
		s->start = sample->time;
	span.time = sample->time > s->start ? sample->time - s->start : 0;
	span.thread = thread_of(s, sample->pid, sample->tid);
	s->threads.v[span.thread].comm = sample->comm;
	if (sample->waker_tid != NO_ID)
		span.waker = thread_of(s, sample->waker_pid, sample->waker_tid) + 1;
	*vec__push(&s->v) = span;
}

static void put_span(struct spans *s, const struct span *span, u64 later, struct textbuf *tb)
{
	struct span_thread *t = &s->threads.v[span->thread];
	s64 step = (s64)span->node - t->node;

	proto__varint(tb, (u64)span->thread << 2 | (span->waker ? 2 : 0) | span->wait);
	proto__varint(tb, later);
	proto__varint(tb, (u64)step << 1 ^ (u64)(step >> 63));
	t->node = span->node;
	if (!span->wait)
		return;
	proto__varint(tb, span->blocked >> UNIT_BITS);
	proto__varint(tb, span->runnable >> UNIT_BITS);
	if (span->waker)
		proto__varint(tb, span->waker - 1);
}

static void put_threads(const struct spans *s, struct textbuf *out)
{
	textbuf__puts(out, ",\n\"threads\":[");
	for (size_t i = 0; i < s->threads.nr; i++) {
		const struct span_thread *t = &s->threads.v[i];

		textbuf__printf(out, "%s[%d,%d,", i ? "," : "", (int)t->pid, (int)t->tid);
		textbuf__page_string(out, t->comm);
		textbuf__putc(out, ']');
	}
	textbuf__putc(out, ']');
}

void spans__put(struct spans *s, struct textbuf *out)
{
	struct textbuf bytes;
	u64 last = 0;

	textbuf__json_bool(out, "too_many", s->too_many);
	textbuf__init(&bytes, -1);
	for (size_t i = 0; i < s->v.nr; i++) {
		u64 now = max_of(s->v.v[i].time >> UNIT_BITS, last);

		put_span(s, &s->v.v[i], now - last, &bytes);
		last = now;
	}
	put_threads(s, out);
	textbuf__json_key(out, "spans");
	textbuf__putc(out, '"');
	textbuf__base64(out, bytes.buf, bytes.len);
	textbuf__putc(out, '"');
	textbuf__free(&bytes);
}

void spans__free(struct spans *s)
{
	vec__free(&s->v);
	vec__free(&s->threads);
	map64__free(&s->thread_of);
}
