// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"

static int level_now = LOG_INFO;

void log__set_level(int level)
{
	level_now = level;
}

int log__level(void)
{
	return level_now;
}

void log__print(int level, const char *fmt, ...)
{
	va_list ap;

	if (level > level_now)
		return;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}

void pr_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("Error: ", stderr);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}

void pr_warn(const char *fmt, ...)
{
	va_list ap;

	if (level_now < LOG_INFO)
		return;
	va_start(ap, fmt);
	fputs("Warning: ", stderr);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}

_Noreturn void log__bug(const char *file, int line, const char *what)
{
	fprintf(stderr, "BUG: %s:%d: %s\n", file, line, what);
	abort();
}
