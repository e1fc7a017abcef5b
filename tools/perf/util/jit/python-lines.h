/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of a code object of CPython 3.11 and later. */
#ifndef PERF_JIT_PYTHON_LINES_H
#define PERF_JIT_PYTHON_LINES_H

#include "../../../lib/unwind/core/types.h"

/*
 * Visits the entries of CPython's location table (Objects/locations.md of its sources).
 * @lines, @size: the table; whatever is in it
 * @line: the first line of the code object
 * @each: gets the line of some instructions; 0: they have none
 * Returns: the number of instructions.
 */
u32 python_lines__visit(const u8 *lines, u32 size, u32 line,
		       void (*each)(void *ctx, u32 at, u32 units, u32 line), void *ctx);

#endif
