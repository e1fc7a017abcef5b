// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "sources.h"

#include <errno.h>
#include <string.h>

static bool sources__add(struct unwind_sources *s, const char *word, size_t len)
{
	static const char *const names[UNWIND_SOURCE_NR] = {
		[UNWIND_SOURCE_SFRAME] = "sframe",
		[UNWIND_SOURCE_EH_FRAME] = "eh_frame",
	};

	/* A stack by frame pointers never comes to know that it is wrong: nothing can follow. */
	if (s->fp)
		return false;
	if (len == 2 && !strncmp(word, "fp", len))
		return s->fp = true;
	for (u8 i = 0; i < UNWIND_SOURCE_NR; i++) {
		if (strlen(names[i]) != len || strncmp(word, names[i], len) ||
		    memchr(s->v, i, s->nr))
			continue;
		s->v[s->nr++] = i;
		return true;
	}
	return false;
}

int unwind_sources__parse(struct unwind_sources *s, const char *list)
{
	*s = (struct unwind_sources){
		.nr = 2, .v = { UNWIND_SOURCE_SFRAME, UNWIND_SOURCE_EH_FRAME }, .fp = true,
		.by_trust = true,
	};
	if (!list)
		return 0;
	*s = (struct unwind_sources){};
	for (const char *word = list; word; word = strchr(word, ',')) {
		word += *word == ',';
		if (!sources__add(s, word, strcspn(word, ",")))
			return -EINVAL;
	}
	return 0;
}
