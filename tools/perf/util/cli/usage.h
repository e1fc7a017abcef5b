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
 * -h: every option; or, when the NULL-terminated @words has some, only those that a word names or
 * that have it in their help, whatever its case.
 */
void usage__help(const struct option *options, const char *const usage[],
		 const char *const words[]);

/* After the message for a mistake was printed: shows the options in @names, and exits with 129. */
_Noreturn void usage__exit(const struct option *options, const char *const usage[],
			   const char *names);

/* The same, with a message. */
_Noreturn void usage__die_about(const struct option *options, const char *const usage[],
				const char *names, const char *fmt, ...) __printf_like(4, 5);

/* "--count" or "-c": how the user may write @o; appends it to the words in @names. */
void usage__add_name(char *names, size_t size, const struct option *o);

bool usage__takes_value(const struct option *o);

#endif
