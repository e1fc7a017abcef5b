// SPDX-License-Identifier: GPL-2.0-only
/* The header of a file or pipe: events with ids, and features. See writer-priv.h. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "../io/write-all.h"
#include "stack-notes.h"
#include "writer-priv.h"

enum { FILE_HEADER = 104, SECTION = 16, DATA_SIZE_AT = 48 };

/*
 * In an ATTR record perf 6.1 expects the ids behind an attr of the size that it knows, whatever
 * size the attr has. Later versions go by the size.
 */
#define PIPE_ATTR_SIZE PERF_ATTR_SIZE_VER7

/* perf 6.1 stops reading at a FEATURE record with a number that it does not know. */
#define PIPE_FEATURE_MAX FEAT_PMU_CAPS

/* AUXTRACE describes AUX data, DIR_FORMAT other files: neither is written. */
static bool is_written(const struct writer *w, u32 feat)
{
	if (feat == FEAT_AUXTRACE || feat == FEAT_DIR_FORMAT)
		return false;
	if (feat == FEAT_COMPRESSED)
		return w->zstd;
	return recording__has(w->rec, feat);
}

/* The header, the attrs behind it, and where the ids are that follow these. */
static void put_header(const struct writer *w, struct bytes_out *out, u64 data_size,
		       const u64 *features)
{
	u32 attr_size = w->attr_size, nr = w->rec->events.nr;
	u64 ids = FILE_HEADER + (u64)nr * (attr_size + SECTION);

	bytes_out__u64(out, ABI_FILE_MAGIC);
	bytes_out__u64(out, FILE_HEADER);
	bytes_out__u64(out, attr_size + SECTION);
	bytes_out__u64(out, FILE_HEADER);
	bytes_out__u64(out, (u64)nr * (attr_size + SECTION));
	bytes_out__u64(out, w->data_start);
	bytes_out__u64(out, data_size);
	bytes_out__u64(out, 0); /* event types: since 2012 in the attrs */
	bytes_out__u64(out, 0);
	bytes_out__put(out, features, FEAT_LAST / 8);
	for (u32 i = 0; i < nr; i++) {
		const struct evsel *ev = w->rec->events.v[i];

		evsel__encode_attr(ev, attr_size, out);
		bytes_out__u64(out, ids);
		bytes_out__u64(out, ev->ids.nr * sizeof(u64));
		ids += ev->ids.nr * sizeof(u64);
	}
}

/* In front of all other records, and never compressed. */
static void put_mark(const struct recording *rec, struct bytes_out *out)
{
	u8 mark[STACK_NOTES_MARK_SIZE];

	if (!rec->stack_notes)
		return;
	stack_notes__mark(mark);
	bytes_out__put(out, mark, sizeof(mark));
}

int writer__begin_file(struct writer *w, struct error *err)
{
	static const u64 no_features[FEAT_LAST / 64];
	const struct recording *rec = w->rec;
	struct bytes_out out = {};
	int ret;

	w->attr_size = recording__attr_size(rec);
	w->data_start = FILE_HEADER + rec->events.nr * (w->attr_size + SECTION);
	for (size_t i = 0; i < rec->events.nr; i++)
		w->data_start += rec->events.v[i]->ids.nr * sizeof(u64);
	for (size_t i = 0; i < WRITER_MARKS; i++)
		w->marks[i] = w->data_start;
	put_header(w, &out, 0, no_features);
	for (size_t i = 0; i < rec->events.nr; i++) {
		const struct evsel *ev = rec->events.v[i];

		bytes_out__put(&out, ev->ids.v, ev->ids.nr * sizeof(u64));
	}
	put_mark(rec, &out);
	ret = writer__put(w, out.buf.v, out.buf.nr, err);
	vec__free(&out.buf);
	return ret;
}

void writer__note_size(struct writer *w)
{
	u64 size = w->pos - w->data_start;

	/* If this program is killed, every perf can read the records that are there. */
	if (pwrite(w->fd, &size, sizeof(size), DATA_SIZE_AT) != sizeof(size))
		return;
}

/* Appends the table of sections and the sections, for data that end at @at. */
static void put_features(struct writer *w, u64 at, u64 *features, struct bytes_out *out)
{
	struct bytes_out body = {};
	size_t nr = 0, start;
	u32 feat;

	for (feat = 0; feat < FEAT_LAST; feat++)
		nr += is_written(w, feat);
	at += nr * SECTION;
	for (feat = 0; feat < FEAT_LAST; feat++) {
		if (!is_written(w, feat))
			continue;
		start = body.buf.nr;
		feature__encode(w->rec, feat, &body);
		bytes_out__u64(out, at + start);
		bytes_out__u64(out, body.buf.nr - start);
		features[feat / 64] |= BIT_ULL(feat % 64);
	}
	bytes_out__put(out, body.buf.v, body.buf.nr);
	vec__free(&body.buf);
}

