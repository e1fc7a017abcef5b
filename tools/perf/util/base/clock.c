// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "clock.h"

bool clock__parse(const char *s, u64 unit, u64 *ns)
{
	const struct { const char *name; u64 ns; } units[] = {
		{ "", unit }, { "ns", 1 }, { "us", 1000 }, { "ms", NSEC_PER_MSEC },
		{ "s", NSEC_PER_SEC },
	};
	char *end = NULL;
	u64 n = *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : UINT64_MAX;

	for (size_t i = 0; n <= UINT32_MAX && i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].name) || !units[i].ns)
			continue;
		*ns = n * units[i].ns;
		return true;
	}
	return false;
}
