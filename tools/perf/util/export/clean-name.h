/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for formats whose strings are UTF-8, and whose readers believe it. */
#ifndef PERF_EXPORT_CLEAN_NAME_H
#define PERF_EXPORT_CLEAN_NAME_H

#include "../base/mem.h"

/* Longer names are cut, and end in three dots. */
#define CLEAN_NAME_MAX 65535

/*
 * Makes a name valid UTF-8 on one line: bytes that are none become U+FFFD, control characters,
 * those of U+0080 to U+009F, too, become '?'.
 * @a: has the result
 * @name: any bytes
 * Returns: the arena's copy, one for equal results.
 */
const char *name__clean(struct arena *a, const char *name);

/* The same for a @text of several lines: their ends stay. Returns a copy in @a. */
const char *name__clean_lines(struct arena *a, const char *text);

#endif
