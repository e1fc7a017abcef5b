// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <string.h>

#include "arch.h"

/* BL, BLR and BLRAA and their like; instructions are little-endian on both sorts of machine. */
static bool aarch64__is_call(const u8 *end)
{
	u32 insn = end[-4] | end[-3] << 8 | end[-2] << 16 | (u32)end[-1] << 24;

	return insn >> 26 == 0x25 || (insn & 0xfefff000) == 0xd63f0000;
}

/*
 * mov x8, #139; svc #0. In Linux since 5.8 the vdso says nothing of it. The frame: siginfo (128
 * bytes), then the ucontext; arch/arm64/include/uapi/asm/sigcontext.h.
 */
static const struct unwind_sigframe *aarch64__sigframe(const u8 *code)
{
	static const u8 rt_sigreturn[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
	static const struct unwind_sigframe frame = {
		.regs = 312, .nr_regs = 31, .sp = 560, .pc = 568,
	};

	return memcmp(code, rt_sigreturn, sizeof(rt_sigreturn)) ? NULL : &frame;
}

const struct unwind_arch_info unwind_arch_aarch64 = {
	.name = "aarch64",
	.e_machine = EM_AARCH64,
	.fp_saved_is_kept = true,
	.ra_in_reg = true,
	.nr_regs = 33,
	.pc = 32,
	.sp = 31,
	.dwarf_sp = 31,
	.dwarf_ra = 30,
	.dwarf_fp = 29,
	.dwarf_pc = 32,
	.address_mask = (1ULL << 48) - 1,
	.ra_slot = 8,
	.sigframe = aarch64__sigframe,
	.is_call = aarch64__is_call,
	.to_dwarf = {
		/* x0 ... x30, sp: the same numbers */
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
		/* pc */
		UNWIND_NO_DWARF,
	},
	.dwarf_names = {
		"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7",
		"x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
		"x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
		"x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
	},
};
