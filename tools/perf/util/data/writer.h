/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes perf.data: a file (seekable, features behind the data) or a pipe stream ("-", or a path
 * that is not a regular file).
 *
 * The caller owns the struct recording and may change features and flags of attrs
 * (evsel__set_bit()) until writer__finish(). Events and ids must be complete at writer__open();
 * for a pipe everything but the build-ids must be. Callers that want atomic replacement give it
 * the file for that (io/replace-file.h). Callers ignore SIGPIPE if they want a closed pipe to be
 * an error with words.
 */
#ifndef PERF_DATA_WRITER_H
#define PERF_DATA_WRITER_H

#include "../io/replace-file.h"
#include "recording.h"

struct writer;

enum {
	/* Parameters of zstd that suit recordings: as fast as level 1, with smaller output. */
	COMP_LEVEL_FITTED = -1,
	COMP_LEVEL_MAX = 22,
};

struct writer_opts {
	const char *path; /* "-" for a pipe stream on stdout; for messages where one of these is: */
	const struct out_place *place;   /* NULL: @path is looked up */
	const struct replace_file *file; /* NULL: there is none */
	/* 0: plain; else zstd in COMPRESSED (81) records, of its levels 1..22 or as above */
	int comp_level;
	bool copies; /* samples have stack copies, which repeat over megabytes: for the level */
	/*
	 * Called ten times a second while a pipe takes nothing; @ms: for how long it has not.
	 * Returns true to give up, with -EINTR. NULL: wait without limit.
	 */
	bool (*give_up)(void *ctx, u32 ms);
	void *give_up_ctx;
};

/*
 * Begins a recording. EVENT_DESC is always written; the other features as the recording has them,
 * except for AUXTRACE and DIR_FORMAT, which describe data that is not written here. A record of a
 * pipe has 64 kB: a feature that is larger, and the ids of an event behind the first 8,000 or so,
 * are left out of it.
 * @out: for writer__finish() or writer__abort()
 * @opts: copied; its strings are borrowed
 * @rec: borrowed until then
 * Returns: 0, or -errno with words.
 */
int writer__open(struct writer **out, const struct writer_opts *opts, struct recording *rec,
		 struct error *err);

/*
 * Appends whole records.
 * @records, @size: one or more records, in bytes
 * Returns: 0, or -errno with words. Every later call returns the first error (ENOSPC, EPIPE, ...).
 */
int writer__write(struct writer *w, const void *records, size_t size, struct error *err);

/*
 * Appends FINISHED_ROUND. The reader of a pipe gets all that was written so far.
 * Returns: 0, or -errno with words.
 */
int writer__finished_round(struct writer *w, struct error *err);

/*
 * Writes out the buffers, so that every perf can read the records so far if this one is killed.
 * Returns: 0, or -errno with words.
 */
int writer__flush(struct writer *w, struct error *err);

/*
 * Returns: the bytes written so far, header included. Of data that waits to be compressed it is an
 *         estimate.
 */
u64 writer__bytes(const struct writer *w);

/*
 * Completes features and header, closes the file, and frees @w. After an error of write() the file
 * is made valid, too, with the whole records that fitted. A full disk costs, if need be, some data
 * at the end to make room for the features.
 * Returns: 0, or -errno with words, also that of an earlier call.
 */
int writer__finish(struct writer *w, struct error *err);

/* Closes the file without completing it, and frees @w, which may be NULL. */
void writer__abort(struct writer *w);

#endif
