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
 * The reader decodes what concerns the recording itself (attrs, features, EVENT_UPDATE,
 * COMPRESSED...) and hands out everything else, and EVENT_UPDATE, too. Damage is survived: after
 * a record that cannot be right the reader reports it once in the account, and goes on where it
 * can or ends there.
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
	struct error flaw;    /* likewise, for flaws that cost no sample: not a failure */
};

/* @path "-" is stdin, NULL is "perf.data". 0 or -errno with words in @err. */
int reader__open(struct reader **out, const char *path, bool force, struct error *err);

/*
 * The same, but a pipe is not unpacked: its records are handed out as they come, once, each with
 * an owner that must be released when it is no longer needed. Events are known, as far as they
 * come in front of the data; features and names may come later. Then reader__is_stream().
 */
int reader__open_live(struct reader **out, const char *path, bool force, struct error *err);
bool reader__is_stream(const struct reader *r);
/* Turns a stream of which nothing has been read into what reader__open() returns. */
int reader__unpack_stream(struct reader *r, struct error *err);

/*
 * Starts to prefault a plain file for a pass over it, during which prefault__note() is to be called
 * with offsets of records; NULL: of no use for this file.
 */
struct prefault *reader__prefault(const struct reader *r);

void reader__hold(const struct record *rec);    /* of a stream; as often released as held */
void reader__release(const struct record *rec);
u64 reader__held(const struct reader *r);       /* bytes of memory, of a stream */
void reader__close(struct reader *r);

struct recording *reader__recording(const struct reader *r);
const char *reader__path(const struct reader *r);
u64 reader__size(const struct reader *r);      /* bytes of the data section; of a stream: so far */
u64 reader__file_size(const struct reader *r); /* of all its files; of a pipe as reader__size() */
u64 reader__data_offset(const struct reader *r); /* of the data section */
bool reader__is_pipe(const struct reader *r);
const struct reader_account *reader__account(const struct reader *r);

/* True: @rec is the next record in file order; false: end (see the account for how it ended). */
bool reader__next(struct reader *r, struct record *rec);

/*
 * Hands out records of unknown types, too, for callers that copy them; only the fields of the
 * sample_id are known of these.
 */
void reader__keep_unknown(struct reader *r);

/* Back to the first record; the account is reset. */
void reader__rewind(struct reader *r);

#endif
