// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Instructions of x86-64: their lengths, and what insn.h asks of them. By the opcode maps of the
 * manual "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2, appendix A.
 */
#include <string.h>

#include "insn.h"

enum { RSP = 4, RBP = 5 };

/* What follows an opcode. */
enum {
	M = 1 << 0,     /* a ModRM byte */
	B = 1 << 1,     /* 1 byte */
	W = 1 << 2,     /* 2 bytes */
	Z = 1 << 3,     /* 4 bytes, 2 with an operand size prefix */
	V = 1 << 4,     /* the same, or 8 with REX.W */
	D = 1 << 5,     /* 4 bytes, always */
	A = 1 << 6,     /* an address of 8 bytes */
	X = 1 << 7,     /* no such instruction */
};

static const u8 one_byte[256] = {
	/* 00 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 10 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 20 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 30 */ M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	/* 40 */ X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* 50 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* 60 */ X, X, X, M, X, X, X, X, Z, M | Z, B, M | B, 0, 0, 0, 0,
	/* 70 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* 80 */ M | B, M | Z, X, M | B, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0,
	/* a0 */ A, A, A, A, 0, 0, 0, 0, B, Z, 0, 0, 0, 0, 0, 0,
	/* b0 */ B, B, B, B, B, B, B, B, V, V, V, V, V, V, V, V,
	/* c0 */ M | B, M | B, W, 0, X, X, M | B, M | Z, W | B, 0, W, 0, 0, B, X, 0,
	/* d0 */ M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M,
	/* e0 */ B, B, B, B, B, B, B, B, D, D, X, B, 0, 0, 0, 0,
	/* f0 */ X, 0, X, X, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M,
};

