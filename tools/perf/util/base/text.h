/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that somebody else chose: names of programs, files and functions. */
#ifndef PERF_BASE_TEXT_H
#define PERF_BASE_TEXT_H

#include "types.h"

/*
 * Makes @len bytes of UTF-8 at @text harmless to a terminal, in place: control characters, those of
 * ASCII except \n and \t, and U+0080 to U+009F, become '?'.
 */
void text__disarm(char *text, size_t len);

/* Size in bytes of the character at @s, 1 to 4; 0 if it is not valid UTF-8 (RFC 3629). */
size_t utf8__length(const char *s);

/*
 * Translates other tools' names of architectures into those of uname(): pipes of perf 7.2 have
 * "x86", "arm64" and "s390". NULL stays NULL.
 */
const char *machine_name(const char *arch);

#endif
