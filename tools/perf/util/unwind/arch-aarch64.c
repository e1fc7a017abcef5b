// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "arch.h"

const struct unwind_arch_info unwind_arch_aarch64 = {
	.name = "aarch64",
	.e_machine = EM_AARCH64,
	.fp_saved_is_kept = true,
	.leaf_may_stall = true,
	.nr_regs = 33,
	.pc = 32,
	.sp = 31,
	.dwarf_sp = 31,
	.dwarf_ra = 30,
	.dwarf_fp = 29,
	.to_dwarf = {
		/* x0 ... x30, sp: the same numbers */
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
		/* pc */
		UNWIND_NO_DWARF,
	},
};
