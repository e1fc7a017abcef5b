// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "text.h"

void text__disarm(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		u8 c = text[i], next = i + 1 < len ? text[i + 1] : 0;

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			text[i] = '?';
		else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			text[i] = text[i + 1] = '?';
	}
}

bool text__has_controls(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		u8 c = text[i], next = i + 1 < len ? text[i + 1] : 0;

		if (c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0))
			return true;
	}
	return false;
}

size_t utf8__length(const char *s)
{
	const u8 *p = (const u8 *)s;
	size_t len = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 :
		     p[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/*
	 * An overlong encoding, half of a surrogate pair, or beyond the last character of Unicode.
	 */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

size_t utf8__encode(u32 code, char *out)
{
	static const u8 first[UTF8_MAX] = { 0, 0xc0, 0xe0, 0xf0 };
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000) ||
	    code > 0x10ffff)
		return 0;
	for (size_t i = len - 1; i > 0; i--, code >>= 6)
		out[i] = 0x80 | (code & 0x3f);
	out[0] = first[len - 1] | code;
	return len;
}

const char *path__base(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path;
}

const char *machine_name(const char *arch)
{
	static const char *const names[][2] = {
		{ "x86", "x86_64" }, { "arm64", "aarch64" }, { "s390", "s390x" },
	};

	for (size_t i = 0; arch && i < ARRAY_SIZE(names); i++)
		if (!strcmp(arch, names[i][0]))
			return names[i][1];
	return arch;
}
