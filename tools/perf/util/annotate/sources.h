/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of source files, by the names that debug information has of them. Each file is read once.
 *
 * The names are somebody else's: only regular files are read, of 16 MB at most, and of 256 MB in
 * all; what is more counts as not there.
 */
#ifndef PERF_ANNOTATE_SOURCES_H
#define PERF_ANNOTATE_SOURCES_H

#include "../base/mem.h"

struct sources;

/*
 * @prefix: in front of absolute names; NULL: none. Borrowed
 * @strip: so many folders of the name are taken away before that
 * Returns: what sources__free() frees.
 */
struct sources *sources__new(const char *prefix, u32 strip);

/* @s may be NULL. */
void sources__free(struct sources *s);

/*
 * @path: of the file
 * @line: from 1
 * @len: out: characters of the line, without its end
 * Returns: the line, owned by @s; NULL: the file is not there, or shorter.
 */
const char *sources__line(struct sources *s, const char *path, u32 line, size_t *len);

#endif
