// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fatal.h"

static __thread struct fatal_trap *trap_now;

struct fatal_trap *fatal__set_trap(struct fatal_trap *trap)
{
	struct fatal_trap *before = trap_now;

	trap_now = trap;
	return before;
}

_Noreturn void fatal__error(bool no_memory, const char *fmt, ...)
{
	struct fatal_trap *trap = fatal__set_trap(NULL);
	char text[sizeof(trap->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (trap) {
		trap->no_memory = no_memory;
		snprintf(trap->text, sizeof(trap->text), "%s", text);
		longjmp(trap->where, 1);
	}
	fprintf(stderr, "%s%s\n", no_memory ? "Error: " : "BUG: ", text);
	if (no_memory)
		exit(1);
	abort();
}
