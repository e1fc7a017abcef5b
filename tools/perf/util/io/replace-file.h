/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that appears as a whole or not at all. It is written without a name, so that nothing is
 * left of it if the program is killed, or under a temporary name in the same directory if the
 * file system has no unnamed files. To replace another file it needs a name, so a kill between
 * two system calls can leave FILE.PID.N, which is complete. The new file gets the owner and mode
 * of the old one; if PATH is a symbolic link, the file that it points to is replaced. "-" and
 * what is not a regular file (a FIFO, /dev/null) is written to directly.
 */
#ifndef PERF_IO_REPLACE_FILE_H
#define PERF_IO_REPLACE_FILE_H

#include "../base/error.h"

struct replace_file {
	const char *path; /* where to write */
	const char *name; /* as the user said it, for messages */
	char *target;     /* internal, as what follows: NULL when written to directly */
	char *temporary;  /* its name; NULL while it has none */
	char *unnamed;    /* /proc/self/fd/ of it, while it has none */
	int fd;
	bool replaces;
	bool keep;        /* set before commit: what was there becomes .old */
	char *old;        /* its name then, FILE.old; owned */
};

/*
 * Makes a new file. The caller opens .path, writes and closes it.
 * @f: filled; for replace_file__abort(), also on failure
 * @name: as the user gave it; borrowed until replace_file__abort()
 * Returns: 0, or -errno with words.
 */
int replace_file__open(struct replace_file *f, const char *name, struct error *err);

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
