/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages on stderr. Commands (builtin-*.c, and NAME__run() of the rooms that they call) print
 * what they like; library code returns codes and prints with pr_debug() only. The log level is one
 * of the few writable globals; pipeline.md lists them.
 *
 * Arguments are names, which are made harmless (name__vformat()). What is printed with "%s\n" alone
 * is a text, such as that of a struct error, whose lines stay.
 */
#ifndef PERF_BASE_LOG_H
#define PERF_BASE_LOG_H

#include "../../../lib/unwind/core/types.h"

enum log_level {
	LOG_QUIET = -1, /* -q: errors only */
	LOG_INFO = 0,
	LOG_DEBUG = 1,  /* -v */
	LOG_DEBUG2 = 2, /* -vv */
};

/* @level: messages up to it are printed, an enum log_level */
void log__set_level(int level);

/* @level: a minimum for the present level and for all that are set later */
void log__set_least(int level);

/* Returns: the present level. */
int log__level(void);

/* Prints a line on stderr if @level is at most the present one. */
void log__print(int level, const char *fmt, ...) __printf_like(2, 3);

/* Print an error or a warning, with "Error: " or "Warning: " in front, as other perfs do. */
void pr_err(const char *fmt, ...) __printf_like(1, 2);
void pr_warn(const char *fmt, ...) __printf_like(1, 2);

#define pr_info(...) log__print(LOG_INFO, __VA_ARGS__)
#define pr_debug(...) log__print(LOG_DEBUG, __VA_ARGS__)
#define pr_debug2(...) log__print(LOG_DEBUG2, __VA_ARGS__)

/*
 * For bugs of this program only: prints the place and aborts. Never for bad input or a failing
 * system call.
 */
#define BUG_ON(cond)                                           \
	do {                                                   \
		if (unlikely(cond))                            \
			log__bug(__FILE__, __LINE__, #cond);   \
	} while (0)

/*
 * Internal, see BUG_ON().
 * @file, @line: where
 * @what: the condition
 */
_Noreturn void log__bug(const char *file, int line, const char *what);

#endif
