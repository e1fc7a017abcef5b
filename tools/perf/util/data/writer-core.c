// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers and compresses records on their way into the file; opens, finishes and aborts it. See
 * writer.h.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/log.h"
#include "writer-priv.h"

/*
 * Plain bytes that go into one COMPRESSED record: so few that they fit the 16-bit size of a record
 * even if they do not shrink.
 */
#define COMP_CHUNK (63 * 1024)
/*
 * Bytes that are collected before they are compressed, record by record. When the unwinder has run
 * in between, the tables of zstd are no longer in the cache; once they are, it is three times as
 * fast.
 */
#define COMP_WAITING (8 * COMP_CHUNK)
#define WAITING_SHRINKS 8 /* the factor that is assumed meanwhile */
#define COMP_ZSTD 1

/* The end of the last whole record in the first @size bytes of @buf. */
static size_t last_boundary(const u8 *buf, size_t size)
{
	struct perf_event_header hdr;
	size_t pos = 0;

	while (size - pos >= sizeof(hdr)) {
		memcpy(&hdr, buf + pos, sizeof(hdr));
		if (hdr.size < sizeof(hdr) || hdr.size > size - pos)
			break;
		pos += hdr.size;
	}
	return pos;
}

static int flush(struct writer *w, struct error *err)
{
	u64 start = w->pos;
	int ret = writer__put(w, w->buf, w->used, err);

	if (ret && !w->pipe) /* what is behind it, writer__end_file() cuts off */
		w->pos = start + last_boundary(w->buf, w->pos - start);
	if (!w->pipe)
		writer__note_size(w);
	w->used = 0;
	memmove(w->marks + 1, w->marks, sizeof(w->marks) - sizeof(w->marks[0]));
	w->marks[0] = start;
	return ret;
}

/* Makes room for @size more bytes of whole records. */
static int make_room(struct writer *w, size_t size, struct error *err)
{
	int ret = writer__failed(w, err);

	return !ret && WRITER_BUF - w->used < size ? flush(w, err) : ret;
}

static void append(struct writer *w, const void *p, size_t size)
{
	memcpy(w->buf + w->used, p, size);
	w->used += size;
}

static int compress_chunk(struct writer *w, const u8 *data, size_t size, struct error *err)
{
	struct perf_event_header hdr = { .type = USER_RECORD_COMPRESSED };
	u8 packed[UINT16_MAX - sizeof(hdr)];
	ZSTD_inBuffer in = { .src = data, .size = size };
	ZSTD_outBuffer out = { .dst = packed, .size = sizeof(packed) };
	size_t left;
	int ret;

	left = ZSTD_compressStream2(w->zstd, &out, &in, ZSTD_e_flush);
	BUG_ON(left); /* nor are there errors: the worst case of a chunk fits */
	hdr.size = sizeof(hdr) + out.pos;
	w->plain += size;
	w->packed += out.pos;
	ret = make_room(w, hdr.size, err);
	if (ret)
		return ret;
	append(w, &hdr, sizeof(hdr));
	append(w, packed, out.pos);
	return 0;
}

static int compress_waiting(struct writer *w, struct error *err)
{
	size_t left = w->nr_waiting;
	const u8 *p = w->waiting;
	int ret = 0;

	w->nr_waiting = 0;
	while (left && !ret) {
		size_t n = last_boundary(p, min_of(left, (size_t)COMP_CHUNK));

		ret = compress_chunk(w, p, n, err);
		p += n;
		left -= n;
	}
	return ret;
}

/* Adds whole records that fit into a chunk, or one that is larger. */
static int add(struct writer *w, const u8 *records, size_t size, struct error *err)
{
	bool waits = w->zstd && size <= COMP_CHUNK;
	int ret = 0;

	if (w->zstd && (!waits || COMP_WAITING - w->nr_waiting < size))
		ret = compress_waiting(w, err);
	if (!ret)
		ret = make_room(w, waits ? 0 : size, err);
	if (ret)
		return ret;
	if (waits) {
		memcpy(w->waiting + w->nr_waiting, records, size);
		w->nr_waiting += size;
	} else {
		append(w, records, size);
	}
	return 0;
}

int writer__write(struct writer *w, const void *records, size_t size, struct error *err)
{
	const u8 *p = records;
	size_t room = w->zstd ? COMP_CHUNK : WRITER_BUF;

	while (size) {
		size_t n = last_boundary(p, min_of(size, room));
		int ret;

		if (!n) /* a single one that is larger than a chunk */
			n = last_boundary(p, size < UINT16_MAX ? size : UINT16_MAX);
		if (!n)
			return error__set(err, -EINVAL, "cannot write a record of impossible size "
					  "to %s", w->path);
		ret = add(w, p, n, err);
		if (ret)
			return ret;
		p += n;
		size -= n;
	}
	return 0;
}

