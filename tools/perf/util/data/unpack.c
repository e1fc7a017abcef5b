// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns what cannot be viewed in place (compressed or unaligned records, the other byte order, a
 * pipe) into plain records in a temporary file: see reader-priv.h.
 */
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "byte-swap.h"
#include "feature.h"
#include "reader-priv.h"
#include "../io/tempfile.h"

/*
 * How much larger compressed data may become. A sample has at most 64 kB, and what is new in each
 * takes 45 bytes: a loop recorded with copies of that size shrinks 1,400-fold at level 22. A file
 * that was made to fill the disk reaches the limit.
 */
#define SWELL_FREE (256ULL << 20)
#define SWELL_RATIO 2048

#define IDLE_MS 30 /* between two calls of unpack_source.idle() */
#define STREAM_CHUNK (256 * 1024)
#define TRACING_DATA_MAX (256ULL << 20)
#define RECORD_MAX 65536

struct unpacker {
	const struct unpack_source *src;
	struct recording *rec;
	int (*put)(void *ctx, const struct perf_event_header *hdr);
	void *ctx;
	bool events_known;     /* no more ATTRs are taken */
	struct error *damage;
	u8 *buf;               /* of a stream: bytes read and not yet consumed */
	size_t have, pos;
	u64 consumed;          /* bytes of the input, without src->offset */
	u64 skipped;           /* of these: bytes that are not records */
	bool eof;
	ZSTD_DStream *zstd;
	ZSTD_inBuffer in;      /* of the compressed record at hand, in .record */
	bool unpacking;        /* it is not unpacked completely */
	u8 *plain;             /* output of one step of the decompressor */
	size_t plain_size;
	VEC(u8) carry;         /* unpacked bytes that are not a whole record yet */
	u64 packed, unpacked;
	_Alignas(8) u8 record[RECORD_MAX];         /* of the input; while it is unpacked: */
	_Alignas(8) u8 carried_record[RECORD_MAX]; /* one that was in it */
};

static u64 input_offset(const struct unpacker *u)
{
	return u->src->offset + u->consumed;
}

static int damaged(struct unpacker *u, const char *what)
{
	if (!u->damage->code)
		error__set(u->damage, -EINVAL, "%s: %s at offset %" PRIu64, u->src->path, what,
			   input_offset(u));
	return -EINVAL;
}

/* Waits for something to read, and lets others work meanwhile. False: nobody wants more. */
static bool wait_for_input(const struct unpack_source *src)
{
	struct pollfd ready = { .fd = src->fd, .events = POLLIN };

	while (src->idle) {
		if (src->idle(src->idle_ctx))
			return false;
		if (poll(&ready, 1, IDLE_MS) > 0)
			break;
	}
	return true;
}

/* Reads until @want bytes of a stream are available, or its end. Returns how many are. */
static size_t stream_fill(struct unpacker *u, size_t want)
{
	if (u->pos + want > STREAM_CHUNK) {
		memmove(u->buf, u->buf + u->pos, u->have - u->pos);
		u->have -= u->pos;
		u->pos = 0;
	}
	while (u->have - u->pos < want && !u->eof) {
		ssize_t n = wait_for_input(u->src) ?
			    read(u->src->fd, u->buf + u->have, STREAM_CHUNK - u->have) : 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && !u->damage->code)
			error__set(u->damage, -errno, "%s: read error at offset %" PRIu64 ": %s",
				   u->src->path, input_offset(u), strerror(errno));
		if (n <= 0)
			u->eof = true;
		else
			u->have += n;
	}
	return min_of(want, u->have - u->pos);
}

/* Takes up to @want bytes (at most RECORD_MAX) in place; valid until the next call. */
static const u8 *take(struct unpacker *u, size_t want, size_t *got)
{
	const u8 *p;

	if (u->src->fd < 0) {
		p = u->src->mem + u->consumed;
		*got = min_of((u64)want, u->src->size - u->consumed);
	} else {
		*got = stream_fill(u, want);
		p = u->buf + u->pos;
		u->pos += *got;
	}
	u->consumed += *got;
	return p;
}

static int skip(struct unpacker *u, u64 size)
{
	size_t got;

	for (; size; size -= got) {
		take(u, min_of(size, (u64)RECORD_MAX), &got);
		if (!got)
			return damaged(u, "the input is cut off");
	}
	return 0;
}

/*
 * What was taken last, @size bytes, is not the header of a record. A stream cannot be read further;
 * in memory there may be records again behind it.
 */
static int skip_damage(struct unpacker *u, size_t size)
{
	const struct unpack_source *src = u->src;
	u64 start = u->consumed - size, pos = src->size;

	u->consumed = start;
	if (src->fd < 0)
		pos = records__find(src->mem, src->size, start + 8, src->swap);
	if (src->fd >= 0 || pos == src->size)
		return damaged(u, "a record of impossible size ends");
	damaged(u, "a record of impossible size was skipped");
	u->skipped += pos - start;
	u->consumed = pos;
	return UNPACK_AGAIN;
}

