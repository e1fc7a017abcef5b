/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cannot go on: a small allocation that failed, a bug. A program ends with the words on
 * stderr. A library in somebody else's process must neither end it nor print: around its calls it
 * sets a trap, where the flow then goes on. What was allocated meanwhile is lost, and objects that
 * were being changed must not be used any more.
 */
#ifndef PERF_BASE_FATAL_H
#define PERF_BASE_FATAL_H

#include <setjmp.h>

#include "../../../lib/unwind/core/types.h"

/*
 *	struct fatal_trap trap, *before;
 *
 *	if (setjmp(trap.where))
 *		... it failed: trap.text says why, and no trap is set any more
 *	before = fatal__set_trap(&trap);
 *	...
 *	fatal__set_trap(before);
 */
struct fatal_trap {
	jmp_buf where;
	bool no_memory; /* else a bug */
	char text[256];
};

/* Sets the trap of this thread; @trap NULL: none. Returns the one before. */
struct fatal_trap *fatal__set_trap(struct fatal_trap *trap);

/* Goes to the trap with words, or prints them and exits (@no_memory) or aborts. */
_Noreturn void fatal__error(bool no_memory, const char *fmt, ...) __printf_like(2, 3);

#endif
