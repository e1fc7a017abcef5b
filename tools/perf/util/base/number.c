// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"

bool parse_u64(const char *s, u64 *v)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*v = strtoull(s, &end, s[0] == '0' && (s[1] | 32) == 'x' ? 16 : 10);
	return !errno && !*end;
}

bool parse_percent(const char *s, double *v)
{
	char *end;
	double value = strtod(s, &end);

	if (end == s || (*end && strcmp(end, "%")) || !(value >= 0 && value <= 100))
		return false;
	*v = value;
	return true;
}

bool parse_size(const char *s, u64 *bytes)
{
	static const char units[] = "bkmgt";
	char digits[32];
	size_t len = strspn(s, "0123456789");
	const char *unit = NULL;
	u64 v;

	if (!len || len >= sizeof(digits))
		return false;
	memcpy(digits, s, len);
	digits[len] = '\0';
	if (!parse_u64(digits, &v))
		return false;
	s += len;
	if (*s) {
		unit = strchr(units, *s | 32);
		/* "64K", "64k", "64kB" and "64KiB" are all in use. */
		if (!unit || (s[1] && strcasecmp(s + 1, "b") && strcasecmp(s + 1, "ib")))
			return false;
		for (int shift = 10 * (int)(unit - units); shift; shift -= 10) {
			if (v >> 54)
				return false;
			v <<= 10;
		}
	}
	*bytes = v;
	return true;
}