/*
 * Hands out a whole record that is plain now, or applies it to the recording. EVENT_UPDATE is
 * applied and handed out: it says more than the recording keeps, which callers that copy the data
 * need. A malformed one is skipped.
 */
static int emit(struct unpacker *u, const struct perf_event_header *hdr)
{
	bool bad = false;

	if (u->rec && header_record__is(hdr->type)) {
		if (hdr->type == USER_RECORD_ATTR && u->events_known)
			damaged(u, "an attr record after the first data ends");
		else
			bad = header_record__apply(u->rec, hdr) < 0;
		if (bad)
			damaged(u, "a malformed header record ends"); /* goes on */
		if (bad || hdr->type != USER_RECORD_EVENT_UPDATE)
			return 0;
	}
	return u->put(u->ctx, hdr);
}

/* The record's header comes first, then the whole record, each as the input has it. */
static void copy_header(const struct unpacker *u, struct perf_event_header *hdr, const u8 *p)
{
	memcpy(hdr, p, sizeof(*hdr));
	if (u->src->swap)
		record_header__swap(hdr);
}

static void copy_body(const struct unpacker *u, struct perf_event_header *hdr, const u8 *p)
{
	memcpy(hdr + 1, p, hdr->size - sizeof(*hdr));
	if (u->src->swap)
		record__swap(hdr, u->src->swap);
}

/* Hands out the whole records that were decompressed. */
static int emit_carried(struct unpacker *u)
{
	struct perf_event_header *hdr = (void *)u->carried_record;
	size_t pos = 0;
	int ret = 0;

	while (!ret && u->carry.nr - pos >= sizeof(*hdr)) {
		copy_header(u, hdr, u->carry.v + pos);
		if (hdr->size < sizeof(*hdr) || hdr->type == USER_RECORD_COMPRESSED ||
		    hdr->type == USER_RECORD_COMPRESSED2 || hdr->type == USER_RECORD_AUXTRACE ||
		    hdr->type == USER_RECORD_TRACING_DATA)
			return damaged(u, "compressed data without valid records ends");
		if (u->carry.nr - pos < hdr->size)
			break;
		copy_body(u, hdr, u->carry.v + pos + sizeof(*hdr));
		pos += hdr->size;
		ret = emit(u, hdr);
	}
	u->carry.nr -= pos;
	if (u->carry.nr)
		memmove(u->carry.v, u->carry.v + pos, u->carry.nr);
	return ret;
}

/*
 * Decompresses a part at a time, so that a user of a stream can release records meanwhile: some
 * kilobytes may become hundreds of megabytes.
 */
static int decompress_more(struct unpacker *u)
{
	ZSTD_outBuffer out = { .dst = u->plain, .size = u->plain_size };
	size_t ret = ZSTD_decompressStream(u->zstd, &out, &u->in);

	if (ZSTD_isError(ret))
		return damaged(u, "compressed data that zstd cannot decompress ends");
	u->unpacking = u->in.pos < u->in.size || out.pos == out.size;
	u->unpacked += out.pos;
	if (u->unpacked > SWELL_FREE + SWELL_RATIO * u->packed)
		return damaged(u, "compressed data that would grow more than 2048-fold, as in no "
				  "recording, was skipped");
	vec__reserve(&u->carry, u->carry.nr + out.pos);
	if (out.pos)
		memcpy(u->carry.v + u->carry.nr, u->plain, out.pos);
	u->carry.nr += out.pos;
	return emit_carried(u);
}

static int decompress(struct unpacker *u, const u8 *data, size_t size)
{
	if (!u->zstd) {
		u->zstd = ZSTD_createDStream();
		u->plain_size = ZSTD_DStreamOutSize();
		u->plain = xmalloc(u->plain_size);
	}
	u->packed += size;
	u->in = (ZSTD_inBuffer){ .src = data, .size = size };
	return decompress_more(u);
}

static int unpack_compressed(struct unpacker *u, const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);
	u64 size = cursor__left(&c);
	const u8 *payload;

	if (hdr->type == USER_RECORD_COMPRESSED2)
		size = cursor__u64(&c);
	payload = size <= cursor__left(&c) ? cursor__take(&c, size) : NULL;
	if (!payload)
		return damaged(u, "a malformed COMPRESSED record ends");
	return decompress(u, payload, size);
}

/* The record contains only the size of the data that follow it. */
static int take_tracing_data(struct unpacker *u, const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);
	u64 size = align_up(cursor__u32(&c), 8);
	VEC(u8) data = {};
	const u8 *p;
	size_t got;

	if (!u->rec)
		return skip(u, size);
	if (size > TRACING_DATA_MAX)
		return damaged(u, "TRACING_DATA larger than 256 MB starts");
	while (data.nr < size) {
		p = take(u, min_of((size_t)size - data.nr, (size_t)RECORD_MAX), &got);
		if (!got)
			break;
		vec__reserve(&data, data.nr + got);
		memcpy(data.v + data.nr, p, got);
		data.nr += got;
	}
	feature__decode(u->rec, FEAT_TRACING_DATA, data.v, data.nr);
	got = data.nr;
	vec__free(&data);
	return got == size ? 0 : damaged(u, "the input is cut off");
}

