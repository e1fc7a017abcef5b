/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A buffered writer of an unlinked temporary file in $TMPDIR (or /tmp): what is written there is
 * gone when the file is closed, however the program ends.
 */
#ifndef PERF_IO_TEMPFILE_H
#define PERF_IO_TEMPFILE_H

#include "../base/error.h"

struct tempfile {
	int fd;
	const char *dir; /* for messages */
	u8 *buf;
	size_t used;
	u64 size;        /* written, with what is still in .buf */
};

/* Returns: the directory that they are made in: $TMPDIR or /tmp. */
const char *tempfile__dir(void);

/*
 * Makes the file and its buffer.
 * @t: filled; for tempfile__close(), also on failure
 * Returns: 0, or -errno with words.
 */
int tempfile__open(struct tempfile *t, struct error *err);

/* Appends @size bytes at @data. Returns 0, or -errno with words. */
int tempfile__write(struct tempfile *t, const void *data, size_t size, struct error *err);

/* Writes what is still in the buffer. Returns 0, or -errno with words. */
int tempfile__flush(struct tempfile *t, struct error *err);

/* Closes and thereby removes the file, and frees the buffer. */
void tempfile__close(struct tempfile *t);

#endif
