/* SPDX-License-Identifier: GPL-2.0-only */
/* perf unwind sframe: makes the .sframe section of a binary that was built without one. */
#ifndef PERF_SFRAME_SFRAME_MAKE_H
#define PERF_SFRAME_SFRAME_MAKE_H

#include "../base/error.h"
#include "../text/textbuf.h"

struct sframe_make {
	const char *output;   /* a copy of the binary with the section; NULL: none is written */
	bool alone;           /* the section alone is written there */
	unsigned int version; /* of the format: 2 or 3; 0: 3 */
};

/*
 * Makes the section, writes what is asked for, and prints what is in it and what could not be said,
 * unless the section goes where the words would go.
 * @fd: of the binary; stays the caller's
 * @path: of it, for messages
 * Returns: 0; -errno with words.
 */
int sframe_make(const struct sframe_make *make, int fd, const char *path, struct textbuf *tb,
		struct error *err);

#endif
