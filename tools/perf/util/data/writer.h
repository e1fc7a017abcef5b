/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes perf.data: a file (seekable, features behind the data) or a pipe stream ("-", or a path
 * that is no regular file).
 *
 * The caller owns the struct recording and may change features and flags of attrs
 * (evsel__set_bit()) until writer__finish(); events and ids must be complete at
 * writer__open(), and so must be for a pipe all but the build-ids. A file is opened at a temporary
 * name only by callers that want atomic replacement; the writer itself writes where it is told.
 * Callers ignore SIGPIPE, if a closed pipe shall be an error with words.
 */
#ifndef PERF_DATA_WRITER_H
#define PERF_DATA_WRITER_H

#include "recording.h"

struct writer;

enum {
	/* Parameters of zstd that suit recordings: as fast as level 1, with smaller output. */
	COMP_LEVEL_FITTED = -1,
	COMP_LEVEL_MAX = 22,
};

struct writer_opts {
	const char *path; /* "-" for a pipe stream on stdout */
	/* 0: plain; else zstd in COMPRESSED (81) records, of its levels 1..22 or as above */
	int comp_level;
	bool copies; /* samples keep their stack copies: those repeat over megabytes */
	/*
	 * Asked ten times a second while a pipe takes nothing, with how long that has been: true
	 * gives up, with -EINTR. NULL: wait for ever.
	 */
	bool (*give_up)(void *ctx, u32 ms);
	void *give_up_ctx;
};

/*
 * EVENT_DESC is always written; the other features as the recording has them, but for AUXTRACE
 * and DIR_FORMAT, which describe data that we do not write. A record of a pipe has 64 kB: a feature
 * that is larger, and the ids of an event behind the first 8,000 or so, are left out of it.
 */
int writer__open(struct writer **out, const struct writer_opts *opts, struct recording *rec,
		 struct error *err);

/*
 * Appends whole records. @size may span several. Errors (ENOSPC, EPIPE) come with words, and
 * stay: every later call returns the first one.
 */
int writer__write(struct writer *w, const void *records, size_t size, struct error *err);
/* Appends FINISHED_ROUND; a pipe's reader gets all that was written so far. */
int writer__finished_round(struct writer *w, struct error *err);
/* Writes out the buffers, so that every perf can read the records so far if this one is killed. */
int writer__flush(struct writer *w, struct error *err);

u64 writer__bytes(const struct writer *w); /* written so far, all in all */

/*
 * Completes features and header; closes. After an error of write() the file is made valid, too,
 * with the whole records that fitted, and the error is returned again. A full disk costs, if
 * need be, some data at the end to make room for the features.
 */
int writer__finish(struct writer *w, struct error *err);
void writer__abort(struct writer *w);      /* closes without completing; w may be NULL */

#endif
