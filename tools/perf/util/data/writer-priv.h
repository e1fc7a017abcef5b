/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of the writer: writer-core.c takes records, writer-header.c makes what stands in front
 * of them and behind, and writer-put.c brings the bytes of both to the disk.
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
	u64 marks[WRITER_MARKS]; /* offsets where whole records ended, the newest first */
	ZSTD_CStream *zstd;
	u8 *waiting;             /* whole records to compress together */
	size_t nr_waiting;
	u64 plain, packed;       /* for the ratio */
};

/* writer-put.c. The first error that was kept, with its words; 0: there was none. */
int writer__failed(const struct writer *w, struct error *err);
/* Keeps -errno @code, if it is the first one, and returns the first one. */
int writer__fail(struct writer *w, int code, struct error *err);

/* @size bytes at the end, past the buffer; a short write is finished or fails. */
int writer__put(struct writer *w, const void *data, size_t size, struct error *err);

/* writer-header.c */
int writer__begin_file(struct writer *w, struct error *err);
void writer__note_size(struct writer *w); /* of the data in the file now, into its header */
int writer__begin_pipe(struct writer *w, struct error *err);
int writer__end_file(struct writer *w, struct error *err);
int writer__end_pipe(struct writer *w, struct error *err);

#endif