static const u8 two_bytes[256] = {
	/* 00 */ M, M, M, M, X, 0, 0, 0, 0, 0, X, 0, X, M, 0, M | B,
	/* 10 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 20 */ M, M, M, M, X, X, X, X, M, M, M, M, M, M, M, M,
	/* 30 */ 0, 0, 0, 0, 0, 0, X, 0, X, X, X, X, X, X, X, X,
	/* 40 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 50 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 60 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 70 */ M | B, M | B, M | B, M | B, M, M, M, 0, M, M, X, X, M, M, M, M,
	/* 80 */ D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, D,
	/* 90 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* a0 */ 0, 0, 0, M, M | B, M, X, X, 0, 0, 0, M, M | B, M, M, M,
	/* b0 */ M, M, M, M, M, M, M, M, M, M, M | B, M, M, M, M, M,
	/* c0 */ M, M, M | B, M, M | B, M | B, M | B, M, 0, 0, 0, 0, 0, 0, 0, 0,
	/* d0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* e0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* f0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
};

/* An instruction being read. */
struct x86 {
	const u8 *p, *end;
	const u8 *code;     /* its first byte */
	u8 rex;
	bool short_operand, short_address;
	bool repeat;        /* f3: selects another instruction of SSE */
	bool repeat_other;  /* f2, the same */
	u8 map;             /* 1: one_byte[]; 2: two_bytes[]; 3: 0f 38; 4: 0f 3a; 5: VEX */
	u8 vex_map;         /* of VEX and EVEX: 1 to 3 are 0f, 0f 38 and 0f 3a; 5, 6: FP16 */
	u8 vex_reg;         /* their third register, vvvv */
	u8 vex_prefix;      /* pp: 1 to 3 stand for 66, f3 and f2 */
	u8 opcode, what;
	u8 mod, reg, rm;    /* with the bits of REX */
	u8 base;            /* of a memory operand; 0xff: RIP, or none */
	bool index;
	s64 disp, imm;
};

static bool take(struct x86 *x, u32 size, s64 *v)
{
	u64 bits = 0;

	if (x->end - x->p < (ptrdiff_t)size)
		return false;
	for (u32 i = 0; i < size; i++)
		bits |= (u64)*x->p++ << 8 * i;
	*v = size && size < 8 ? (s64)(bits << (64 - 8 * size)) >> (64 - 8 * size) : (s64)bits;
	return true;
}

static bool take_u8(struct x86 *x, u8 *v)
{
	if (x->p == x->end)
		return false;
	*v = *x->p++;
	return true;
}

static bool x86__prefixes(struct x86 *x, u8 *byte)
{
	for (;;) {
		if (!take_u8(x, byte))
			return false;
		switch (*byte) {
		case 0x66:
			x->short_operand = true;
			break;
		case 0x67:
			x->short_address = true;
			break;
		case 0xf3:
			x->repeat = true;
			break;
		case 0xf2:
			x->repeat_other = true;
			break;
		case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
		case 0xf0:
			break;
		default:
			if (*byte >> 4 != 4)
				return true;
			x->rex = *byte;
			return take_u8(x, byte);
		}
	}
}

static bool x86__vex_what(struct x86 *x)
{
	switch (x->vex_map) {
	case 1:
		x->what = two_bytes[x->opcode] & ~D;
		if (x->opcode == 0x7a || x->opcode == 0x7b) /* conversions of EVEX */
			x->what = M;
		return true;
	case 3:
		x->what = M | B;
		return true;
	case 2: case 5: case 6:
		x->what = M;
		return true;
	}
	return false; /* 4 is APX, with immediates as in one_byte[] */
}

/* VEX (c5, c4) and EVEX (62). The bits of REX and vvvv are inverted; c5 has R alone. */
static bool x86__vex(struct x86 *x, u8 byte)
{
	u8 first, last, skip;

	if (!take_u8(x, &first))
		return false;
	last = first;
	if (byte != 0xc5 && !take_u8(x, &last))
		return false;
	if (byte == 0x62 && !take_u8(x, &skip))
		return false;
	x->map = 5;
	x->rex = (u8)~first >> 5 & (byte == 0xc5 ? 4 : 7);
	x->vex_map = byte == 0xc5 ? 1 : first & (byte == 0x62 ? 7 : 31);
	x->vex_reg = (u8)~last >> 3 & 15;
	x->vex_prefix = last & 3;
	return take_u8(x, &x->opcode) && x86__vex_what(x);
}

static bool x86__opcode(struct x86 *x)
{
	u8 byte;

	if (!x86__prefixes(x, &byte))
		return false;
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		return x86__vex(x, byte);
	x->map = 1;
	x->opcode = byte;
	x->what = one_byte[byte];
	if (byte != 0x0f)
		return true;
	x->map = 2;
	if (!take_u8(x, &x->opcode))
		return false;
	x->what = two_bytes[x->opcode];
	if (x->opcode == 0x78 && (x->short_operand || x->repeat_other))
		x->what |= W; /* AMD's extrq and insertq */
	if (x->opcode != 0x38 && x->opcode != 0x3a)
		return true;
	x->map = x->opcode == 0x38 ? 3 : 4;
	x->what = x->map == 3 ? M : M | B;
	return take_u8(x, &x->opcode);
}

static bool x86__modrm(struct x86 *x)
{
	u8 byte, sib = 0;
	u32 size = 0;

	if (!take_u8(x, &byte))
		return false;
	x->mod = byte >> 6;
	x->reg = (byte >> 3 & 7) | (x->rex & 4) << 1;
	x->rm = byte & 7;
	x->base = x->rm;
	if (x->mod != 3 && x->rm == 4) {
		if (!take_u8(x, &sib))
			return false;
		x->base = sib & 7;
		x->index = (sib >> 3 & 7) != 4 || x->rex & 2;
	}
	if (x->mod == 1)
		size = 1;
	else if (x->mod == 2 || (!x->mod && x->base == 5))
		size = 4;
	x->base = !x->mod && x->base == 5 ? 0xff : x->base | (x->rex & 1) << 3;
	x->rm |= (x->rex & 1) << 3;
	return take(x, size, &x->disp);
}

static bool x86__immediate(struct x86 *x)
{
	u32 size = 0, z = x->short_operand && !(x->rex & 8) ? 2 : 4;

	if (x->map == 1 && (x->opcode == 0xf6 || x->opcode == 0xf7) && (x->reg & 7) < 2)
		size += x->opcode == 0xf6 ? 1 : z;
	size += x->what & B ? 1 : 0;
	size += x->what & W ? 2 : 0;
	size += x->what & Z ? z : 0;
	size += x->what & V ? (x->rex & 8 ? 8 : z) : 0;
	size += x->what & D ? 4 : 0;
	size += x->what & A ? (x->short_address ? 4 : 8) : 0;
	return take(x, size, &x->imm);
}

/* Which operands that name general registers an instruction writes. */
enum {
	IN_REG = 1 << 0,
	IN_RM = 1 << 1,
	IN_OPCODE = 1 << 2,
	IN_VEX = 1 << 3,
	BYTE = 1 << 4,  /* only the lowest byte, and without REX that of other registers */
};

static u8 x86__writes_one_byte(const struct x86 *x)
{
	u8 op = x->opcode, reg = x->reg & 7, byte = op & 1 ? 0 : BYTE;

	if (op < 0x38) /* up to cmp */
		return op & 4 ? 0 : byte | (op & 2 ? IN_REG : IN_RM);
	switch (op) {
	case 0x63: case 0x69: case 0x6b: case 0x8a: case 0x8b: case 0x8d:
		return byte | IN_REG;
	case 0x80: case 0x81: case 0x83:
		return reg == 7 ? 0 : byte | IN_RM;
	case 0x86: case 0x87:
		return byte | IN_REG | IN_RM;
	case 0x8c:
		return IN_RM;
	case 0x88: case 0x89: case 0x8f: case 0xc0: case 0xc1: case 0xc6: case 0xc7:
	case 0xd0 ... 0xd3:
		return byte | IN_RM;
	case 0x91 ... 0x97: case 0xb8 ... 0xbf:
		return IN_OPCODE;
	case 0xb0 ... 0xb7:
		return BYTE | IN_OPCODE;
	case 0xf6: case 0xf7: /* not, neg */
		return reg == 2 || reg == 3 ? byte | IN_RM : 0;
	case 0xfe: case 0xff: /* inc, dec */
		return reg < 2 ? byte | IN_RM : 0;
	}
	return 0;
}

static u8 x86__writes_two_bytes(const struct x86 *x)
{
	switch (x->opcode) {
	case 0x00: /* sldt, str */
		return (x->reg & 7) < 2 ? IN_RM : 0;
	case 0x01: /* smsw */
		return (x->reg & 7) == 4 ? IN_RM : 0;
	case 0x1e: /* rdssp; the others do nothing */
		return x->repeat && (x->reg & 7) == 1 ? IN_RM : 0;
	case 0x02: case 0x03: case 0x2c: case 0x2d: case 0x40 ... 0x4f: case 0x50: case 0xaf:
	case 0xb6: case 0xb7: case 0xb8: case 0xbc ... 0xbf: case 0xc5: case 0xd7:
		return IN_REG;
	case 0x20: case 0x21: /* of control and debug registers */
		return IN_RM;
	case 0x78: /* vmread */
		return x->what & W ? 0 : IN_RM;
	case 0x7e: /* with f3 both are of SSE */
		return x->repeat ? 0 : IN_RM;
	case 0x90 ... 0x9f: case 0xb0:
		return BYTE | IN_RM;
	case 0xa4: case 0xa5: case 0xab: case 0xac: case 0xad: case 0xb1: case 0xb3: case 0xbb:
	case 0xc7:
		return IN_RM;
	case 0xae:
		return x->repeat ? IN_RM : 0;
	case 0xba: /* not bt */
		return (x->reg & 7) > 4 ? IN_RM : 0;
	case 0xc0:
		return BYTE | IN_REG | IN_RM;
	case 0xc1:
		return IN_REG | IN_RM;
	case 0xc8 ... 0xcf:
		return IN_OPCODE;
	}
	return 0;
}

static u8 x86__writes_three_bytes(const struct x86 *x)
{
	switch (x->opcode) {
	case 0xf0: case 0xf1: case 0xf6: case 0xfa: case 0xfb:
		return IN_REG;
	case 0xf8: /* urdmsr */
		return IN_RM;
	}
	return 0;
}

/* Of VEX and EVEX, maps 1 and 5: out of vectors and masks, and conversions of one number. */
static u8 x86__writes_vex_moves(const struct x86 *x)
{
	switch (x->opcode) {
	case 0x2c: case 0x2d: case 0x6c: case 0x6d: case 0x78: case 0x79:
		return x->vex_prefix & 2 ? IN_REG : 0;
	case 0x50: case 0x93: case 0xc5: case 0xd7:
		return IN_REG;
	case 0x7e:
		return x->vex_prefix == 1 ? IN_RM : 0;
	}
	return 0;
}

static u8 x86__writes_vex(const struct x86 *x)
{
	switch (x->vex_map) {
	case 1: case 5:
		return x86__writes_vex_moves(x);
	case 2:
		switch (x->opcode) {
		case 0xf2: case 0xf5: case 0xf7: case 0xe0 ... 0xef:
			return IN_REG;
		case 0xf3: /* blsr, blsmsk, blsi */
			return IN_VEX;
		case 0xf6: /* mulx */
			return IN_REG | IN_VEX;
		}
		return 0;
	case 3:
		if (x->opcode == 0xf0) /* rorx */
			return IN_REG;
		return x->opcode >= 0x14 && x->opcode <= 0x17 ? IN_RM : 0;
	}
	return 0;
}

static u8 x86__writes_operands(const struct x86 *x)
{
	switch (x->map) {
	case 1:
		return x86__writes_one_byte(x);
	case 2:
		return x86__writes_two_bytes(x);
	case 3:
		return x86__writes_three_bytes(x);
	case 4:
		return x->opcode >= 0x14 && x->opcode <= 0x17 ? IN_RM : 0;
	case 5:
		return x86__writes_vex(x);
	}
	return 0;
}

/* The bit of an operand's register. Without REX the high bytes of the first four are 4 to 7. */
static u16 x86__bit(const struct x86 *x, u8 what, u8 reg)
{
	return 1U << (what & BYTE && !x->rex ? reg & 3 : reg);
}

/* The registers among what the operands say that the instruction writes, or a part of them. */
static u16 x86__writes(const struct x86 *x)
{
	u8 what = x86__writes_operands(x);
	u16 bits = 0;

	if (what & IN_REG)
		bits |= x86__bit(x, what, x->reg);
	if (what & IN_RM && x->mod == 3)
		bits |= x86__bit(x, what, x->rm);
	if (what & IN_VEX)
		bits |= 1U << x->vex_reg;
	if (what & IN_OPCODE)
		bits |= x86__bit(x, what, (x->opcode & 7) | (x->rex & 1) << 3);
	return bits;
}

/* Does an instruction of one_byte[] write no register but those that its operands name? */
static bool x86__is_explicit(const struct x86 *x)
{
	u8 op = x->opcode;

	switch (op) {
	case 0x00 ... 0x3f: /* not of the accumulator */
		return !(op & 4) || op >= 0x38;
	case 0x50 ... 0x8f: case 0xa8: case 0xa9: case 0xb0 ... 0xc1: case 0xc6: case 0xc7:
	case 0xd0 ... 0xd3: case 0xe9: case 0xeb: case 0xfe:
		return true;
	case 0x90: /* with REX an exchange */
		return !x->rex;
	case 0xf6: case 0xf7: /* not of products */
		return (x->reg & 7) < 4;
	case 0xff: /* no calls */
		return (x->reg & 7) < 2 || (x->reg & 7) > 3;
	}
	return false;
}

/* All registers that may have another value behind the instruction, and perhaps others. */
static u16 x86__may_write(const struct x86 *x)
{
	bool explicit = x->map == 1 && x86__is_explicit(x);
	u8 op = x->opcode;

	if (x->map == 2) {
		if (op == 0x05) /* syscall: rax, rcx, r11 */
			return 1 << 0 | 1 << 1 | 1 << 11;
		explicit = (op >= 0x10 && op < 0x20) || (op >= 0x40 && op < 0x60) || op >> 4 == 8 ||
			   op >> 4 == 9 || op == 0xaf || op == 0xb6 || op == 0xb7 || op == 0xbe ||
			   op == 0xbf;
	}
	return explicit ? x86__writes(x) : 0xffff;
}

static void sp__moves(struct insn *insn, s64 by)
{
	insn->sp = SP_MOVED;
	insn->move = by;
}

static void x86__push_pop(const struct x86 *x, struct insn *insn)
{
	u8 reg = (x->opcode & 7) | (x->rex & 1) << 3;

	sp__moves(insn, x->opcode < 0x58 ? -8 : 8);
	*(x->opcode < 0x58 ? &insn->pushes : &insn->pops) = x->short_operand ? 0 : reg + 1;
	if (x->opcode >= 0x58)
		insn->writes |= 1U << reg;
	if (reg == RBP)
		insn->fp = x->opcode < 0x58 ? FP_PUSHED : FP_POPPED;
	else if (reg == RSP && x->opcode >= 0x58)
		insn->sp = SP_LOST;
}

/* lea n(%rsp),%rsp; lea n(%rbp),%rsp; lea n(%rsp),%rbp */
static void x86__lea(const struct x86 *x, struct insn *insn)
{
	if (x->reg == RSP) {
		insn->sp = x->index ? SP_LOST : x->base == RSP ? SP_MOVED :
			   x->base == RBP ? SP_FROM_FP : SP_LOST;
		insn->move = x->disp;
	} else if (x->reg == RBP && x->base == RSP && !x->index) {
		insn->fp = FP_FROM_SP;
		insn->fp_move = x->disp;
	}
}

/* mov %rsp,%rbp; mov %rbp,%rsp */
static void x86__mov(const struct x86 *x, struct insn *insn)
{
	u8 from = x->opcode == 0x89 ? x->reg : x->rm, to = x->opcode == 0x89 ? x->rm : x->reg;

	if (x->mod != 3)
		return;
	if (from == RSP && to == RBP)
		insn->fp = FP_FROM_SP;
	else if (from == RBP && to == RSP)
		insn->sp = SP_FROM_FP;
}

static void x86__stack(const struct x86 *x, struct insn *insn)
{
	u8 op = x->opcode;

	if (op >= 0x50 && op < 0x60)
		x86__push_pop(x, insn);
	else if (op == 0x68 || op == 0x6a || op == 0x9c || (op == 0xff && (x->reg & 7) == 6))
		sp__moves(insn, -8);
	else if (op == 0x9d || (op == 0x8f && insn->sp != SP_LOST))
		sp__moves(insn, 8);
	else if ((op == 0x81 || op == 0x83) && insn->sp == SP_LOST && (x->reg == 0 || x->reg == 5))
		sp__moves(insn, x->reg ? -x->imm : x->imm);
	else if (op == 0x8d)
		x86__lea(x, insn);
	else if (op == 0x89 || op == 0x8b)
		x86__mov(x, insn);
	if (op == 0xc9) {
		insn->sp = SP_FROM_FP;
		insn->move = 8;
		insn->fp = FP_POPPED;
	}
	if (op == 0xc8) { /* enter */
		insn->sp = SP_LOST;
		insn->fp = FP_LOST;
	}
	/* Words of 2 bytes leave SP where no return address is. */
	if (x->short_operand && !(x->rex & 8) && insn->sp == SP_MOVED)
		insn->sp = SP_LOST;
}

static void x86__flow(const struct x86 *x, struct insn *insn)
{
	u8 op = x->opcode, reg = x->reg & 7;

	insn->kind = INSN_PLAIN;
	if (x->map == 2) {
		if (op >> 4 == 8)
			insn->kind = INSN_BRANCH;
		else if (op == 0x0b || op == 0xb9 || op == 0xff || op == 0x07 || op == 0x35)
			insn->kind = INSN_END;
	} else if (x->map != 1) {
		return;
	} else if (op == 0xe8) {
		insn->kind = INSN_CALL;
	} else if (op == 0xe9 || op == 0xeb) {
		insn->kind = INSN_JUMP;
	} else if (op >> 4 == 7 || (op >= 0xe0 && op <= 0xe3)) {
		insn->kind = INSN_BRANCH;
	} else if (op == 0xc7 && x->mod == 3 && reg == 7) {
		insn->kind = INSN_BRANCH; /* xbegin: to where a transaction goes on that failed */
	} else if (op == 0xff && reg >= 2 && reg <= 5) {
		insn->kind = reg < 4 ? INSN_CALL : INSN_LEAVE;
	} else if (op == 0xc3 || op == 0xc2) {
		insn->kind = INSN_RETURN;
	} else if (op == 0xca || op == 0xcb || op == 0xcf || op == 0xcc || op == 0xf4) {
		insn->kind = INSN_END;
	}
	insn->direct = insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH ||
		       (insn->kind == INSN_CALL && op == 0xe8);
	if (insn->direct)
		insn->target = insn->len + x->imm;
}

bool x86__decode(const u8 *code, size_t len, struct insn *insn)
{
	struct x86 x = {
		.code = code, .p = code, .end = code + (len < 15 ? len : 15), .base = 0xff,
	};

	*insn = (struct insn){};
	if (!x86__opcode(&x) || x.what & X)
		return false;
	if (x.what & M && !x86__modrm(&x))
		return false;
	if (x.map == 1 && x.opcode == 0x8f && x.reg & 7) /* AMD's XOP */
		return false;
	if (!x86__immediate(&x))
		return false;
	insn->len = x.p - code;
	x86__flow(&x, insn);
	if (x86__writes(&x) >> RSP & 1)
		insn->sp = SP_LOST;
	if (x86__writes(&x) >> RBP & 1)
		insn->fp = FP_LOST;
	insn->writes = x86__may_write(&x);
	if (x.map == 1)
		x86__stack(&x, insn);
	else if (x.map == 2 && (x.opcode & 0xf6) == 0xa0) /* %fs and %gs */
		sp__moves(insn, x.opcode & 1 ? 8 : -8);
	return true;
}
