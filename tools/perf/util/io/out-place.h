/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an output goes: the folder, which is opened once, and a name in it.
 *
 * Links on the way are followed where their text is this user's or root's: in a folder of theirs,
 * and if others can write to it, when the link is theirs. In a folder of another user, and in all
 * that is reached through one, no link is followed, and ".." leads from it only to what is the same
 * user's.
 */
#ifndef PERF_IO_OUT_PLACE_H
#define PERF_IO_OUT_PLACE_H

#include "../base/error.h"
#include "out-folder.h"

struct out_place {
	struct out_folder folder;
	char *name;       /* in it; there need be nothing of this name */
	const char *path; /* as the user said it, for messages; borrowed */
};

/*
 * Finds the place of a file.
 * @p: filled, for out_place__close(); also on failure
 * @path: of the file; its last part may be a link, which is not followed; borrowed
 * Returns: 0, or -errno with words.
 */
int out_place__find(struct out_place *p, const char *path, struct error *err);

/*
 * The place of the file that a link at @p leads to, or the same place when there is no link.
 * @to: filled, for out_place__close(); also on failure
 * Returns: 0, or -errno with words.
 */
int out_place__follow(const struct out_place *p, struct out_place *to, struct error *err);

/*
 * Looks at what has the name of @p.
 * Returns: 0; -ENOENT, without words; another -errno with words.
 */
int out_place__stat(const struct out_place *p, struct stat *st, struct error *err);

/*
 * Opens what the user has named as output: a file that is there is emptied, or replaced by a new
 * one where others could have put it; FIFOs, devices and what a link of /proc has open are opened.
 * Links are followed as above.
 * @flags: O_RDWR or O_WRONLY
 * @mode: of a new file
 * Returns: a descriptor, the caller's; or -errno with words.
 */
int out_place__open(const struct out_place *p, int flags, mode_t mode, struct error *err);

/*
 * Finds and opens @path.
 * @flags, @mode: as of out_place__open()
 * Returns: a descriptor, the caller's; or -errno with words.
 */
int out_place__open_path(const char *path, int flags, mode_t mode, struct error *err);

/*
 * Opens a FIFO or a device that is there, by the same rules; where others could have put it, only
 * one of this user's, root's, or of who owns the folder.
 * @path: of it
 * @flags: as open(2)
 * Returns: a descriptor, the caller's; or -errno with words; -EINVAL: it is a regular file.
 */
int out_place__open_special(const char *path, int flags, struct error *err);

/* Closes the folder and frees the name. A struct whose .folder.fd is negative is fine. */
void out_place__close(struct out_place *p);

/*
 * @path: a file to be written; it need not exist
 * Returns: the capabilities that it takes to make, rename and remove files in its folder, and if it
 *         belongs to another user, to give its replacement to that user; 0 when none is needed.
 */
u64 out_place__privileges(const char *path);

#endif
