// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <elf.h>

#include "../arch.h"

/* BASR r14, BRAS r14, BRASL r14. */
static bool s390x__is_call(const u8 *end)
{
	return (end[-2] == 0x0d && end[-1] >> 4 == 14) || (end[-4] == 0xa7 && end[-3] == 0xe5) ||
	       (end[-6] == 0xc0 && end[-5] == 0xe5);
}

static bool s390x__is_root(const u8 *code __unused_arg)
{
	return false;
}

/* SVC 1 or 248. */
static bool s390x__exits_thread(const u8 *code)
{
	return code[0] == 0x0a && (code[1] == 1 || code[1] == 248);
}

static bool s390x__call_distance(const u8 *end, s64 *distance)
{
	if (end[-6] == 0xc0 && end[-5] == 0xe5) {
		u32 halfwords = (u32)end[-4] << 24 | end[-3] << 16 | end[-2] << 8 | end[-1];

		*distance = 2 * (s64)(s32)halfwords - 6;
		return true;
	}
	*distance = 2 * (s16)(end[-2] << 8 | end[-1]) - 4;
	return end[-4] == 0xa7 && end[-3] == 0xe5;
}

/* BR %r14. */
static bool s390x__is_ret(const u8 *code)
{
	return code[0] == 0x07 && code[1] == 0xfe;
}

/* That; LAY, LA, AGHI, AGFI and LGR to %r15. */
static bool s390x__ends_leaf(const u8 *code)
{
	return s390x__is_ret(code) || (code[0] == 0xe3 && code[1] >> 4 == 15 && code[5] == 0x71) ||
	       (code[0] == 0x41 && code[1] >> 4 == 15) || (code[0] == 0xa7 && code[1] == 0xfb) ||
	       (code[0] == 0xc2 && code[1] == 0xf8) ||
	       (code[0] == 0xb9 && code[1] == 0x04 && code[3] >> 4 == 15);
}

/* BR %r14, or STMG %rN,%r15,offset(%r15) or STMG %rN,%r14, by which r14 is saved. */
static int s390x__pushed(const u8 *code)
{
	bool saves = code[0] == 0xeb && (code[1] & 15) >= 14 && code[2] >> 4 == 15 &&
		     code[4] == 0 && code[5] == 0x24;

	return saves || s390x__is_ret(code) ? 0 : -1;
}

/* STMG %rN,%r15,8*N(%r15). */
static bool s390x__saves(const u8 *code)
{
	u32 reg = code[1] >> 4;

	return code[0] == 0xeb && (code[1] & 15) == 15 && reg <= 14 && code[2] == 0xf0 &&
	       code[3] == 8 * reg && code[4] == 0 && code[5] == 0x24;
}

/* LMG %rN,%r15,offset(%r15) */
static bool s390x__restores(const u8 *code)
{
	return code[0] == 0xeb && (code[1] & 15) == 15 && code[2] >> 4 == 15 && code[5] == 0x04;
}

/* LAY %r15,-N(%r15) or AGHI %r15,-N. */
static s32 s390x__moves_sp(const u8 *code)
{
	if (code[0] == 0xa7 && code[1] == 0xfb)
		return -(s16)(code[2] << 8 | code[3]);
	if (code[0] != 0xe3 || code[1] != 0xf0 || code[2] >> 4 != 15 || code[5] != 0x71)
		return 0;
	return -((s8)code[4] * 4096 + ((code[2] & 15) << 8 | code[3]));
}

static u32 s390x__frame_size(const u8 *code, u32 len)
{
	u32 i = len & ~1U, end = i;

	do {
		if (i < 6 || s390x__is_ret(code + i - 2) || s390x__restores(code + i - 6))
			return 0;
		i -= 2;
	} while (!s390x__saves(code + i - 4));
	for (i += 2; i + 6 <= end; i += 2)
		if (s390x__moves_sp(code + i) > 0)
			return s390x__moves_sp(code + i);
	return 0;
}

/*
 * svc 173 or 119, on the stack or in the vdso. The frame begins with 160 bytes for the handler to
 * save registers in. For one with SA_SIGINFO come 8 that once held the instruction, siginfo (128
 * bytes) and the ucontext; for another one a signal mask, a pointer, and the registers.
 */
static const struct unwind_sigframe *s390x__sigframe(const u8 *code)
{
	static const struct unwind_sigframe rt = {
		.pc = 344, .regs = 352, .nr_regs = 16, .sp = 352 + 15 * 8, .len = 2,
	}, old = {
		.pc = 184, .regs = 192, .nr_regs = 16, .sp = 192 + 15 * 8, .len = 2,
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
	.insn_align = 2,
	.is_call = s390x__is_call,
	.is_root = s390x__is_root,
	.exits_thread = s390x__exits_thread,
	.call_distance = s390x__call_distance,
	.pushed = s390x__pushed,
	.ends_leaf = s390x__ends_leaf,
	.frame_size = s390x__frame_size,
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
