// SPDX-License-Identifier: GPL-2.0-only
#include "gzip-in.h"

static bool is_gzip(struct bytes b)
{
	return b.len > 2 && b.data[0] == 0x1f && b.data[1] == 0x8b;
}

#ifdef HAVE_ZLIB_SUPPORT
#include <zlib.h>

#define GZIP_BITS (15 + 16)   /* the largest window, and gzip's header */
#define CHUNK 65536

static bool inflate_all(struct bytes packed, struct textbuf *out)
{
	z_stream z = { .next_in = (void *)packed.data, .avail_in = packed.len };
	int ret;

	if (inflateInit2(&z, GZIP_BITS) != Z_OK)
		return false;
	do {
		z.next_out = (void *)textbuf__room(out, CHUNK);
		z.avail_out = CHUNK;
		ret = inflate(&z, Z_NO_FLUSH);
		out->len += CHUNK - z.avail_out;
	} while (ret == Z_OK && out->len <= GZIP_IN_MAX);
	inflateEnd(&z);
	return ret == Z_STREAM_END;
}

#else

static bool inflate_all(struct bytes packed __unused_arg, struct textbuf *out __unused_arg)
{
	return false;
}

#endif

bool gzip_in__all(struct bytes packed, struct textbuf *out)
{
	if (packed.len > GZIP_IN_MAX)
		return false;
	if (is_gzip(packed))
		return inflate_all(packed, out);
	textbuf__put(out, (const char *)packed.data, packed.len);
	return true;
}
