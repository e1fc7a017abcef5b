// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "text.h"

size_t utf8__length(const char *s, size_t left)
{
	const u8 *p = (const u8 *)s;
	size_t len = !left ? 0 : p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 :
		     p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

	if (len > left)
		return 0;
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

/* Returns whether the character at @p, of @len bytes, ends a line or sets the direction of text. */
static bool moves_text(const u8 *p, size_t len)
{
	if (len == 2)
		return p[0] == 0xd8 && p[1] == 0x9c; /* U+061C */
	if (len != 3 || p[0] != 0xe2)
		return false;
	return p[1] == 0x81 ? p[2] >= 0xa6 && p[2] <= 0xaf : /* U+2066 to U+206F */
	       p[1] == 0x80 && (p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae));
}

size_t utf8__control(const char *s, size_t left)
{
	const u8 *p = (const u8 *)s;
	size_t len = utf8__length(s, left);

	if (len == 1)
		return p[0] < 0x20 || p[0] == 0x7f;
	return (len == 2 && p[0] == 0xc2 && p[1] < 0xa0) || moves_text(p, len) ? len : 0;
}

/* Returns how many of the first @len bytes are printable ASCII. */
static size_t plain_length(const char *s, size_t len)
{
	const u64 ones = 0x0101010101010101;
	size_t i = 0;
	u64 x;

	for (; i + sizeof(x) <= len; i += sizeof(x)) {
		memcpy(&x, s + i, sizeof(x));
		/* A high bit is left where a byte has it, is below 0x20, or is 0x7f. */
		if ((x | (x - 0x20 * ones) | (x + ones)) & 0x80 * ones)
			break;
	}
	while (i < len && (u8)s[i] >= 0x20 && (u8)s[i] < 0x7f)
		i++;
	return i;
}

void text__disarm(char *text, size_t len)
{
	size_t i = 0, n;

	while ((i += plain_length(text + i, len - i)) < len) {
		n = utf8__length(text + i, len - i);
		if (!n || (utf8__control(text + i, len - i) && text[i] != '\n' && text[i] != '\t'))
			memset(text + i, '?', n ?: 1);
		i += n ?: 1;
	}
}

/* Returns where the first bytes of @name are that are to become '?', and @nr, how many; or @len. */
static size_t name__find_harm(const char *name, size_t len, size_t *nr)
{
	size_t i = 0, n;

	while ((i += plain_length(name + i, len - i)) < len) {
		*nr = utf8__control(name + i, len - i);
		n = utf8__length(name + i, len - i);
		if (!n && (u8)name[i] < 0xa0)
			*nr = 1;
		if (*nr)
			break;
		i += n ?: 1;
	}
	return i;
}

bool name__is_harmless(const char *name, size_t len)
{
	size_t nr;

	return name__find_harm(name, len, &nr) == len;
}

void name__disarm(char *name, size_t len)
{
	size_t nr, at;

	while ((at = name__find_harm(name, len, &nr)) < len) {
		memset(name + at, '?', nr);
		name += at + nr;
		len -= at + nr;
	}
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

/* Whether @text is to be shown as it is: printable ASCII, and perhaps a line end behind. */
static bool is_plain(const char *text, size_t len)
{
	size_t plain = plain_length(text, len);

	return plain == len || (plain + 1 == len && text[plain] == '\n');
}

/* Formats with @mark in place of all control characters of @fmt. */
static void __printf_like(4, 0)
format_marked(char *buf, size_t size, char mark, const char *fmt, va_list ap)
{
	char *marked = xstrdup(fmt);

	for (char *p = marked; *p; p++)
		if ((u8)*p < 0x20 || *p == 0x7f)
			*p = mark;
	vsnprintf(buf, size, marked, ap);
	free(marked);
}

/* Returns the first control character of @fmt; @fmt where it ends. */
static const char *next_control(const char *fmt)
{
	while (*fmt && (u8)*fmt >= 0x20 && *fmt != 0x7f)
		fmt++;
	return fmt;
}

/*
 * Disarms all but the control characters of @fmt. Where these are is where the results of two
 * formats differ that have different characters in their place.
 */
static void __printf_like(3, 0)
disarm_arguments(char *buf, size_t len, const char *fmt, va_list ap)
{
	char *other = xmalloc(len + 1);
	size_t from = 0;
	va_list again;

	va_copy(again, ap);
	format_marked(buf, len + 1, 1, fmt, again);
	va_end(again);
	format_marked(other, len + 1, 2, fmt, ap);
	for (size_t i = 0; i < len; i++) {
		if (buf[i] == other[i])
			continue;
		name__disarm(buf + from, i - from);
		fmt = next_control(fmt);
		buf[i] = *fmt++;
		from = i + 1;
	}
	name__disarm(buf + from, len - from);
	free(other);
}

int name__vformat(char *buf, size_t size, const char *fmt, va_list ap)
{
	va_list again;
	size_t len;
	int n;

	va_copy(again, ap);
	n = vsnprintf(buf, size, fmt, ap);
	len = n < 0 || !size ? 0 : min_of((size_t)n, size - 1);
	if (len && !is_plain(buf, len))
		disarm_arguments(buf, len, fmt, again);
	va_end(again);
	return n;
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
