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
	u64 offset;          /* what messages and record.offset call the first byte */
	const char *path;    /* for messages */
};

struct reader {
	const char *path;
	bool force, pipe, keep_unknown;
	bool live;                   /* the user wants a stream */
	struct stream *stream;       /* instead of segments */
	int stream_fd;               /* 0: none */
	struct mapfile map;          /* the main file; empty when it is not a regular file */
	struct recording *recording;
	VEC(struct segment) segments;
	size_t seg;                  /* where we are */
	u64 pos;
	bool scanned;                /* a first pass is complete: header records were applied */
	struct reader_account account;
	struct error flaw;           /* see struct reader_account */
	struct error damage;         /* of what was done once, at opening or unpacking */
	u64 unread;                  /* likewise */
	bool unfinished;
};

/* reader-header.c: the header of a seekable file, from r->map. Leaves one segment. */
int reader__file_header(struct reader *r, struct error *err);

enum { PIPE_HEADER_SIZE = 16, FILE_HEADER_SIZE = 104 };
#define PERF_MAGIC "PERFILE2"
#define PERF_MAGIC_SWAPPED "2ELIFREP"

/*
 * header-record.c: records that tell about the recording: ATTR, EVENT_UPDATE, FEATURE, BUILD_ID,
 * EVENT_TYPE. 1 when @hdr was such a record, 0 when it is another one, -EINVAL when malformed.
 */
int header_record__apply(struct recording *rec, const struct perf_event_header *hdr);
bool header_record__is(u32 type);

/*
 * resync.c: where in @data, from @pos on in steps of 8, records seem to begin: several headers in a
 * row make sense. @size when nowhere. @swap: they have the other byte order.
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
};

/*
 * unpack.c: makes plain records of what a source has, one or more with each step; header records
 * are applied to @rec, if there is one, and not handed out. A step returns UNPACK_AGAIN,
 * UNPACK_END, or an error that ends it: of the source (then @damage says it) or of @put.
 */
struct unpacker;
enum { UNPACK_AGAIN = 0, UNPACK_END = 1 };
struct unpacker *unpacker__new(const struct unpack_source *src, struct recording *rec,
			       int (*put)(void *ctx, const struct perf_event_header *hdr),
			       void *ctx, struct error *damage);
int unpacker__step(struct unpacker *u);
void unpacker__end_of_events(struct unpacker *u); /* ATTR records are damage from now on */
int unpacker__put(struct unpacker *u, const struct perf_event_header *hdr); /* a record, done */
/*
 * unpack() with an unpacker that is there: what is left of its source, behind what @first (unless
 * NULL) puts. @first returns as a step does.
 */
int unpack_rest_of(struct unpacker *u, struct segment *seg,
		   int (*first)(void *ctx, struct unpacker *u), void *ctx, u64 *unread,
		   struct error *err);
u64 unpacker__end(struct unpacker *u); /* the last words: how much of the source is unread */
void unpacker__free(struct unpacker *u);

/*
 * stream.c: records of a pipe, as they come. The bytes of a record stay until the owner that
 * comes with it is released.
 */
struct stream;
int stream__open(struct stream **out, const struct unpack_source *src, struct recording *rec,
		 struct error *damage);
void stream__close(struct stream *s); /* with all that was not released; NULL is fine */
/* 1: @hdr and @owner are filled; 0: the end. */
int stream__next(struct stream *s, const struct perf_event_header **hdr, void **owner);
u64 stream__held(const struct stream *s); /* bytes of memory */
/* All that is still to come, into a temporary file, as unpack() does; closes the stream. */
int stream__unpack(struct stream *s, struct segment *seg, u64 *unread, struct error *err);

/*
 * unpack.c, too: copies records from @src into an unlinked temporary file, each at a multiple of 8,
 * COMPRESSED ones as what they hold, in the byte order of this machine, header records applied to
 * @rec and left out. On return @seg holds what could be read; @damage says why it is not all,
 * @unread how much is not. Returns -errno only when there is nothing at all to read.
 */
int unpack(struct segment *seg, const struct unpack_source *src, struct recording *rec,
	   struct error *damage, u64 *unread, struct error *err);

#endif
