// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux adds the size of the sample_id to the size of a KSYMBOL, BPF_EVENT or TEXT_POKE record once
 * for each listener, without resetting it. So the second listener on a CPU gets a record that is
 * larger than what was written, and the third a still larger one: stale bytes of the ring buffer
 * are at its end, where readers look for the sample_id. The body tells where the record really
 * ends, and the sample_id is there.
 */
#include <string.h>

#include "record.h"

static u16 u16_at(const struct perf_event_header *hdr, size_t at)
{
	u16 v;

	memcpy(&v, (const u8 *)hdr + at, sizeof(v));
	return v;
}

static u64 u64_at(const struct perf_event_header *hdr, size_t at)
{
	u64 v;

	memcpy(&v, (const u8 *)hdr + at, sizeof(v));
	return v;
}

/* Address, length, type, flags; then the name, and zeros up to a multiple of 8. */
static size_t ksymbol_end(const struct perf_event_header *hdr, size_t size)
{
	const size_t name_at = sizeof(*hdr) + 16;
	const u8 *end;

	if (size <= name_at)
		return 0;
	end = memchr((const u8 *)hdr + name_at, 0, size - name_at);
	return end ? align_up(end + 1 - (const u8 *)hdr, sizeof(u64)) : 0;
}

/* Address, lengths of the old and of the new code, both, and zeros up to a multiple of 8. */
static size_t text_poke_end(const struct perf_event_header *hdr, size_t size)
{
	const size_t lengths_at = sizeof(*hdr) + 8;
	const size_t bytes_at = lengths_at + 2 * sizeof(u16);

	if (size < bytes_at)
		return 0;
	return align_up(bytes_at + u16_at(hdr, lengths_at) + u16_at(hdr, lengths_at + 2),
			sizeof(u64));
}

size_t record__body_end(const struct perf_event_header *hdr, size_t size)
{
	size_t end = 0;

	if (hdr->type == PERF_RECORD_KSYMBOL)
		end = ksymbol_end(hdr, size);
	else if (hdr->type == PERF_RECORD_BPF_EVENT)
		end = sizeof(*hdr) + 16; /* type, flags, id, tag */
	else if (hdr->type == PERF_RECORD_TEXT_POKE)
		end = text_poke_end(hdr, size);
	return end <= size ? end : 0;
}

/*
 * Whether a sample_id of @ev is at @at. Its id or time must be set: recorders that synthesize such
 * records with extra space leave zeros there, and have the sample_id at the end.
 */
static bool is_sample_id(const struct perf_event_header *hdr, size_t at, size_t size,
			 const struct recording *r, const struct evsel *ev)
{
	const struct event_layout *l = &ev->layout;
	size_t end = at + l->trailer_size;

	if (end > size)
		return false;
	if (l->trailer_id > 0 && r->event_by_id.nr)
		return map64__get(&r->event_by_id,
				  u64_at(hdr, end - l->trailer_id * sizeof(u64))) == ev;
	return l->trailer_time > 0 && u64_at(hdr, end - l->trailer_time * sizeof(u64));
}

size_t record__end(const struct perf_event_header *hdr, size_t size, const struct recording *r)
{
	size_t body = record__body_end(hdr, size);

	if (!body || !r->events.nr || body + r->events.v[0]->layout.trailer_size == size)
		return size;
	for (size_t i = 0; i < r->events.nr; i++)
		if (is_sample_id(hdr, body, size, r, r->events.v[i]))
			return body + r->events.v[i]->layout.trailer_size;
	return size;
}
