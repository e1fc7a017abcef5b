// SPDX-License-Identifier: GPL-2.0-only
#include "producer.h"

#include <ctype.h>
#include <string.h>

/* "GNU C17 12.2.0 -mtune=generic -march=x86-64 -g": with options; "GNU AS 2.40" has none. */
static const char *options_of_gcc(const char *producer)
{
	return strncmp(producer, "GNU ", 4) ? NULL : strstr(producer, " -m");
}

bool producer__left_unoptimized(const char *producer)
{
	const char *option = producer ? options_of_gcc(producer) : NULL;
	bool none = option;

	/* The last -O counts. */
	while (option && (option = strstr(option, " -O"))) {
		option += 3;
		none = option[0] == '0' && (!option[1] || isspace((unsigned char)option[1]));
	}
	return none;
}
