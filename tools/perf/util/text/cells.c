// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "cells.h"

static bool ends_cell(char c, const char *separators)
{
	return c == '\n' || (c && strchr(separators, c));
}

/* Whether the cell at @s, of @len bytes, is a number with a sign, or a share: "-001", "+25.00%". */
static bool is_number(const char *s, size_t len)
{
	size_t i = 1, digits = 0;

	for (; i < len && ((s[i] >= '0' && s[i] <= '9') || s[i] == '.'); i++)
		digits += s[i] != '.';
	if (i < len && s[i] == '%')
		i++;
	while (i < len && s[i] == ' ')
		i++;
	return digits && i == len;
}

/* =, +, - and @ in full width (U+FF1D, FF0B, FF0D, FF20), which some spreadsheets take, too */
static bool is_wide_operator(const char *s, size_t len)
{
	return len >= 3 && s[0] == '\xef' && s[1] == '\xbc' &&
	       (s[2] == '\x9d' || s[2] == '\x8b' || s[2] == '\x8d' || s[2] == '\xa0');
}

static bool is_computed(const char *s, size_t len)
{
	if (!len)
		return false;
	switch (*s) {
	case '+':
	case '-':
		return !is_number(s, len);
	case '=':
	case '@':
	case '"':
		return true;
	default:
		return is_wide_operator(s, len);
	}
}

size_t cells__disarm(char *out, const char *text, size_t len, const char *separators)
{
	size_t nr = 0, i = 0;

	while (i < len) {
		size_t end;

		while (i < len && text[i] == ' ' && !ends_cell(' ', separators))
			out[nr++] = text[i++];
		for (end = i; end < len && !ends_cell(text[end], separators); end++)
			;
		if (is_computed(text + i, end - i))
			out[nr++] = '\'';
		if (end < len)
			end++; /* with what ends it */
		memcpy(out + nr, text + i, end - i);
		nr += end - i;
		i = end;
	}
	return nr;
}
