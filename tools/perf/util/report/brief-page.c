// SPDX-License-Identifier: GPL-2.0-only
/* What all parts of a page need. */
#include <string.h>

#include "../symbol/short-name.h"
#include "../text/chain-text.h"
#include "brief-text.h"

#define OWN_NAME_MAX 160 /* bytes */

/* A name without what could end a line; of a long one the end, which is the function's own name. */
void brief_page__name(const struct brief_page *p, u32 frame, int columns)
{
	const struct stack_frame *f = &p->h->stacks.frames.v[frame];
	const char *s, *end;
	struct textbuf name;

	textbuf__init(&name, -1);
	if (f->sym || f->dso)
		textbuf__chain_frame(&name, p->h, frame, false);
	else
		textbuf__puts(&name, "unknown code"); /* an address tells nobody more */
	textbuf__replace(&name, '\n', '?');
	s = textbuf__str(&name);
	end = name__fit(s, columns);
	textbuf__printf(p->tb, "%s%.*s%s", end == s ? "" : "...", OWN_NAME_MAX, end,
			strlen(end) > OWN_NAME_MAX ? "..." : "");
	textbuf__free(&name);
}
