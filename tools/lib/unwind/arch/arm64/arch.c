// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <elf.h>
#include <endian.h>
#include <string.h>

#include "../arch.h"

/* Instructions are little-endian on both sorts of machine. */
static u32 aarch64__insn(const u8 *code)
{
	u32 v;

	memcpy(&v, code, sizeof(v));
	return le32toh(v);
}

/* RET, RETAA, RETAB. */
static bool aarch64__is_ret(const u8 *code)
{
	u32 insn = aarch64__insn(code);

	return insn == 0xd65f03c0 || insn == 0xd65f0bff || insn == 0xd65f0fff;
}

static bool aarch64__call_distance(const u8 *end, s64 *distance)
{
	u32 insn = aarch64__insn(end - 4);

	*distance = ((s32)(insn << 6) >> 4) - 4;
	return insn >> 26 == 0x25;
}

/* ADD and SUB to SP; LDP, STP, LDR and STR with an SP that they move. */
static bool aarch64__moves_sp(u32 insn)
{
	if ((insn >> 5 & 31) == 31 &&
	    ((insn & 0x3a800000) == 0x28800000 || (insn & 0x3b200400) == 0x38000400))
		return true;
	return (insn & 0xbf80001f) == 0x9100001f;
}

/* That, RET, and BR, with which an entry of a PLT ends. */
static bool aarch64__ends_leaf(const u8 *code)
{
	u32 insn = aarch64__insn(code);

	return aarch64__is_ret(code) || (insn & 0xfffffc1f) == 0xd61f0000 ||
	       aarch64__moves_sp(insn);
}

/* STP x29, x30, [SP, #-n]! */
static bool aarch64__saves_fp(const u8 *code)
{
	return (aarch64__insn(code) & 0xffe07fff) == 0xa9a07bfd;
}

/* PACIASP, PACIBSP, BTI C, or that with a NOP before; MOV x29, SP behind it; RET. */
static int aarch64__pushed(const u8 *code)
{
	u32 insn = aarch64__insn(code);

	if (aarch64__is_ret(code) || aarch64__saves_fp(code) || insn == 0xd503233f ||
	    insn == 0xd503237f || insn == 0xd503245f)
		return 0;
	if (insn == 0xd503201f && aarch64__saves_fp(code + 4))
		return 0;
	if (insn == 0x910003fd && aarch64__saves_fp(code - 4))
		return -8 * ((s32)(aarch64__insn(code - 4) << 10) >> 25);
	return -1;
}

/* BL, BLR and BLRAA and their like. */
static bool aarch64__is_call(const u8 *end)
{
	u32 insn = aarch64__insn(end - 4);

	return insn >> 26 == 0x25 || (insn & 0xfefff000) == 0xd63f0000;
}

/* NOP and then BL: Go's runtime.goexit, in which goroutines return to the latter. */
static bool aarch64__is_root(const u8 *code)
{
	return aarch64__insn(code - 4) == 0xd503201f && aarch64__insn(code) >> 26 == 0x25;
}

/* MOV x8, #93 or #94; SVC #0. */
static bool aarch64__exits_thread(const u8 *code)
{
	u32 insn = aarch64__insn(code);

	return (insn == 0xd2800ba8 || insn == 0xd2800bc8) &&
	       aarch64__insn(code + 4) == 0xd4000001;
}

/*
 * mov x8, #139; svc #0. In Linux since 5.8 the vdso says nothing of it. The frame: siginfo (128
 * bytes), then the ucontext; arch/arm64/include/uapi/asm/sigcontext.h. The first record behind the
 * registers is that of the floating point ones.
 */
static const struct unwind_sigframe *aarch64__sigframe(const u8 *code)
{
	static const u8 rt_sigreturn[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
	static const struct unwind_sigframe frame = {
		.regs = 312, .nr_regs = 31, .sp = 560, .pc = 568, .len = 8,
		.mark = 592, .marked = 0x46508001,
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
	.insn_align = 4,
	.is_call = aarch64__is_call,
	.is_root = aarch64__is_root,
	.exits_thread = aarch64__exits_thread,
	.call_distance = aarch64__call_distance,
	.pushed = aarch64__pushed,
	.ends_leaf = aarch64__ends_leaf,
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
