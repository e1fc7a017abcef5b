// SPDX-License-Identifier: GPL-2.0-only
#include "assembler.h"

#include <errno.h>

static void put(struct bpf_asm *a, u8 code, u8 dst, u8 src, s16 off, s32 imm)
{
	*vec__push(&a->insns) = (struct bpf_insn){
		.code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

int bpf_asm__label(struct bpf_asm *a)
{
	*vec__push(&a->labels) = -1;
	return a->labels.nr - 1;
}

void bpf_asm__place(struct bpf_asm *a, int label)
{
	a->labels.v[label] = a->insns.nr;
}

void bpf_asm__place_function(struct bpf_asm *a, int label)
{
	bpf_asm__place(a, label);
	*vec__push(&a->functions) = a->insns.nr;
}

void bpf_asm__alu(struct bpf_asm *a, u8 op, u8 dst, u8 src)
{
	put(a, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void bpf_asm__alu_imm(struct bpf_asm *a, u8 op, u8 dst, s32 imm)
{
	put(a, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

/* It takes two instructions, the second of which has the upper half alone. */
static void put_wide(struct bpf_asm *a, u8 dst, u8 src, u64 v)
{
	put(a, BPF_LD | BPF_DW | BPF_IMM, dst, src, 0, (u32)v);
	put(a, 0, 0, 0, 0, v >> 32);
}

void bpf_asm__imm64(struct bpf_asm *a, u8 dst, u64 v)
{
	put_wide(a, dst, 0, v);
}

void bpf_asm__map(struct bpf_asm *a, u8 dst, int fd)
{
	put_wide(a, dst, BPF_PSEUDO_MAP_FD, (u32)fd);
}

static void put_fixup(struct bpf_asm *a, int label, bool address)
{
	*vec__push(&a->fixups) = (struct bpf_fixup){ a->insns.nr, label, address };
}

void bpf_asm__function(struct bpf_asm *a, u8 dst, int label)
{
	put_fixup(a, label, true);
	put_wide(a, dst, BPF_PSEUDO_FUNC, 0);
}

void bpf_asm__load(struct bpf_asm *a, u8 size, u8 dst, u8 src, s16 off)
{
	put(a, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

void bpf_asm__store(struct bpf_asm *a, u8 size, u8 dst, s16 off, u8 src)
{
	put(a, BPF_STX | BPF_MEM | size, dst, src, off, 0);
}

void bpf_asm__store_imm(struct bpf_asm *a, u8 size, u8 dst, s16 off, s32 imm)
{
	put(a, BPF_ST | BPF_MEM | size, dst, 0, off, imm);
}

void bpf_asm__exchange(struct bpf_asm *a, u8 dst, s16 off, u8 src)
{
	put(a, BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, off, BPF_XCHG);
}

void bpf_asm__atomic_add(struct bpf_asm *a, u8 dst, s16 off, u8 src)
{
	put(a, BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, off, BPF_ADD);
}

void bpf_asm__call(struct bpf_asm *a, s32 helper)
{
	put(a, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void bpf_asm__call_function(struct bpf_asm *a, int label)
{
	put_fixup(a, label, true);
	put(a, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

static void put_jump(struct bpf_asm *a, u8 code, u8 dst, u8 src, s32 imm, int label)
{
	put_fixup(a, label, false);
	put(a, BPF_JMP | code, dst, src, 0, imm);
}

void bpf_asm__jump(struct bpf_asm *a, u8 op, u8 dst, s32 imm, int label)
{
	put_jump(a, op | BPF_K, dst, 0, imm, label);
}

void bpf_asm__jump_reg(struct bpf_asm *a, u8 op, u8 dst, u8 src, int label)
{
	put_jump(a, op | BPF_X, dst, src, 0, label);
}

void bpf_asm__goto(struct bpf_asm *a, int label)
{
	put_jump(a, BPF_JA, 0, 0, 0, label);
}

void bpf_asm__exit(struct bpf_asm *a, s32 result)
{
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_0, result);
	bpf_asm__return(a);
}

void bpf_asm__return(struct bpf_asm *a)
{
	put(a, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

int bpf_asm__finish(struct bpf_asm *a)
{
	for (size_t i = 0; i < a->fixups.nr; i++) {
		const struct bpf_fixup *f = &a->fixups.v[i];
		s64 to = a->labels.v[f->label], distance = to - f->insn - 1;

		if (to < 0 || (!f->address && distance != (s16)distance))
			return -EINVAL;
		if (f->address)
			a->insns.v[f->insn].imm = distance;
		else
			a->insns.v[f->insn].off = distance;
	}
	a->fixups.nr = 0;
	return 0;
}

void bpf_asm__free(struct bpf_asm *a)
{
	vec__free(&a->insns);
	vec__free(&a->fixups);
	vec__free(&a->labels);
	vec__free(&a->functions);
}
