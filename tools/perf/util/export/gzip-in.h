/* SPDX-License-Identifier: GPL-2.0-only */
/* What gzip_out has written, read again. */
#ifndef PERF_EXPORT_GZIP_IN_H
#define PERF_EXPORT_GZIP_IN_H

#include "../../../lib/unwind/core/bytes.h"
#include "../text/textbuf.h"

#define GZIP_IN_MAX (1u << 30) /* bytes: more is taken for damage */

/*
 * @out: gets the contents of @packed; what has no gzip's header is copied
 * Returns: false for damage, for what is larger than GZIP_IN_MAX, and without zlib.
 */
bool gzip_in__all(struct bytes packed, struct textbuf *out);

#endif
