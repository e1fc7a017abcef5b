/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Where functions begin, by the code alone: of binaries that have neither rows nor symbols. All
 * code is decoded once, one instruction behind the other. A function is what a direct call leads
 * to; and what an instruction takes the address of, if nothing in front of it goes on there. Data
 * between functions is decoded as well, so each of these is a guess, which the caller has to prove.
 */
#ifndef PERF_UNWIND_WALK_CODE_STARTS_H
#define PERF_UNWIND_WALK_CODE_STARTS_H

#include "../elf/elf-image.h"
#include "../arch/arch.h"

struct code_starts;

/*
 * Looks through the code of @img, which must live longer; 8 MB of it at most.
 * @arch: has decode()
 * Returns: NULL when out of memory.
 */
struct code_starts *code_starts__new(const struct elf_image *img,
				     const struct unwind_arch_info *arch);

/* NULL is fine. */
void code_starts__free(struct code_starts *s);

/*
 * Finds the last one up to @vaddr, *@start, and where the next one is, *@end, or as far as a
 * function may reach. Returns: false when there is none near.
 */
bool code_starts__find(const struct code_starts *s, u64 vaddr, u64 *start, u64 *end);

#endif
