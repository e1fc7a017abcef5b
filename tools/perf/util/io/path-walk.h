/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows a path part by part, so that it can be said of each part whether it counts, and that no
 * program of another user that serves a file system is asked for one (out_folder__look_at()).
 */
#ifndef PERF_IO_PATH_WALK_H
#define PERF_IO_PATH_WALK_H

#include "out-folder.h"

#define PATH_WALK_LINKS 40 /* are followed, as by the kernel */

struct path_walk {
	int fd;         /* of what was reached, O_PATH; negative: nothing */
	struct stat st; /* its */
	bool reads;     /* all links are followed, as by open(2) */
	bool tainted;   /* on the way to it, another user says where the names lead */
	u32 links;      /* that were followed */
	char *left;     /* the parts that are still to go */
};

/*
 * Begins at "/" or in the current folder.
 * @w: filled, for path_walk__end(); also on failure
 * @path: where to; not used afterwards
 * @reads: as in struct path_walk; else links of other users, and what they can change, are refused
 * Returns: 0; -EREMOTE: see out_folder__look_at(); another -errno.
 */
int path_walk__begin(struct path_walk *w, const char *path, bool reads);

/*
 * Begins where a link leads.
 * @w: its .links and .tainted are what they were so far; the rest is filled, also on failure
 * @folder: in which the link is; borrowed
 * @name: of the link
 * Returns: as path_walk__begin(); -ELOOP: it is not followed; -EACCES: the same, to read.
 */
int path_walk__follow(struct path_walk *w, const struct out_folder *folder, const char *name);

/*
 * Goes on until only the last part is left.
 * @name: out: that part, which may be a link; the caller's
 * Returns: as path_walk__follow(); -EISDIR: the path ends in "/", "." or "..".
 */
int path_walk__run(struct path_walk *w, char **name);

/* Frees what is left, and closes .fd unless that was taken away (-1). */
void path_walk__end(struct path_walk *w);

/* Returns: whether @fd is in /proc, where links have no text to follow. */
bool path_walk__is_proc(int fd);

/*
 * Opens what the user has named for reading.
 * @path: of it
 * @flags: as open(2), for reading or O_PATH
 * Returns: a descriptor, the caller's; -EREMOTE: see out_folder__look_at(); another -errno.
 */
int path_walk__open(const char *path, int flags);

#endif
