/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libperf, general part: where its messages go.
 *
 * The library prints nothing by itself. A program that wants to see its messages gives a function
 * to libperf_init(); it gets a level, a format and the arguments, and may be called from any thread
 * that calls into the library.
 */
#ifndef LIBPERF_CORE_H
#define LIBPERF_CORE_H

#include <stdarg.h>

#ifndef LIBPERF_API
#define LIBPERF_API __attribute__((visibility("default")))
#endif

enum libperf_print_level {
	LIBPERF_ERR,
	LIBPERF_WARN,
	LIBPERF_INFO,
	LIBPERF_DEBUG,
	LIBPERF_DEBUG2,
	LIBPERF_DEBUG3,
};

typedef int (*libperf_print_fn_t)(enum libperf_print_level level, const char *fmt, va_list ap);

/* Sets the function that gets the library's messages. @fn: NULL: none. */
LIBPERF_API void libperf_init(libperf_print_fn_t fn);

#endif
