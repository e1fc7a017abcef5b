// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "arch.h"

#define NONE UNWIND_NO_DWARF

const struct unwind_arch_info unwind_arch_x86_64 = {
	.name = "x86_64",
	.e_machine = EM_X86_64,
	.nr_regs = 24,
	.pc = 8,
	.sp = 7,
	.dwarf_sp = 7,
	.dwarf_ra = 16,
	.dwarf_fp = 6,
	.to_dwarf = {
		/* ax bx cx dx si di bp sp */
		0, 3, 2, 1, 4, 5, 6, 7,
		/* ip flags cs ss ds es fs gs */
		16, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
		/* r8 ... r15 */
		8, 9, 10, 11, 12, 13, 14, 15,
	},
	.dwarf_names = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
		"rip",
	},
};
