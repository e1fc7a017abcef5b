/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How library code reports failure.
 *
 * A function that can fail returns 0 (or a count) on success and -errno on failure. When the
 * reason needs words (which file, which offset, which sysctl), it also takes a `struct error *`
 * and fills it through error__set(); the command at the edge prints it. Library code itself
 * prints nothing. Passing NULL for the struct is always allowed. Arguments are names: they are made
 * harmless (name__vformat()).
 */
#ifndef PERF_BASE_ERROR_H
#define PERF_BASE_ERROR_H

#include "../../../lib/unwind/core/types.h"

struct error {
	int code;        /* -errno, 0 when nothing failed */
	char text[1024]; /* one sentence, no program name; a hint may follow a '\n' */
};

/*
 * Says what failed.
 * @err: filled; may be NULL
 * @code: -errno
 * Returns: @code, so that callers can `return error__set(...)`.
 */
int error__set(struct error *err, int code, const char *fmt, ...) __printf_like(3, 4);

/* Appends a hint ("what to do about it") on a line of its own. @err may be NULL. */
void error__hint(struct error *err, const char *fmt, ...) __printf_like(2, 3);

/* Puts "what: " in front of the present text. @err may be NULL. */
void error__prefix(struct error *err, const char *fmt, ...) __printf_like(2, 3);

#endif
