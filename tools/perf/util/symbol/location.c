// SPDX-License-Identifier: GPL-2.0-only
/* What is asked of a place that was resolved. */
#include "symbols.h"

const char *symbols__line_of(struct symbols *s, const struct location *loc)
{
	return loc->dso ? symbols__srcline(s, loc->dso, loc->addr - loc->is_return, loc->depth) :
			  NULL;
}
