// SPDX-License-Identifier: GPL-2.0-only
#include "gzip-out.h"

#include <stdlib.h>

#include "../base/log.h"
#include "../base/mem.h"

#ifdef HAVE_ZLIB_SUPPORT
#include <zlib.h>

#define LEVEL 1               /* profiles are repetitive: higher levels gain a tenth */
#define GZIP_BITS (15 + 16)   /* the largest window, and gzip's header */
#define CHUNK 65536

struct gzip_out {
	struct textbuf *out;
	z_stream z;
};

struct gzip_out *gzip_out__new(struct textbuf *out)
{
	struct gzip_out *g = xzalloc(sizeof(*g));

	g->out = out;
	BUG_ON(deflateInit2(&g->z, LEVEL, Z_DEFLATED, GZIP_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK);
	return g;
}

static void deflate_all(struct gzip_out *g, int flush)
{
	int ret;

	do {
		g->z.next_out = (void *)textbuf__room(g->out, CHUNK);
		g->z.avail_out = CHUNK;
		ret = deflate(&g->z, flush);
		g->out->len += CHUNK - g->z.avail_out;
	} while (!g->z.avail_out || (flush == Z_FINISH && ret == Z_OK));
}

void gzip_out__put(struct gzip_out *g, const void *p, size_t len)
{
	while (len) {
		size_t n = min_of(len, (size_t)1 << 30);

		g->z.next_in = (void *)p;
		g->z.avail_in = n;
		deflate_all(g, Z_NO_FLUSH);
		p = (const u8 *)p + n;
		len -= n;
	}
}

void gzip_out__end(struct gzip_out *g)
{
	if (!g)
		return;
	deflate_all(g, Z_FINISH);
	deflateEnd(&g->z);
	free(g);
}

#else

struct gzip_out {
	struct textbuf *out;
};

struct gzip_out *gzip_out__new(struct textbuf *out)
{
	struct gzip_out *g = xzalloc(sizeof(*g));

	g->out = out;
	return g;
}

void gzip_out__put(struct gzip_out *g, const void *p, size_t len)
{
	textbuf__put(g->out, p, len);
}

void gzip_out__end(struct gzip_out *g)
{
	free(g);
}

#endif
