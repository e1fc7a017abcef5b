/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes perf.data: a file (seekable, features behind the data) or a pipe stream ("-").
 *
 * The caller owns the struct recording and may change features until writer__finish(); events
 * and ids must be complete at writer__open(). A file is opened at a temporary name only by
 * callers that want atomic replacement; the writer itself writes where it is told.
 */
#ifndef PERF_DATA_WRITER_H
#define PERF_DATA_WRITER_H

#include <sys/uio.h>

#include "recording.h"

struct writer;

struct writer_opts {
	const char *path; /* "-" for a pipe stream on stdout */
	int comp_level;   /* 0: plain; 1..22: zstd in COMPRESSED (81) records */
};

int writer__open(struct writer **out, const struct writer_opts *opts, struct recording *rec,
		 struct error *err);

/* Appends whole records. @size may span several. Errors (ENOSPC, EPIPE) come with words. */
int writer__write(struct writer *w, const void *records, size_t size, struct error *err);
int writer__writev(struct writer *w, const struct iovec *iov, int nr, struct error *err);
int writer__finished_round(struct writer *w, struct error *err);

u64 writer__bytes(const struct writer *w); /* written so far, all in all */

/* Completes features and header; closes. After an error of write() the file is made valid too. */
int writer__finish(struct writer *w, struct error *err);
void writer__abort(struct writer *w);      /* closes without completing; w may be NULL */

#endif
