// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fatal.h"
#include "log.h"
#include "text.h"

static int level_now = LOG_INFO, level_least = LOG_QUIET;

void log__set_level(int level)
{
	level_now = max_of(level, level_least);
}

void log__set_least(int level)
{
	level_least = level;
	log__set_level(level_now);
}

int log__level(void)
{
	return level_now;
}

/* A message may quote names of a recording. Of a text that is whole already, the lines are ours. */
static void put(const char *before, const char *fmt, va_list ap)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, ap);
	n = vasprintf(&text, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	if (strcmp(fmt, "%s\n"))
		name__vformat(text, n + 1, fmt, ap);
	else
		text__disarm(text, n);
	fprintf(stderr, "%s%s", before, text);
	free(text);
}

void log__print(int level, const char *fmt, ...)
{
	va_list ap;

	if (level > level_now)
		return;
	va_start(ap, fmt);
	put("", fmt, ap);
	va_end(ap);
}

void pr_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put("Error: ", fmt, ap);
	va_end(ap);
}

void pr_warn(const char *fmt, ...)
{
	va_list ap;

	if (level_now < LOG_INFO)
		return;
	va_start(ap, fmt);
	put("Warning: ", fmt, ap);
	va_end(ap);
}

_Noreturn void log__bug(const char *file, int line, const char *what)
{
	fatal__error(false, "%s:%d: %s", file, line, what);
}
