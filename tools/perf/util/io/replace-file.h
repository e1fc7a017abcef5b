/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that appears as a whole or not at all. It is written without a name, so that nothing is
 * left of it if the program is killed, or under a temporary name in the same directory if the
 * file system has no unnamed files. To replace another file it needs a name, so a kill between
 * two system calls can leave FILE.PID.N, which is complete. The new file gets the owner and mode
 * of the old one, but for setuid, setgid and sticky; if PATH is a symbolic link, the file that it
 * points to is replaced, where out-place.h follows links. "-" and what is not a regular file (a
 * FIFO, /dev/null, /dev/stdout) is written to directly.
 */
#ifndef PERF_IO_REPLACE_FILE_H
#define PERF_IO_REPLACE_FILE_H

#include "out-place.h"

struct replace_file {
	const char *name;       /* as the user said it */
	struct out_place place; /* of what is replaced or written to; not of "-" */
	bool found;             /* .place is */
	bool by_broker;         /* it is the broker's (broker.h), and .place is not known */
	int own;                /* what "-" or /dev/fd/N has open in this process; or negative */
	int fd;                 /* of the new file; negative: what is there is written to */
	char *temporary;        /* its name in the folder; NULL while it has none */
	bool replaces;
	bool keep;              /* set before commit: what was there becomes .old */
	bool program;           /* set before commit: who may read it may run it */
	char *old;              /* its name then, FILE.old; owned */
};

/*
 * Makes a new file.
 * @f: filled; for replace_file__abort(), also on failure
 * @name: as the user gave it; borrowed until replace_file__abort()
 * Returns: 0, or -errno with words.
 */
int replace_file__open(struct replace_file *f, const char *name, struct error *err);

/*
 * Returns: a descriptor to write to, the caller's: of the new file, of what is written to directly,
 *         of standard output for "-"; or -errno with words.
 */
int replace_file__fd(const struct replace_file *f, struct error *err);

/*
 * Makes the file durable and visible, when the caller has written and closed it. With .keep,
 * what was there is FILE.old from then on, in place of what had that name; where hard links are
 * possible there is a FILE at every moment, otherwise FILE or FILE.old. Nothing is replaced when it
 * cannot be kept.
 * @size: out: bytes of the file; 0 for a pipe
 * Returns: 0, or -errno with words.
 */
int replace_file__commit(struct replace_file *f, u64 *size, struct error *err);

/*
 * Removes the file unless it was committed, and frees the names. Needed after a commit, too; a
 * zeroed struct is fine.
 */
void replace_file__abort(struct replace_file *f);

#endif
