/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads perf.data: files, pipes ("-" or a FIFO), compressed or not.
 *
 * A plain file is mapped and its records are views into the mapping. What cannot be rewound
 * (a pipe) or viewed in place (COMPRESSED records, an unaligned data section) is first unpacked
 * into an unlinked temporary file, which is then read in the same way; so every reader can be
 * rewound and every record lives until reader__close(). A directory (perf record --threads) is
 * read file after file.
 *
 * The reader decodes what concerns the recording itself (attrs, features, EVENT_UPDATE, COMPRESSED,
 * ...) and hands out all other records, and EVENT_UPDATE, too. After a record that cannot be right
 * the reader reports the damage once in the account, and goes on behind it if it can.
 */
#ifndef PERF_DATA_READER_H
#define PERF_DATA_READER_H

#include "../io/prefault.h"
#include "record.h"

struct reader;

/* What was wrong with the recording. Commands show it once at the end, and fail on damage. */
struct reader_account {
	u64 records;          /* handed out in the present pass */
	u64 unknown_types;    /* records of a type that we do not know, skipped */
	u32 first_unknown_type;
	u64 unknown_events;   /* records of an id that no attr has */
	u64 malformed;        /* records whose contents do not fit; skipped */
	u64 first_malformed_offset;
	bool unfinished;      /* the recorder was killed: no features, data to the end of file */
	u64 bytes_unread;     /* skipped, or behind the point where reading had to end */
	struct error damage;  /* .code != 0: what was damaged first, with file and offset */
	struct error flaw;    /* the same, for flaws that cost no sample: not a failure */
};

/*
 * Opens a recording.
 * @out: for reader__close()
 * @path: "-" is stdin, NULL is "perf.data"
 * @force: read recordings that belong to another user, too
 * Returns: 0, or -errno with words.
 */
int reader__open(struct reader **out, const char *path, bool force, struct error *err);

/*
 * The same, but a pipe is not unpacked: its records are handed out once, as they come, each with an
 * owner that must be released when the record is no longer needed. Events are known as far as they
 * come in front of the data; features and names may come later. reader__is_stream() then is true.
 * @out: for reader__close()
 * @path: "-" is stdin, NULL is "perf.data"
 * @force: read recordings that belong to another user, too
 * Returns: 0, or -errno with words.
 */
int reader__open_live(struct reader **out, const char *path, bool force, struct error *err);

/*
 * Reads the open file @fd, which stays the caller's, as reader__open() does.
 * @name: what it is called in messages
 * Returns: 0, or -errno with words.
 */
int reader__open_fd(struct reader **out, int fd, const char *name, struct error *err);

/*
 * Reads what a recorder writes into a pipe, as reader__open_live() does, and lets others work while
 * nothing comes.
 * @fd: of the pipe; stays the caller's
 * @name: what it is called in messages
 * @idle: called in front of each read, and thirty times a second while there is nothing to read;
 *        not while the first records are awaited. Anything but 0 ends the stream there. May be NULL
 * Returns: 0, or -errno with words.
 */
int reader__open_live_fd(struct reader **out, int fd, const char *name, int (*idle)(void *ctx),
			 void *ctx, struct error *err);

/* Returns: whether records are handed out once, as they come. */
bool reader__is_stream(const struct reader *r);

/*
 * Turns a stream of which nothing has been read into what reader__open() returns.
 * Returns: 0, or -errno with words.
 */
int reader__unpack_stream(struct reader *r, struct error *err);

/*
 * Starts to prefault a plain file for a pass over it, during which prefault__note() is to be called
 * with offsets of records.
 * Returns: for prefault__stop(), before the reader is closed; NULL: of no use for this file.
 */
struct prefault *reader__prefault(const struct reader *r);

/* Keeps the bytes of a record of a stream. To be released as often as it is held. */
void reader__hold(const struct record *rec);

/* Lets go of a record of a stream. For other records nothing happens. */
void reader__release(const struct record *rec);

/* Returns: the bytes of memory that the records of a stream take. */
u64 reader__held(const struct reader *r);

/* Closes the recording, and with it all of its records. @r may be NULL. */
void reader__close(struct reader *r);

/* Returns: what the recording says about itself; owned by the reader. */
struct recording *reader__recording(const struct reader *r);

/* Returns: the path, for messages. */
const char *reader__path(const struct reader *r);

/* Returns: the bytes of the data section; of a stream those that came so far. */
u64 reader__size(const struct reader *r);

/* Returns: the bytes of all files; of a pipe the same as reader__size(). */
u64 reader__file_size(const struct reader *r);

/* Returns: the offset of the data section in the file. */
u64 reader__data_offset(const struct reader *r);

/* Returns: whether the recording has the format of a pipe; it may be stored in a file. */
bool reader__is_pipe(const struct reader *r);

/* Returns: what was wrong so far; owned by the reader. */
const struct reader_account *reader__account(const struct reader *r);

/*
 * Reads the next record, in the order of the file.
 * @rec: filled, and identified
 * Returns: false at the end; the account says whether all was read.
 */
bool reader__next(struct reader *r, struct record *rec);

/*
 * Hands out records of unknown types, too, for callers that copy them. Only the fields of their
 * sample_id are known.
 */
void reader__keep_unknown(struct reader *r);

/* Goes back to the first record, and resets the account. Not for streams. */
void reader__rewind(struct reader *r);

#endif
