// SPDX-License-Identifier: GPL-2.0-only
/* From record to record, through damage and from one segment to the next: see reader.h. */
#include <inttypes.h>
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "reader-priv.h"

/* Record types from here on are damage: far more than any kernel or perf defines. */
#define RECORD_TYPE_MAX 1024

/*
 * The rest of a segment cannot be viewed in place: it holds COMPRESSED records, or records that are
 * not aligned or have the other byte order. It is unpacked into a segment of its own.
 */
static void unpack_rest(struct reader *r)
{
	struct segment *s = &r->segments.v[r->seg], unpacked;
	struct unpack_source src = {
		.mem = s->data + r->pos,
		.size = s->size - r->pos,
		.fd = -1,
		.offset = s->offset + r->pos,
		.path = s->path,
		.swap = r->recording->swapped ? r->recording : NULL,
	};
	struct error err = {};
	u64 unread = 0;

	s->size_before = s->size;
	s->size = r->pos;
	if (unpack(&unpacked, &src, NULL, &r->damage, &unread, &err)) {
		r->unread += src.size;
		error__prefix(&err, "%s", src.path);
		if (!r->damage.code)
			r->damage = err;
	} else {
		r->unread += unread;
		vec__push(&r->segments);
		s = &r->segments.v[r->seg];
		memmove(s + 2, s + 1, (r->segments.nr - r->seg - 2) * sizeof(*s));
		s[1] = unpacked;
	}
	r->account.bytes_unread = max_of(r->account.bytes_unread, r->unread);
	if (!r->account.damage.code)
		r->account.damage = r->damage;
	r->account.flaw = r->flaw;
}

/* Ends the reading of this segment: the rest of it has no valid records. */
static void leave_segment(struct reader *r, const char *why)
{
	struct segment *s = &r->segments.v[r->seg];

	if (!r->account.damage.code)
		error__set(&r->account.damage, -EINVAL, "%s: %s at offset %" PRIu64, s->path, why,
			   s->offset + r->pos);
	r->account.bytes_unread += s->size - r->pos;
	r->seg++;
	r->pos = 0;
}

/* Skips bytes that are not a record: goes on at the next place that looks like records. */
static void skip_damage(struct reader *r, const char *why)
{
	struct segment *s = &r->segments.v[r->seg];
	u64 size = max_of(s->size, s->size_before);
	u64 pos = records__find(s->data, size, r->pos + 8, false);

	if (pos == size) {
		leave_segment(r, why);
		return;
	}
	if (!r->account.damage.code)
		error__set(&r->account.damage, -EINVAL, "%s: %s at offset %" PRIu64 "; %" PRIu64
			   " bytes were skipped there", s->path, why, s->offset + r->pos,
			   pos - r->pos);
	r->account.bytes_unread += pos - r->pos;
	r->pos = min_of(pos, s->size); /* its owner may write to the file meanwhile */
}

static void note_malformed(struct reader *r, const struct record *rec)
{
	if (!r->account.malformed++)
		r->account.first_malformed_offset = rec->offset;
}

/* Bytes that follow an AUXTRACE record and belong to it; unpacked segments have none. */
static u64 payload_of(const struct segment *s, const struct perf_event_header *hdr, u16 size)
{
	struct cursor c = cursor__init(hdr + 1, size - sizeof(*hdr), false);

	return hdr->type == USER_RECORD_AUXTRACE && !s->unpacked ? cursor__u64(&c) : 0;
}

static bool is_compressed(const struct perf_event_header *hdr)
{
	return hdr->type == USER_RECORD_COMPRESSED || hdr->type == USER_RECORD_COMPRESSED2;
}

/* What is unpacked has no compressed records: one that seems to be there is part of something. */
static bool is_damage(const struct segment *s, const struct perf_event_header *hdr, u16 size)
{
	return size < sizeof(*hdr) || hdr->type >= RECORD_TYPE_MAX ||
	       (s->unpacked && is_compressed(hdr));
}

/*
 * Steps over the next record and fills @rec. Returns false when there is no record at this place;
 * the position has then moved on (to the next segment, or into an unpacked one).
 */
static bool step(struct reader *r, struct record *rec)
{
	struct segment *s = &r->segments.v[r->seg];
	const struct perf_event_header *hdr;
	u64 left = s->size - r->pos, payload;
	u16 size;

	if (!left) {
		r->seg++;
		r->pos = 0;
		return false;
	}
	hdr = (const void *)(s->data + r->pos);
	if (!s->unpacked && (r->recording->swapped || (uintptr_t)hdr % 8)) {
		unpack_rest(r);
		return false;
	}
	if (left < sizeof(*hdr)) {
		leave_segment(r, "the data is cut off");
		return false;
	}
	/* Once, since the owner of the file may write to it meanwhile. */
	size = *(const volatile u16 *)&hdr->size;
	if (is_damage(s, hdr, size)) {
		skip_damage(r, "a record of impossible size or type is");
		return false;
	}
	if (size > left) {
		leave_segment(r, "the data is cut off inside a record");
		return false;
	}
	if (!s->unpacked && (size % 8 || is_compressed(hdr))) {
		unpack_rest(r);
		return false;
	}
	payload = payload_of(s, hdr, size);
	if (payload > left - size) {
		leave_segment(r, "the data is cut off inside AUX data");
		return false;
	}
	*rec = (struct record){ .hdr = hdr, .offset = s->offset + r->pos };
	r->pos += min_of(left, align_up(size, 8) + payload);
	return true;
}