static int skip_auxtrace(struct unpacker *u, const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);

	return skip(u, cursor__u64(&c));
}

int unpacker__step(struct unpacker *u)
{
	struct perf_event_header *hdr = (void *)u->record;
	const u8 *p;
	size_t got;

	if (u->unpacking)
		return decompress_more(u);
	p = take(u, sizeof(*hdr), &got);
	if (!got)
		return UNPACK_END;
	if (got < sizeof(*hdr))
		return damaged(u, "the input is cut off");
	copy_header(u, hdr, p);
	if (hdr->size < sizeof(*hdr))
		return skip_damage(u, got);
	p = take(u, hdr->size - sizeof(*hdr), &got);
	if (got < hdr->size - sizeof(*hdr))
		return damaged(u, "the input is cut off");
	copy_body(u, hdr, p);

	switch (hdr->type) {
	case USER_RECORD_COMPRESSED:
	case USER_RECORD_COMPRESSED2:
		return unpack_compressed(u, hdr);
	case USER_RECORD_TRACING_DATA:
		return take_tracing_data(u, hdr);
	case USER_RECORD_AUXTRACE:
		return skip_auxtrace(u, hdr);
	default:
		return emit(u, hdr);
	}
}

struct unpacker *unpacker__new(const struct unpack_source *src, struct recording *rec,
			       int (*put)(void *ctx, const struct perf_event_header *hdr),
			       void *ctx, struct error *damage)
{
	struct unpacker *u = xzalloc(sizeof(*u));

	*u = (struct unpacker){
		.src = src, .rec = rec, .put = put, .ctx = ctx, .damage = damage,
	};
	if (src->fd >= 0)
		u->buf = xmalloc(STREAM_CHUNK);
	return u;
}

void unpacker__free(struct unpacker *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->zstd);
	free(u->plain);
	free(u->buf);
	vec__free(&u->carry);
	free(u);
}

int unpacker__put(struct unpacker *u, const struct perf_event_header *hdr)
{
	return u->put(u->ctx, hdr);
}

void unpacker__end_of_events(struct unpacker *u)
{
	u->events_known = true;
}

u64 unpacker__end(struct unpacker *u)
{
	if (u->carry.nr)
		damaged(u, "compressed data ends inside a record,");
	return u->skipped + (u->src->fd < 0 ? u->src->size - u->consumed : 0);
}

/* Where unpack() puts records. */
struct unpack_file {
	struct tempfile file;
	struct error *damage;
};

static int put_into_file(void *ctx, const struct perf_event_header *hdr)
{
	static const u8 zeros[8];
	struct unpack_file *f = ctx;
	int ret = tempfile__write(&f->file, hdr, hdr->size, f->damage);

	return ret ? ret : tempfile__write(&f->file, zeros, -hdr->size & 7, f->damage);
}

static int map_result(struct unpack_file *f, const struct unpack_source *src, struct segment *seg,
		      struct error *err)
{
	int ret;

	/* On a full disk the last record may be incomplete; the reader notices that. */
	tempfile__flush(&f->file, f->damage);
	memset(seg, 0, sizeof(*seg));
	ret = mapfile__map(&seg->map, f->file.fd);
	if (ret)
		return error__set(err, ret, "cannot map the decompressed data: %s", strerror(-ret));
	seg->unpacked = true;
	seg->data = seg->map.data;
	seg->size = min_of((u64)seg->map.size, f->file.size);
	seg->offset = src->offset;
	seg->path = src->path;
	return 0;
}

int unpack_rest_of(struct unpacker *u, struct segment *seg,
		   int (*first)(void *ctx, struct unpacker *u), void *ctx, u64 *unread,
		   struct error *err)
{
	struct unpack_file f = { .damage = u->damage };
	int ret = tempfile__open(&f.file, err);

	if (ret)
		return ret;
	u->put = put_into_file;
	u->ctx = &f;
	ret = first ? first(ctx, u) : UNPACK_AGAIN;
	while (ret == UNPACK_AGAIN)
		ret = unpacker__step(u);
	*unread = unpacker__end(u);
	ret = map_result(&f, u->src, seg, err);
	tempfile__close(&f.file);
	return ret;
}

int unpack(struct segment *seg, const struct unpack_source *src, struct recording *rec,
	   struct error *damage, u64 *unread, struct error *err)
{
	struct unpacker *u = unpacker__new(src, rec, NULL, NULL, damage);
	int ret = unpack_rest_of(u, seg, NULL, NULL, unread, err);

	unpacker__free(u);
	return ret;
}
