/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that somebody else chose: names of programs, files and functions. */
#ifndef PERF_BASE_TEXT_H
#define PERF_BASE_TEXT_H

#include "types.h"

/*
 * For what goes to a terminal: replaces what commands it (the control characters of ASCII but \n
 * and \t, and those of Unicode, U+0080 to U+009F) by '?'. @len bytes in UTF-8 at @text, in place.
 */
void text__disarm(char *text, size_t len);

/* Bytes of the character at @s, 1 to 4; 0 for what is not UTF-8 (RFC 3629), such as half of one. */
size_t utf8__length(const char *s);

/*
 * The name of an architecture as uname() has it for names of other tools: perf 7.2's pipes say
 * "x86", "arm64" and "s390". NULL stays NULL.
 */
const char *machine_name(const char *arch);

#endif