/* Handles records that the reader keeps for itself. Returns whether @rec is to be handed out. */
static bool accept(struct reader *r, struct record *rec)
{
	u32 type = rec->hdr->type;

	if (!record_type__name(type) || type == USER_RECORD_AUXTRACE) {
		if (!r->account.unknown_types++)
			r->account.first_unknown_type = type;
		if (!r->keep_unknown || type == USER_RECORD_AUXTRACE || r->recording->swapped)
			return false;
	}
	if (type == USER_RECORD_EVENT_UPDATE) {
		if (!header_record__is_whole(rec->hdr)) {
			note_malformed(r, rec);
			return false;
		}
		/* Those of a pipe were applied when it was unpacked. */
		if (!r->scanned && !r->pipe)
			header_record__apply(r->recording, rec->hdr);
	} else if (header_record__is(type)) {
		/* A file has the others in its header. */
		if (type == USER_RECORD_EVENT_TYPE)
			header_record__apply(r->recording, rec->hdr);
		return false;
	}
	if (record__identify(rec, r->recording)) {
		note_malformed(r, rec);
		return false;
	}
	if (!rec->event && type < USER_RECORD_FIRST) {
		r->account.unknown_events++;
		return type != PERF_RECORD_SAMPLE;
	}
	return true;
}

/*
 * A file that has shrunk reads as zeros up to the end of its last page, and faults behind it. So
 * when a recording ends in bytes that are not a record, its end is read to find out.
 */
static void check_shrunk(struct reader *r, const struct mapfile *map, const char *path)
{
	if (r->account.damage.code && map->size)
		(void)*(const volatile u8 *)(map->data + map->size - 1);
	if (mapfile__shrank(map))
		error__set(&r->account.damage, -EIO, "'%s' shrank while it was read", path);
}

static bool next_of_stream(struct reader *r, struct record *rec)
{
	*rec = (struct record){};
	while (stream__next(r->stream, &rec->hdr, &rec->owner)) {
		rec->offset = r->pos;
		r->pos += align_up(rec->hdr->size, 8);
		if (accept(r, rec)) {
			r->account.records++;
			return true;
		}
		reader__release(rec);
	}
	r->account.damage = r->damage;
	r->account.flaw = r->flaw;
	return false;
}

bool reader__next(struct reader *r, struct record *rec)
{
	if (r->stream)
		return next_of_stream(r, rec);
	while (r->seg < r->segments.nr) {
		if (!step(r, rec) || !accept(r, rec))
			continue;
		r->account.records++;
		return true;
	}
	r->scanned = true;
	check_shrunk(r, &r->map, r->path);
	for (size_t i = 0; i < r->segments.nr; i++)
		if (r->segments.v[i].map.data)
			check_shrunk(r, &r->segments.v[i].map, r->segments.v[i].path);
	return false;
}

void reader__keep_unknown(struct reader *r)
{
	r->keep_unknown = true;
}

void reader__rewind(struct reader *r)
{
	r->seg = 0;
	r->pos = 0;
	memset(&r->account, 0, sizeof(r->account));
	r->account.damage = r->damage;
	r->account.flaw = r->flaw;
	r->account.bytes_unread = r->unread;
	r->account.unfinished = r->unfinished;
}

struct prefault *reader__prefault(const struct reader *r)
{
	return prefault__start(&r->map);
}

struct recording *reader__recording(const struct reader *r)
{
	return r->recording;
}

const char *reader__path(const struct reader *r)
{
	return r->path;
}

u64 reader__size(const struct reader *r)
{
	u64 size = r->stream ? r->pos : 0;

	for (size_t i = 0; i < r->segments.nr; i++)
		size += r->segments.v[i].size;
	return size;
}

u64 reader__file_size(const struct reader *r)
{
	u64 size = r->map.size;

	for (size_t i = 0; i < r->segments.nr; i++)
		if (r->segments.v[i].map.data && !r->segments.v[i].unpacked)
			size += r->segments.v[i].map.size;
	return size ? size : reader__size(r);
}

u64 reader__data_offset(const struct reader *r)
{
	return r->segments.nr ? r->segments.v[0].offset : 0;
}

bool reader__is_stream(const struct reader *r)
{
	return r->stream;
}

u64 reader__held(const struct reader *r)
{
	return r->stream ? stream__held(r->stream) : 0;
}

bool reader__is_pipe(const struct reader *r)
{
	return r->pipe;
}

const struct reader_account *reader__account(const struct reader *r)
{
	return &r->account;
}
