/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that somebody else chose: names of programs, files and functions. */
#ifndef PERF_BASE_TEXT_H
#define PERF_BASE_TEXT_H

#include "types.h"

/*
 * Makes text harmless to a terminal, in place: control characters, those of ASCII except \n and \t,
 * and U+0080 to U+009F, become '?'.
 * @text: UTF-8
 * @len: bytes
 */
void text__disarm(char *text, size_t len);

/* Returns: whether @text, of @len bytes, has control characters, also \n and \t. */
bool text__has_controls(const char *text, size_t len);

/* Returns: the bytes of the character at @s, 1 to 4; 0 if it is not valid UTF-8 (RFC 3629). */
size_t utf8__length(const char *s);

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
