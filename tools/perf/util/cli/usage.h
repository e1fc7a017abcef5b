/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The help of a command, made from its array of options: all of it for -h, and for a mistake the
 * usage lines and the options that the mistake is about, as other perfs print them.
 *
 * Options are picked by a string of words: "-F", "--count", or "--no-count" for the same one.
 */
#ifndef PERF_CLI_USAGE_H
#define PERF_CLI_USAGE_H

#include <stdarg.h>
#include <stddef.h>

#include "options.h"

/*
 * Prints the help for -h.
 * @usage: usage lines, with a NULL at the end
 * @words: with a NULL at the end; if there are some, only the options that one of them names, or
 *         that have it in their help in any case
 */
void usage__help(const struct option *options, const char *const usage[],
		 const char *const words[]);

/*
 * After the message for a mistake was printed: prints the usage lines, @usage, and the help of the
 * options in @names; exits with 129.
 */
_Noreturn void usage__exit(const struct option *options, const char *const usage[],
			   const char *names);

/* The same, with a message. @usage, @names: as above. */
_Noreturn void usage__die_about(const struct option *options, const char *const usage[],
				const char *names, const char *fmt, ...) __printf_like(4, 5);

/* Appends to @names how the user may write @o, "--count" or "-c". @size: bytes of @names. */
void usage__add_name(char *names, size_t size, const struct option *o);

/* Returns: whether the option has a value. */
bool usage__takes_value(const struct option *o);

#endif
