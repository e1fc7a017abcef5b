/* SPDX-License-Identifier: GPL-2.0-only */
/* Base64 (RFC 4648), in pieces. */
#ifndef PERF_EXPORT_BASE64_H
#define PERF_EXPORT_BASE64_H

#include "../text/textbuf.h"

/* Appends @len bytes at @p, and padding: the sizes of all pieces but the last divide by 3. */
static inline void textbuf__base64(struct textbuf *tb, const void *p, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const u8 *in = p;

	for (size_t i = 0; i < len; i += 3) {
		char *out = textbuf__room(tb, 4);
		u32 v = in[i] << 16 | (i + 1 < len ? in[i + 1] << 8 : 0) |
			(i + 2 < len ? in[i + 2] : 0);

		out[0] = digits[v >> 18];
		out[1] = digits[v >> 12 & 63];
		out[2] = i + 1 < len ? digits[v >> 6 & 63] : '=';
		out[3] = i + 2 < len ? digits[v & 63] : '=';
		tb->len += 4;
	}
}

#endif
