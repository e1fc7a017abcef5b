/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small assembler for BPF: programs are written here as calls of these functions, so that neither
 * building nor running perf takes a compiler for BPF, or libbpf (Documentation/design/bpf.md).
 *
 * Instructions are those of Documentation/bpf/standardization/instruction-set.rst of Linux; names
 * of operations and sizes are the macros of <linux/bpf.h>: BPF_ADD, BPF_JEQ, BPF_DW, ...
 *
 *	struct bpf_asm a = {};
 *	int out = bpf_asm__label(&a);
 *
 *	bpf_asm__call(&a, BPF_FUNC_get_current_task);
 *	bpf_asm__jump(&a, BPF_JEQ, BPF_REG_0, 0, out);
 *	...
 *	bpf_asm__place(&a, out);
 *	bpf_asm__exit(&a, 0);
 *	ret = bpf_asm__finish(&a);
 *	bpf_asm__free(&a);
 */
#ifndef PERF_BPF_ASSEMBLER_H
#define PERF_BPF_ASSEMBLER_H

#include <linux/bpf.h>

#include "../base/vec.h"

struct bpf_fixup {
	u32 insn;
	int label;
	bool address; /* of a function: the distance is in .imm */
};

struct bpf_asm {
	VEC(struct bpf_insn) insns;
	VEC(struct bpf_fixup) fixups; /* internal: jumps whose distance is not known yet */
	VEC(s64) labels;              /* internal: where each is; -1: not placed */
	VEC(u32) functions;           /* behind the main program: the first instruction of each */
};

/* Returns: a new label, to be placed once. */
int bpf_asm__label(struct bpf_asm *a);

/* The next instruction is where jumps to @label lead. */
void bpf_asm__place(struct bpf_asm *a, int label);

/*
 * The next instruction is the first one of a function at @label, which helpers call back, or the
 * program itself calls. Its arguments are in registers 1 to 5, and it ends like a program.
 */
void bpf_asm__place_function(struct bpf_asm *a, int label);

/* 64 bits: @dst = @dst @op (register @src or the number @imm); BPF_MOV: @dst = the latter. */
void bpf_asm__alu(struct bpf_asm *a, u8 op, u8 dst, u8 src);
void bpf_asm__alu_imm(struct bpf_asm *a, u8 op, u8 dst, s32 imm);

/* @dst = the number @v. */
void bpf_asm__imm64(struct bpf_asm *a, u8 dst, u64 v);

/* @dst = the map whose descriptor is @fd. */
void bpf_asm__map(struct bpf_asm *a, u8 dst, int fd);

/* @dst = the address of the function at @label, for helpers that call it. */
void bpf_asm__function(struct bpf_asm *a, u8 dst, int label);

/* @dst = what is @off bytes behind @src; @size: BPF_B, _H, _W, _DW. */
void bpf_asm__load(struct bpf_asm *a, u8 size, u8 dst, u8 src, s16 off);

/* Stores register @src @off bytes behind @dst; @size as above. */
void bpf_asm__store(struct bpf_asm *a, u8 size, u8 dst, s16 off, u8 src);

/* Stores the number @imm @off bytes behind @dst; @size as above. */
void bpf_asm__store_imm(struct bpf_asm *a, u8 size, u8 dst, s16 off, s32 imm);

/* Exchanges register @src and the 8 bytes @off bytes behind @dst, in one step for all CPUs. */
void bpf_asm__exchange(struct bpf_asm *a, u8 dst, s16 off, u8 src);

/* Adds register @src to the 8 bytes @off bytes behind @dst, in one step for all CPUs. */
void bpf_asm__atomic_add(struct bpf_asm *a, u8 dst, s16 off, u8 src);

/* Calls @helper, BPF_FUNC_*; registers 1 to 5 are lost, the result is in 0. */
void bpf_asm__call(struct bpf_asm *a, s32 helper);

/* Calls the function at @label of the same program; as above. It has a stack of its own. */
void bpf_asm__call_function(struct bpf_asm *a, int label);

/* Jumps to @label if @dst @op @imm: BPF_JEQ, BPF_JGT, ... */
void bpf_asm__jump(struct bpf_asm *a, u8 op, u8 dst, s32 imm, int label);

/* Jumps to @label if @dst @op register @src. */
void bpf_asm__jump_reg(struct bpf_asm *a, u8 op, u8 dst, u8 src, int label);

/* Jumps to @label. */
void bpf_asm__goto(struct bpf_asm *a, int label);

/* The program ends and returns @result. */
void bpf_asm__exit(struct bpf_asm *a, s32 result);

/* The program ends and returns register 0. */
void bpf_asm__return(struct bpf_asm *a);

/*
 * Puts distances into the jumps.
 * Returns: 0; -EINVAL when a label was not placed, or is too far away.
 */
int bpf_asm__finish(struct bpf_asm *a);

/* Frees all. The struct is empty then. */
void bpf_asm__free(struct bpf_asm *a);

#endif
