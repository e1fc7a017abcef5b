// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "suggest.h"

#define MAX_WORD 64

/* Edits (insert, delete, replace, swap of neighbours) from @a to @b; words are short. */
static unsigned int edit_distance(const char *a, size_t la, const char *b, size_t lb)
{
	u8 rows[3][MAX_WORD + 1];
	u8 *before = rows[0], *above = rows[1], *now = rows[2];

	for (size_t j = 0; j <= lb; j++)
		above[j] = j;
	for (size_t i = 1; i <= la; i++) {
		u8 *oldest = before;

		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			u8 best = above[j - 1] + (a[i - 1] != b[j - 1]);

			best = min_of(best, (u8)(above[j] + 1));
			best = min_of(best, (u8)(now[j - 1] + 1));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = min_of(best, (u8)(before[j - 2] + 1));
			now[j] = best;
		}
		before = above;
		above = now;
		now = oldest;
	}
	return above[lb];
}

void suggest__try(struct suggest *s, const char *typed, size_t len, const char *name)
{
	size_t name_len = strlen(name);
	unsigned int d, i;

	if (!len || len > MAX_WORD || name_len > MAX_WORD)
		return;
	d = name_len > len && !strncmp(typed, name, len) ? 1 :
	    edit_distance(typed, len, name, name_len);
	if (d > (len + 2) / 3)
		return;
	for (i = s->nr; i > 0 && s->distance[i - 1] > d; i--) {
		if (i < SUGGEST_MAX) {
			s->names[i] = s->names[i - 1];
			s->distance[i] = s->distance[i - 1];
		}
	}
	if (i == SUGGEST_MAX)
		return;
	s->names[i] = name;
	s->distance[i] = d;
	s->nr = min_of(s->nr + 1, (unsigned int)SUGGEST_MAX);
}

void suggest__print(const struct suggest *s, const char *prefix, char *buf, size_t size)
{
	size_t n = 0;

	if (size)
		buf[0] = '\0';
	for (unsigned int i = 0; i < s->nr && n < size; i++)
		n += snprintf(buf + n, size - n, "%s%s%s", i ? " or " : ". Did you mean ", prefix,
			      s->names[i]);
	if (s->nr && n < size)
		snprintf(buf + n, size - n, "?");
}