/* Writes the features, behind data that end at w->pos, and the header. */
static int complete(struct writer *w, bool with_features, struct error *err)
{
	u64 features[FEAT_LAST / 64] = {}, end = w->pos;
	struct bytes_out out = {};
	int ret = 0;

	if (ftruncate(w->fd, end) || lseek(w->fd, end, SEEK_SET) < 0)
		return error__set(err, -errno, "cannot truncate %s to %" PRIu64 " bytes: "
				  "%s", w->path,
				  end, strerror(errno));
	if (with_features) {
		put_features(w, end, features, &out);
		ret = writer__put(w, out.buf.v, out.buf.nr, err);
	}
	out.buf.nr = 0;
	if (!ret) {
		put_header(w, &out, end - w->data_start, features);
		ret = lseek(w->fd, 0, SEEK_SET) < 0 ? -errno :
			write_all(w->fd, out.buf.v, out.buf.nr, NULL);
		if (ret)
			error__set(err, ret, "cannot write the header of %s", w->path);
	}
	vec__free(&out.buf);
	return ret;
}

int writer__end_file(struct writer *w, struct error *err)
{
	int ret = complete(w, true, err);

	/*
	 * A full disk (or quota, or limit): features replace data at the end, since a recording is
	 * hard to read without them. If there is no room at all, there are none.
	 */
	for (int i = 0; ret && i < WRITER_MARKS; i++) {
		w->pos = w->marks[i];
		if (!complete(w, true, NULL))
			return ret;
	}
	if (ret) {
		w->pos = w->marks[0];
		complete(w, false, NULL);
	}
	return ret;
}

static void put_pipe_event(const struct evsel *ev, u32 attr_size, struct bytes_out *out)
{
	size_t nr_max = (UINT16_MAX - sizeof(struct perf_event_header) - attr_size) / sizeof(u64);
	size_t nr = min_of(ev->ids.nr, nr_max);
	struct perf_event_header hdr = {
		.type = USER_RECORD_ATTR,
		.size = sizeof(hdr) + attr_size + nr * sizeof(u64),
	};

	bytes_out__put(out, &hdr, sizeof(hdr));
	evsel__encode_attr(ev, attr_size, out);
	bytes_out__put(out, ev->ids.v, nr * sizeof(u64));
}

static void put_pipe_feature(struct writer *w, u32 feat, struct bytes_out *out)
{
	struct perf_event_header hdr = { .type = USER_RECORD_HEADER_FEATURE };
	struct bytes_out body = {};
	size_t size, pad;

	feature__encode(w->rec, feat, &body);
	pad = -body.buf.nr & 7;
	size = sizeof(hdr) + sizeof(u64) + body.buf.nr + pad;
	if (body.buf.nr && size <= UINT16_MAX) {
		hdr.size = size;
		bytes_out__put(out, &hdr, sizeof(hdr));
		bytes_out__u64(out, feat);
		bytes_out__put(out, body.buf.v, body.buf.nr);
		bytes_out__zeros(out, pad);
	}
	vec__free(&body.buf);
}

/* The data follow their record, which contains only their size. */
static void put_pipe_tracing_data(struct writer *w, struct bytes_out *out)
{
	u32 size = align_up(w->rec->tracing_data_size, 8);
	struct perf_event_header hdr = {
		.type = USER_RECORD_TRACING_DATA,
		.size = sizeof(hdr) + sizeof(size),
	};

	bytes_out__put(out, &hdr, sizeof(hdr));
	bytes_out__put(out, &size, sizeof(size));
	bytes_out__put(out, w->rec->tracing_data, w->rec->tracing_data_size);
	bytes_out__zeros(out, size - w->rec->tracing_data_size);
}

int writer__begin_pipe(struct writer *w, struct error *err)
{
	u32 attr_size = max_of(recording__attr_size(w->rec), (u32)PIPE_ATTR_SIZE);
	struct bytes_out out = {};
	int ret;

	bytes_out__u64(&out, ABI_FILE_MAGIC);
	bytes_out__u64(&out, SECTION);
	for (size_t i = 0; i < w->rec->events.nr; i++)
		put_pipe_event(w->rec->events.v[i], attr_size, &out);
	for (u32 feat = 0; feat <= PIPE_FEATURE_MAX; feat++)
		if (feat != FEAT_TRACING_DATA && feat != FEAT_BUILD_ID && is_written(w, feat))
			put_pipe_feature(w, feat, &out);
	if (is_written(w, FEAT_TRACING_DATA))
		put_pipe_tracing_data(w, &out);
	put_mark(w->rec, &out);
	ret = writer__put(w, out.buf.v, out.buf.nr, err);
	vec__free(&out.buf);
	return ret;
}

int writer__end_pipe(struct writer *w, struct error *err)
{
	struct bytes_out out = {};
	int ret;

	for (size_t i = 0; i < w->rec->build_ids.nr; i++)
		feature__encode_build_id(&w->rec->build_ids.v[i], USER_RECORD_BUILD_ID, &out);
	ret = writer__put(w, out.buf.v, out.buf.nr, err);
	vec__free(&out.buf);
	return ret;
}
