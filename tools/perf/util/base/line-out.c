// SPDX-License-Identifier: GPL-2.0-only
#include "line-out.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "text.h"

void line_out__add(struct line_out *o, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = name__vformat(o->len < o->size ? o->buf + o->len : NULL,
		      o->len < o->size ? o->size - o->len : 0, fmt, args);
	va_end(args);
	o->len += n > 0 ? n : 0;
}

void line_out__count(struct line_out *o, const char *before, u64 v, const char *after)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, v);

	line_out__add(o, "%s", before);
	for (int i = 0; i < len; i++)
		line_out__add(o, "%s%c", i && !((len - i) % 3) ? "," : "", digits[i]);
	line_out__add(o, "%s", after);
}