int writer__finished_round(struct writer *w, struct error *err)
{
	struct perf_event_header hdr = {
		.type = USER_RECORD_FINISHED_ROUND,
		.size = sizeof(hdr),
	};
	int ret = writer__write(w, &hdr, sizeof(hdr), err);

	return ret || !w->pipe ? ret : writer__flush(w, err);
}

int writer__flush(struct writer *w, struct error *err)
{
	int ret = writer__failed(w, err);

	if (!ret)
		ret = compress_waiting(w, err);
	return ret || !w->used ? ret : flush(w, err);
}

u64 writer__bytes(const struct writer *w)
{
	return w->pos + w->used + w->nr_waiting / WAITING_SHRINKS;
}

/*
 * A pipe on standard output gets an open file description of its own, since it is made
 * non-blocking: other processes that share the old one do not expect that.
 */
static void open_stdout(struct writer *w, const struct writer_opts *opts)
{
	struct stat st;

	w->pipe = true;
	w->fd = -1;
	if (opts->give_up && !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode))
		w->fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (w->fd < 0) {
		w->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		return;
	}
	w->give_up = opts->give_up;
	w->give_up_ctx = opts->give_up_ctx;
}

static int open_file(const struct writer_opts *opts, struct error *err)
{
	if (opts->file)
		return replace_file__fd(opts->file, err);
	if (opts->place)
		return out_place__open(opts->place, O_RDWR, 0600, err);
	return out_place__open_path(opts->path, O_RDWR, 0600, err);
}

static int open_output(struct writer *w, const struct writer_opts *opts, struct error *err)
{
	struct stat st;

	if (strcmp(w->path, "-")) {
		w->fd = open_file(opts, err);
		w->pipe = w->fd >= 0 && !fstat(w->fd, &st) && !S_ISREG(st.st_mode);
		return min_of(w->fd, 0);
	}
	open_stdout(w, opts);
	return w->fd < 0 ? error__set(err, -errno, "cannot write to standard output: %s",
				      strerror(errno)) : 0;
}

/*
 * Level 1 looks for 7 bytes that were there before. For chains other parameters are better: matches
 * of a run of frames, else of the 5 bytes that neighbouring addresses have in common, in a table
 * twice as large. The window of 512 kB stays in the cache beside the data of the unwinder; it is
 * only 60 stack copies.
 */
static int fit_to_recordings(struct writer *w, bool copies)
{
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_strategy, ZSTD_dfast);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_minMatch, 5);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_hashLog, 15);
	if (copies)
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_windowLog, 21);
	return 1;
}

static void start_compression(struct writer *w, const struct writer_opts *opts)
{
	int level = opts->comp_level;

	w->zstd = ZSTD_createCStream();
	if (level == COMP_LEVEL_FITTED)
		level = fit_to_recordings(w, opts->copies);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
	w->waiting = xmalloc(COMP_WAITING);
	w->rec->comp_type = COMP_ZSTD;
	w->rec->comp_level = level;
	w->rec->comp_ratio = 0;
	w->rec->comp_mmap_len = 64 * 1024;
}

int writer__open(struct writer **out, const struct writer_opts *opts, struct recording *rec,
		 struct error *err)
{
	struct writer *w = xzalloc(sizeof(*w));
	int ret;

	*out = NULL;
	w->path = arena__intern(rec->arena, opts->path);
	w->rec = rec;
	w->buf = xmalloc(WRITER_BUF);
	ret = open_output(w, opts, err);
	if (ret) {
		writer__abort(w);
		return ret;
	}
	recording__set(rec, FEAT_EVENT_DESC);
	if (opts->comp_level)
		start_compression(w, opts);
	ret = w->pipe ? writer__begin_pipe(w, err) : writer__begin_file(w, err);
	if (ret) {
		writer__abort(w);
		return ret;
	}
	*out = w;
	return 0;
}

int writer__finish(struct writer *w, struct error *err)
{
	int ret = writer__flush(w, err);

	if (w->packed)
		w->rec->comp_ratio = (w->plain + w->packed / 2) / w->packed;
	if (!w->pipe) {
		int end = writer__end_file(w, ret ? NULL : err);

		ret = ret ? ret : end;
	} else if (!ret) {
		ret = writer__end_pipe(w, err);
	}
	if (close(w->fd) && !ret)
		ret = writer__fail(w, -errno, err);
	w->fd = -1;
	writer__abort(w);
	return ret;
}

void writer__abort(struct writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	ZSTD_freeCStream(w->zstd);
	free(w->waiting);
	free(w->buf);
	free(w);
}
