/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of the reader, shared by its files: reader-open.c, reader-walk.c (from record to
 * record), reader-header.c (the file header), header-record.c (records about the recording),
 * unpack.c (into a temporary file), and resync.c (behind damage).
 */
#ifndef PERF_DATA_READER_PRIV_H
#define PERF_DATA_READER_PRIV_H

#include "../io/mapfile.h"
#include "reader.h"

/* A run of records in memory. */
struct segment {
	struct mapfile map;  /* of a file of its own; .data is NULL for a part of the main file */
	bool unpacked;       /* records at multiples of 8, none COMPRESSED, in our byte order */
	const u8 *data;
	u64 size;            /* bytes of records */
	u64 size_before;     /* with what is now in an unpacked segment; 0: nothing is */
	u64 offset;          /* of the first byte, for messages and record.offset */
	const char *path;    /* for messages */
};

struct reader {
	const char *path;
	bool force, pipe, keep_unknown;
	int given_fd;                   /* is read in place of .path; -1: none */
	bool live;                   /* the caller wants a stream */
	struct stream *stream;       /* instead of segments */
	int stream_fd;               /* 0: none */
	struct mapfile map;          /* the main file; empty when it is not a regular file */
	struct recording *recording;
	VEC(struct segment) segments;
	size_t seg;                  /* the next record: its segment, and */
	u64 pos;                     /* its offset there */
	bool scanned;                /* a first pass is complete: header records were applied */
	struct reader_account account;
	struct error flaw;           /* see struct reader_account */
	struct error damage;         /* found at opening or unpacking, which happens only once */
	u64 unread;                  /* the same: bytes */
	bool unfinished;
};

/*
 * reader-header.c: reads the header of a seekable file, from r->map. Leaves one segment.
 * Returns: 0, or -errno with words.
 */
int reader__file_header(struct reader *r, struct error *err);

enum { PIPE_HEADER_SIZE = 16, FILE_HEADER_SIZE = 104 };

/*
 * header-record.c: takes a record that tells about the recording: ATTR, EVENT_UPDATE, FEATURE,
 * BUILD_ID, EVENT_TYPE.
 * Returns: 1 when @hdr was such a record; 0 when it is another one; -EINVAL when it is malformed.
 */
int header_record__apply(struct recording *rec, const struct perf_event_header *hdr);

/* Returns: whether records of @type are such ones. */
bool header_record__is(u32 type);
bool header_record__is_whole(const struct perf_event_header *hdr); /* as EVENT_UPDATE, if it is */

/*
 * resync.c: looks for a place where records seem to begin: several headers in a row make sense.
 * @data, @size: the bytes
 * @pos: where to begin; steps of 8 from there
 * @swap: the records have the other byte order
 * Returns: the position; @size when there is no such place.
 */
u64 records__find(const u8 *data, u64 size, u64 pos, bool swap);

/* Where unpack.c gets its bytes from: memory (fd -1) or a stream. */
struct unpack_source {
	const u8 *mem;
	size_t size;
	int fd;
	u64 offset;       /* of the first byte, for messages */
	const char *path;
	const struct recording *swap; /* the other byte order: events known so far; NULL: ours */
	/* As of reader__open_live_fd(); NULL: none. */
	int (*idle)(void *ctx);
	void *idle_ctx;
};

struct unpacker;
enum { UNPACK_AGAIN = 0, UNPACK_END = 1 };

/*
 * unpack.c: makes plain records of what a source has. Header records are applied to the recording
 * and not handed out.
 * @src: borrowed
 * @rec: NULL: header records are handed out, too
 * @put: gets the records, one or more with each step; returns 0, or what is to end it
 * @damage: what is wrong with the source is said here
 * Returns: what unpacker__free() frees.
 */
struct unpacker *unpacker__new(const struct unpack_source *src, struct recording *rec,
			       int (*put)(void *ctx, const struct perf_event_header *hdr),
			       void *ctx, struct error *damage);

/*
 * Returns: UNPACK_AGAIN; UNPACK_END; or an error that ends it: of the source (then the damage has
 *         words), or what the function put() has returned.
 */
int unpacker__step(struct unpacker *u);

/* From now on ATTR records are damage. */
void unpacker__end_of_events(struct unpacker *u);

/*
 * Hands out a record that was taken from elsewhere, and is plain already. Returns as a step does.
 */
int unpacker__put(struct unpacker *u, const struct perf_event_header *hdr);

/*
 * unpack() with an unpacker that exists: the rest of its source goes into a temporary file.
 * @seg: filled with that file
 * @first: puts records in front; returns as a step does; NULL: none
 * @unread: out: bytes of the source that could not be read
 * Returns: 0; -errno only when there is nothing at all to read.
 */
int unpack_rest_of(struct unpacker *u, struct segment *seg,
		   int (*first)(void *ctx, struct unpacker *u), void *ctx, u64 *unread,
		   struct error *err);

/*
 * To be called when the source has ended: reports an incomplete record at its end.
 * Returns: the bytes of the source that could not be read.
 */
u64 unpacker__end(struct unpacker *u);

/* Frees the unpacker. @u may be NULL. */
void unpacker__free(struct unpacker *u);

struct stream;

/*
 * stream.c: hands out the records of a pipe as they come. Reads up to the first data.
 * @src: copied; its descriptor is borrowed
 * @rec: header records are applied to it
 * @damage: what is wrong with the pipe is said here
 * Returns: 0.
 */
int stream__open(struct stream **out, const struct unpack_source *src, struct recording *rec,
		 struct error *damage);

/* From now on @idle, as of reader__open_live_fd(), is called. */
void stream__on_idle(struct stream *s, int (*idle)(void *ctx), void *ctx);

/* Frees the stream, with all records that were not released. @s may be NULL. */
void stream__close(struct stream *s);

/*
 * Takes the next record.
 * @hdr: out: the record; valid until its owner is released
 * @owner: out: what keeps it, with one reference for the caller
 * Returns: 1; 0 at the end.
 */
int stream__next(struct stream *s, const struct perf_event_header **hdr, void **owner);

/* Returns: the bytes of memory that records take. */
u64 stream__held(const struct stream *s);

/*
 * Writes all that is still to come into a temporary file, as unpack() does, and closes the stream.
 * @seg: filled with that file
 * @unread: out: bytes that could not be read
 * Returns: 0 or -errno, as unpack().
 */
int stream__unpack(struct stream *s, struct segment *seg, u64 *unread, struct error *err);

/*
 * unpack.c, too: copies the records of a source into an unlinked temporary file, each at a multiple
 * of 8, COMPRESSED ones as what they hold, in the byte order of this machine. Header records are
 * applied to the recording and left out.
 * @seg: filled with what could be read
 * @src: borrowed
 * @rec: the recording; or NULL
 * @damage: why it is not all
 * @unread: out: bytes of the source that could not be read
 * Returns: 0; -errno only when there is nothing at all to read.
 */
int unpack(struct segment *seg, const struct unpack_source *src, struct recording *rec,
	   struct error *damage, u64 *unread, struct error *err);

#endif
