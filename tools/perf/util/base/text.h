/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that somebody else chose: names of programs, files and functions. */
#ifndef PERF_BASE_TEXT_H
#define PERF_BASE_TEXT_H

#include <stdarg.h>

#include "../../../lib/unwind/core/types.h"

/*
 * Makes text harmless to a terminal, in place: control characters (see utf8__control()) except \n
 * and \t, and bytes that are not UTF-8, become '?', one for each byte.
 * @text: @len bytes
 */
void text__disarm(char *text, size_t len);

/*
 * Makes a name harmless wherever it goes, in place: control characters, also \n and \t, become '?',
 * and the bytes 0x80 to 0x9f where they are not UTF-8, which are control characters of other
 * encodings. Other bytes that are not UTF-8 stay: names of files are bytes.
 * @name: @len bytes
 */
void name__disarm(char *name, size_t len);

/* Returns: whether name__disarm() would change nothing of the @len bytes of @name. */
bool name__is_harmless(const char *name, size_t len);

/*
 * As vsnprintf(3), but with arguments as name__disarm() makes them: line ends of the result, and
 * other control characters, are those of the format.
 * @buf, @size: for the result
 * @fmt, @ap: the format and its arguments
 * Returns: the bytes of the whole result, of which size - 1 at most are in @buf.
 */
int name__vformat(char *buf, size_t size, const char *fmt, va_list ap) __printf_like(3, 0);

/* Returns: the bytes of the character at @s, 1 to 4; 0 if the @left bytes there are not UTF-8
 * (RFC 3629). */
size_t utf8__length(const char *s, size_t left);

/*
 * Finds a control character: those of ASCII, U+0080 to U+009F, and what ends a line or changes the
 * direction of the text behind it: U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+206F.
 * @s: where it is to be, of @left bytes
 * Returns: its bytes; 0 if there is none.
 */
size_t utf8__control(const char *s, size_t left);

/* Returns: the last part of @path, without directories: all of it if it ends in a slash. */
const char *path__base(const char *path);

#define UTF8_MAX 4 /* bytes of a character */

/*
 * Writes a character, without a NUL.
 * @code: its number in Unicode
 * @out: room for UTF8_MAX bytes
 * Returns: the bytes written; 0 when @code is no character, or a control character.
 */
size_t utf8__encode(u32 code, char *out);

/*
 * Translates other tools' names of architectures: pipes of perf 7.2 have "x86", "arm64" and "s390".
 * @arch: the name; NULL stays NULL
 * Returns: the name that uname(2) has for it, or @arch itself.
 */
const char *machine_name(const char *arch);

#endif
