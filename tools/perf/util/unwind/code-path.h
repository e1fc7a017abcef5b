/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following code that has no rows, to learn where a frame's return address is: from its function's
 * first instruction to where it was, or from there to where the function returns.
 *
 * All branches are followed, jumps into other functions as well (tail calls), and calls are taken
 * to return. So PATH_NONE is a proof: a call of that function does not lead to the instruction
 * without another call. Where code goes on at an address in a register or in memory (switches,
 * PLTs), is not known, or is too long, the answer is PATH_UNKNOWN.
 *
 * Answers are remembered. Several threads may ask.
 */
#ifndef PERF_UNWIND_CODE_PATH_H
#define PERF_UNWIND_CODE_PATH_H

#include "../elf/elf-image.h"
#include "arch.h"

enum path_result {
	PATH_UNKNOWN,
	PATH_FOUND,
	PATH_NONE,
};

/* The CFA, the address behind the return address, is at SP + .sp and at FP + .fp of the frame. */
struct code_path {
	enum path_result result;
	bool sp_known, fp_known;
	u32 sp, fp;
	bool fp_lost;            /* the caller's FP is nowhere; else: */
	u32 saved_fp;            /* it is at the CFA - saved_fp; 0: in its register */
};

struct code_paths;

struct code_paths *code_paths__new(const struct elf_image *img,
				   const struct unwind_arch_info *arch);
void code_paths__free(struct code_paths *p);

/*
 * From a function's first instruction at @start to before the one at @pc, vaddrs both. With @pc 0:
 * PATH_NONE says that all paths end.
 */
struct code_path code_paths__from_start(struct code_paths *p, u64 start, u64 pc);

/* From @pc to where its function returns: one of .sp_known and .fp_known is true when found. */
struct code_path code_paths__to_return(struct code_paths *p, u64 pc);

#endif
