/* SPDX-License-Identifier: GPL-2.0-only */
/* gzip (RFC 1952) in front of a textbuf, by zlib; without it, bytes stay as they are. */
#ifndef PERF_EXPORT_GZIP_OUT_H
#define PERF_EXPORT_GZIP_OUT_H

#include "../text/textbuf.h"

struct gzip_out;

/*
 * @out: gets the bytes; borrowed
 * Returns: what gzip_out__end() frees.
 */
struct gzip_out *gzip_out__new(struct textbuf *out);

/* Appends @len bytes at @p. */
void gzip_out__put(struct gzip_out *g, const void *p, size_t len);

/* Writes what is left, and frees @g, which may be NULL. */
void gzip_out__end(struct gzip_out *g);

#endif
