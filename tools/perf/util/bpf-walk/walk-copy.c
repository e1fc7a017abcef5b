// SPDX-License-Identifier: GPL-2.0-only
#include "walk-copy.h"

#include <stddef.h>

/*
 * Copies the stack page by page, up to one that cannot be read. What is below SP in the first page
 * comes along: then each page has its fixed place. Nobody unwinds those of 32-bit tasks, nor what
 * is no more theirs.
 */
static void copy_stack(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int done = bpf_asm__label(a);

	store_imm(g, AT(copied), 0);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, AT(copy_regs));
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, sizeof(struct walk_regs));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, AT(regs));
	bpf_asm__call(a, BPF_FUNC_probe_read_kernel);
	load(g, BPF_REG_1, AT(stop));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_COMPAT, done);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_BORROWED, done);
	load(g, BPF_REG_9, AT(regs.sp));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_9, -WALK_STACK_PAGE);
	store(g, AT(out.copy_start), BPF_REG_9);
	for (u32 i = 0; i < WALK_COPY_PAGES; i++) {
		/* Beside a chain, or another stack, there is room for less. */
		if (i == WALK_BESIDE_PAGES || i == WALK_COPY_PAGES - WALK_OTHER_PAGES) {
			load(g, BPF_REG_1, i == WALK_BESIDE_PAGES ? AT(check) : AT(other));
			bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, done);
		}
		bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
		bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1,
				 offsetof(struct walk_scratch, copy) + i * WALK_STACK_PAGE);
		bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, WALK_STACK_PAGE);
		bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_9);
		bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, i * WALK_STACK_PAGE);
		bpf_asm__call(a, BPF_FUNC_probe_read_user);
		bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, done);
		store_imm(g, AT(copied), (i + 1) * WALK_STACK_PAGE);
	}
	bpf_asm__place(a, done);
	load(g, BPF_REG_1, AT(copied));
	bpf_asm__store(a, BPF_W, SCRATCH, AT(out.copied), BPF_REG_1);
}

/* .other of the scratch: that of the task's thread, unless a chain comes with the copy. */
static void find_other(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int none = bpf_asm__label(a);

	store_imm(g, AT(other), 0);
	load(g, BPF_REG_1, AT(check));
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, none);
	bpf_asm__call(a, BPF_FUNC_get_current_pid_tgid);
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_0, 32);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_0, 32);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_9, BPF_REG_0);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_0, WALK_OTHERS - 1);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, KEY, BPF_REG_0);
	look_up(g, g->p->others, KEY, none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_other, tid));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_9, none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_other, at));
	store(g, AT(other), BPF_REG_1);
	bpf_asm__place(a, none);
}

/* The part of another stack that the walks of copies lack, behind the copy. */
static void copy_other(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int done = bpf_asm__label(a);

	load(g, BPF_REG_9, AT(copied));
	bpf_asm__jump(a, BPF_JGT, BPF_REG_9,
		      (WALK_COPY_PAGES - WALK_OTHER_PAGES) * WALK_STACK_PAGE, done);
	load(g, BPF_REG_1, AT(other));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, done);
	store(g, AT(out.note.other), BPF_REG_1);
	for (u32 i = 0; i < WALK_OTHER_PAGES; i++) {
		load(g, BPF_REG_3, AT(other));
		bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, i * WALK_STACK_PAGE);
		bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
		bpf_asm__alu(a, BPF_ADD, BPF_REG_1, BPF_REG_9);
		bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1,
				 offsetof(struct walk_scratch, copy) + i * WALK_STACK_PAGE);
		bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, WALK_STACK_PAGE);
		bpf_asm__call(a, BPF_FUNC_probe_read_user);
		bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, done);
		bpf_asm__store_imm(a, BPF_W, SCRATCH, AT(out.note.other_size),
				   (i + 1) * WALK_STACK_PAGE);
	}
	bpf_asm__place(a, done);
}

/* Writes registers and copy behind what begins at @from of the scratch, and ends. */
static void output_copy(struct generator *g, u32 from)
{
	load(g, BPF_REG_9, AT(copied));
	bpf_asm__load(&g->a, BPF_W, BPF_REG_1, SCRATCH, AT(out.note.other_size));
	bpf_asm__alu(&g->a, BPF_ADD, BPF_REG_9, BPF_REG_1);
	bpf_asm__jump(&g->a, BPF_JGT, BPF_REG_9, WALK_COPY_PAGES * WALK_STACK_PAGE, g->none);
	walk_generator__output(g, from, offsetof(struct walk_scratch, copy));
}

/* The head of the output goes in front of registers and copy. */
static void move_head(struct generator *g)
{
	bpf_asm__store_imm(&g->a, BPF_H, SCRATCH, AT(out.flags), WALK_HAS_COPY);
	for (u32 at = 0; at < sizeof(struct walk_output); at += sizeof(u64)) {
		load(g, BPF_REG_1, AT(out) + at);
		store(g, AT(copy_out) + at, BPF_REG_1);
	}
}

void walk_copy__write(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int alone = bpf_asm__label(a);

	bpf_asm__place(a, g->copy);
	find_other(g);
	copy_stack(g);
	copy_other(g);
	load(g, BPF_REG_1, AT(nr));
	bpf_asm__store(a, BPF_H, SCRATCH, AT(out.nr), BPF_REG_1);
	load(g, BPF_REG_1, AT(stop));
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, WALK_WHOLE, alone);
	bpf_asm__store_imm(a, BPF_H, SCRATCH, AT(out.flags), WALK_HAS_CHAIN | WALK_HAS_COPY);
	output_copy(g, AT(out));
	bpf_asm__place(a, alone);
	move_head(g);
	output_copy(g, AT(copy_out));
}

void walk_copy__keep(struct generator *g)
{
	bpf_asm__place(&g->a, g->copy);
	store_imm(g, AT(other), 0);
	copy_stack(g);
	move_head(g);
	load(g, BPF_REG_6, AT(copied));
	bpf_asm__jump(&g->a, BPF_JGT, BPF_REG_6, WALK_COPY_PAGES * WALK_STACK_PAGE, g->none);
}
