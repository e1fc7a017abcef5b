/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of text that grows in room of the caller's: of accounts, which are a sentence long. */
#ifndef PERF_BASE_LINE_OUT_H
#define PERF_BASE_LINE_OUT_H

#include "../../../lib/unwind/core/types.h"

struct line_out {
	char *buf;   /* borrowed; ends with 0 where .size is not 0 */
	size_t size;
	size_t len;  /* counts what did not fit, too, as snprintf(3) does */
};

/* Appends, as printf(3) does. Arguments are names: they are made harmless (name__vformat()). */
void __printf_like(2, 3) line_out__add(struct line_out *o, const char *fmt, ...);

/* Appends @before, @v with its thousands separated (1,234,567), and @after. */
void line_out__count(struct line_out *o, const char *before, u64 v, const char *after);

#endif
