/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of the writer: writer-core.c takes records, writer-header.c makes the sections in
 * front of them and behind, and writer-put.c writes the bytes of both.
 */
#ifndef PERF_DATA_WRITER_PRIV_H
#define PERF_DATA_WRITER_PRIV_H

#include <zstd.h>

#include "feature.h"
#include "writer.h"

#define WRITER_BUF (256 * 1024)
#define WRITER_MARKS 8

struct writer {
	int fd;
	const char *path;
	bool pipe;
	bool (*give_up)(void *ctx, u32 ms); /* NULL: writes wait */
	void *give_up_ctx;
	struct recording *rec;
	struct error failed;     /* .code: the first error */
	u8 *buf;                 /* whole records */
	size_t used;
	u32 attr_size;           /* in the header of a file */
	u64 data_start;          /* file offset of the first record */
	u64 pos;                 /* bytes in the file, without .buf */
	u64 marks[WRITER_MARKS]; /* file offsets at which a record ends, the newest first */
	ZSTD_CStream *zstd;
	u8 *waiting;             /* whole records to compress together */
	size_t nr_waiting;
	u64 plain, packed;       /* bytes before and after compression, for FEAT_COMPRESSED */
};

/*
 * writer-put.c: fills @err with the first error that was kept. Returns its -errno; 0: there was
 * none.
 */
int writer__failed(const struct writer *w, struct error *err);

/* Keeps an error, unless there was one before. @code: -errno. Returns the first one. */
int writer__fail(struct writer *w, int code, struct error *err);

/*
 * Writes to the file, past the buffer; a short write is completed or fails.
 * @data, @size: bytes
 * Returns: 0, or -errno with words.
 */
int writer__put(struct writer *w, const void *data, size_t size, struct error *err);

/* writer-header.c: begins a file. Returns 0, or -errno with words. */
int writer__begin_file(struct writer *w, struct error *err);

/* Writes the present size of the data into the header of the file. */
void writer__note_size(struct writer *w);

/* Begins a pipe stream: events, and features that are known. Returns 0, or -errno with words. */
int writer__begin_pipe(struct writer *w, struct error *err);

/* Completes a file: features and header. Returns 0, or -errno with words. */
int writer__end_file(struct writer *w, struct error *err);

/* Completes a pipe stream: build-ids. Returns 0, or -errno with words. */
int writer__end_pipe(struct writer *w, struct error *err);

#endif
