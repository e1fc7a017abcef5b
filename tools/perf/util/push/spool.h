/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles on disk that wait to be sent: a directory of this user, and a file for each. A profile
 * is put there before it is sent, and removed when the store has said that it has it, so that a
 * receiver, network or sender that dies costs nothing but time. One process at a time sends.
 *
 * A file is called FROM-UNTIL-ID-NAME.FORMAT, times in ns since 1970, and has a line with labels in
 * front of the profile. One that a store did not take while it took others has ".failedN" behind
 * its name, N being how often; one that it has refused for good ends in ".refused", and is not sent
 * again. Halves of one that was too large have "half-ID-" in front of their names, ID being the
 * whole's, until it is removed: so either it is there or both of them are, whenever the sender
 * dies.
 */
#ifndef PERF_PUSH_SPOOL_H
#define PERF_PUSH_SPOOL_H

#include "../../../lib/unwind/core/bytes.h"
#include "../base/error.h"
#include "../base/vec.h"

#define SPOOL_NAME_MAX 64    /* bytes of a service's name */
#define SPOOL_FORMAT_MAX 8
#define SPOOL_ID 32          /* digits */
#define SPOOL_FAILED_MAX 5   /* a profile is refused when it has failed as often */

struct spool_entry {
	char file[256];
	char name[SPOOL_NAME_MAX + 1], format[SPOOL_FORMAT_MAX], id[SPOOL_ID + 1];
	u64 from, until, size;    /* size: of the file */
	u32 nr_failed;
	bool refused;
};

/* What is in a file. */
struct spool_profile {
	const char *labels;       /* "env=prod,rack=7"; "": none */
	struct bytes data;
	char *text;               /* internal: both are in it */
};

struct spool {
	int dir, lock;
	VEC(struct spool_entry) entries; /* of spool__list(), the oldest first */
	VEC(char *) halves;              /* internal */
};

/*
 * Opens the directory, and makes it if it is not there; waits for another process to end sending.
 * @s: filled, for spool__close(), also on failure
 * @path: of the directory
 * Returns: 0, or -errno with words.
 */
int spool__open(struct spool *s, const char *path, struct error *err);

/* Frees all, and lets others send. */
void spool__close(struct spool *s);

/*
 * Puts a profile there, durably. The same one twice is one.
 * @name: of the service; what is no letter, digit or "._-" becomes "_"
 * @format: "pprof" or "otlp"
 * @labels: of the profile, on one line; "": none
 * @from, @until: ns since 1970; 0: unknown
 * @path: a file with the profile, which is copied
 * Returns: 0, or -errno with words.
 */
int spool__add_file(struct spool *s, const char *name, const char *format, const char *labels,
		    u64 from, u64 until, const char *path, struct error *err);

/* Reads .entries. Returns 0 or -errno. */
int spool__list(struct spool *s);

/* Reads an entry. @p: filled, for spool_profile__free(), on success. Returns 0 or -errno. */
int spool__read(struct spool *s, const struct spool_entry *e, struct spool_profile *p);

/* Frees what was read. */
void spool_profile__free(struct spool_profile *p);

/* It was sent. Returns 0 or -errno: it would be sent again. */
int spool__remove(struct spool *s, const struct spool_entry *e);

/*
 * Replaces an entry by its halves, which are added to the end of .entries.
 * @e: an entry, which must not be one of .entries
 * @labels: as the entry's
 * @halves: their contents, of the same format, service and time
 * Returns: 0; -errno, and the entry, at least, is still there.
 */
int spool__halve(struct spool *s, const struct spool_entry *e, const char *labels,
		 const struct bytes halves[2]);

/*
 * It was not taken, while others were: that is counted, and too often is refused.
 * Returns: 0, 1 if it is refused now, or -errno.
 */
int spool__fail(struct spool *s, const struct spool_entry *e);

/* It will never be taken. Returns 0 or -errno. */
int spool__refuse(struct spool *s, const struct spool_entry *e);

/*
 * Removes the oldest profiles, refused ones first, until the others are not larger.
 * @max: bytes
 * Returns: how many were removed; of these, @unsent gets how many were not refused.
 */
u32 spool__shrink(struct spool *s, u64 max, u32 *unsent);

#endif
