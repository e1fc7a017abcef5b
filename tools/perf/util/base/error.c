// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "text.h"

int error__set(struct error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	va_start(ap, fmt);
	name__vformat(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

void error__hint(struct error *err, const char *fmt, ...)
{
	size_t len;
	va_list ap;

	if (!err)
		return;
	len = strlen(err->text);
	if (len + 2 >= sizeof(err->text))
		return;
	err->text[len++] = '\n';
	va_start(ap, fmt);
	name__vformat(err->text + len, sizeof(err->text) - len, fmt, ap);
	va_end(ap);
}

void error__prefix(struct error *err, const char *fmt, ...)
{
	char old[sizeof(err->text)];
	size_t len;
	va_list ap;

	if (!err)
		return;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	name__vformat(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %.*s",
		 (int)(sizeof(err->text) - len - 3), old);
}
