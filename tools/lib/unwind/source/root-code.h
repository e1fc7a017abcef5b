/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Rows that say that a stack ends: their return address is undefined. That is true of the first
 * function of a stack, which nothing has called, so that it cannot return. Of any other function
 * the return address is only unknown, and the stack is cut there.
 */
#ifndef PERF_UNWIND_SOURCE_ROOT_CODE_H
#define PERF_UNWIND_SOURCE_ROOT_CODE_H

#include "../elf/elf-image.h"
#include "../rows/rows.h"

/* Where such a row is valid, and how it stands in its function. */
struct root_row {
	u64 start, end;
	bool last; /* the function ends with it */
};

/*
 * Does no instruction of @row return or lead out of it, as far as there is code to look at?
 * @img: the code; NULL: there is none
 * @steps: one is taken for each instruction, and what needs more than there are is no root
 */
bool root_row__holds(const struct root_row *row, const struct elf_image *img,
		     const struct unwind_arch_info *arch, u32 *steps);

/* Returns: the rule of a row whose return address is unknown, made of @source. */
struct row_rule row_rule__unknown_ra(const struct unwind_arch_info *arch, enum row_source source);

#endif
