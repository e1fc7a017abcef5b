// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "arch.h"

/* BASR r14, BRAS r14, BRASL r14. */
static bool s390x__is_call(const u8 *end)
{
	return (end[-2] == 0x0d && end[-1] >> 4 == 14) || (end[-4] == 0xa7 && end[-3] == 0xe5) ||
	       (end[-6] == 0xc0 && end[-5] == 0xe5);
}

/*
 * svc 173 or 119, on the stack or in the vdso. The frame begins with 160 bytes for the handler to
 * save registers in. For one with SA_SIGINFO come 8 that once held the instruction, siginfo (128
 * bytes) and the ucontext; for another one a signal mask, a pointer, and the registers.
 */
static const struct unwind_sigframe *s390x__sigframe(const u8 *code)
{
	static const struct unwind_sigframe rt = {
		.pc = 344, .regs = 352, .nr_regs = 16, .sp = 352 + 15 * 8,
	}, old = {
		.pc = 184, .regs = 192, .nr_regs = 16, .sp = 192 + 15 * 8,
	};

	if (code[0] != 0x0a)
		return NULL;
	return code[1] == 173 ? &rt : code[1] == 119 ? &old : NULL;
}

const struct unwind_arch_info unwind_arch_s390x = {
	.name = "s390x",
	.e_machine = EM_S390,
	.big_endian = true,
	.ra_in_reg = true,
	.nr_regs = 34,
	.pc = 33,
	.sp = 15,
	.dwarf_sp = 15,
	.dwarf_ra = 14,
	.dwarf_fp = 11,
	.dwarf_pc = 32,
	.cfa_above_sp = 160,
	.address_mask = ~0ULL,
	.fp_is_back_chain = true,
	.fp_slot = 88, .ra_slot = 112,
	.sigframe = s390x__sigframe,
	.is_call = s390x__is_call,
	.to_dwarf = {
		/* r0 ... r15 */
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		/* f0 ... f15: DWARF counts the even and the odd ones of each half apart */
		16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31,
		/* psw mask, psw address */
		64, 65,
	},
	.dwarf_names = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
		"f0", "f2", "f4", "f6", "f1", "f3", "f5", "f7",
		"f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15",
	},
};
