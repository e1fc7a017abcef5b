// SPDX-License-Identifier: GPL-2.0-only
#include "clean-name.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static bool is_plain(const char *s)
{
	while ((u8)*s >= 0x20 && (u8)*s < 0x7f)
		s++;
	return !*s;
}

/* Puts the character at @s and returns its bytes. */
static size_t put_char(char **out, const char *s)
{
	size_t left = strnlen(s, UTF8_MAX), n = utf8__length(s, left);
	bool control = n < 3 && utf8__control(s, left);

	if (control)
		*(*out)++ = '?';
	else if (!n)
		*out = mempcpy(*out, REPLACEMENT, strlen(REPLACEMENT));
	else
		*out = mempcpy(*out, s, n);
	return n ?: 1;
}

static const char *clean(struct arena *a, const char *name, bool lines)
{
	size_t len = strlen(name);
	const char *result;
	char *buf, *p;

	if (len <= CLEAN_NAME_MAX && is_plain(name))
		return arena__intern(a, name);
	buf = p = xmalloc(min_of(len, (size_t)CLEAN_NAME_MAX) * strlen(REPLACEMENT) + 8);
	for (size_t i = 0; name[i] && i < CLEAN_NAME_MAX;)
		if (lines && name[i] == '\n')
			*p++ = name[i++];
		else
			i += put_char(&p, name + i);
	if (len > CLEAN_NAME_MAX)
		p = mempcpy(p, "...", 3);
	result = arena__intern_n(a, buf, p - buf);
	free(buf);
	return result;
}

const char *name__clean(struct arena *a, const char *name)
{
	return clean(a, name, false);
}

const char *name__clean_lines(struct arena *a, const char *text)
{
	return clean(a, text, true);
}
