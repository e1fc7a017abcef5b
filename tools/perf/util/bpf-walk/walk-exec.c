// SPDX-License-Identifier: GPL-2.0-only
#include "walk-exec.h"

#include <sys/syscall.h>

#define FEWEST 64u
#define MOST 256u
#define PER_CPU 16

#define HEAD ((s32)sizeof(struct walk_output))
#define KEPT(member) ((s16)offsetof(struct walk_kept, member))
#define SLOT BPF_REG_9
#define SIZE BPF_REG_6 /* of the second program, which has no use for the context */

u32 walk_exec__entries(u32 nr_cpus)
{
	u32 n = FEWEST;

	while (n < MOST && n < PER_CPU * nr_cpus)
		n *= 2;
	return n;
}

static void load_kept(struct generator *g, u8 dst, s16 at)
{
	bpf_asm__load(&g->a, BPF_DW, dst, SLOT, at);
}

static void store_kept(struct generator *g, s16 at, u8 src)
{
	bpf_asm__store(&g->a, BPF_DW, SLOT, at, src);
}

/* SLOT = where this task's stack is kept, and .task of the scratch: which task that is. */
static void find_slot(struct generator *g, int missing)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__call(a, BPF_FUNC_get_current_task);
	store(g, AT(task), BPF_REG_0);
	bpf_asm__imm64(a, BPF_REG_1, 0x9e3779b97f4a7c15ull); /* 2^64 / golden ratio */
	bpf_asm__alu(a, BPF_MUL, BPF_REG_0, BPF_REG_1);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_0, 40);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_0, g->p->nr_kept - 1);
	bpf_asm__store(a, BPF_DW, BPF_REG_10, KEPT_KEY, BPF_REG_0);
	look_up(g, g->p->kept, KEPT_KEY, missing);
	bpf_asm__alu(a, BPF_MOV, SLOT, BPF_REG_0);
}

void walk_exec__keep(struct generator *g, s16 from)
{
	struct bpf_asm *a = &g->a;
	int unreadable = bpf_asm__label(a);

	bpf_asm__jump(a, BPF_JGT, SIZE, sizeof(((struct walk_kept *)0)->data), g->none);
	find_slot(g, g->none);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_1, 1);
	bpf_asm__exchange(a, SLOT, KEPT(busy), BPF_REG_1);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, g->none);
	/* Who reads it meanwhile sees one of these change. */
	bpf_asm__store_imm(a, BPF_DW, SLOT, KEPT(task), 0);
	load_kept(g, BPF_REG_1, KEPT(number));
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, 1);
	store_kept(g, KEPT(number), BPF_REG_1);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SLOT);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, KEPT(data));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, SIZE);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, from);
	bpf_asm__call(a, BPF_FUNC_probe_read_kernel);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, unreadable);
	store_kept(g, KEPT(size), SIZE);
	load(g, BPF_REG_1, AT(out.note.start));
	store_kept(g, KEPT(start), BPF_REG_1);
	load(g, BPF_REG_1, AT(regs.ip));
	store_kept(g, KEPT(pc), BPF_REG_1);
	load(g, BPF_REG_1, AT(regs.sp));
	store_kept(g, KEPT(sp), BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->mm.offset);
	store_kept(g, KEPT(mm), BPF_REG_1);
	load(g, BPF_REG_1, AT(task));
	store_kept(g, KEPT(task), BPF_REG_1);
	bpf_asm__place(a, unreadable);
	bpf_asm__store_imm(a, BPF_DW, SLOT, KEPT(busy), 0);
	bpf_asm__exit(a, 0);
}

/* Goes to @other unless the task's system call is execve() or execveat(). */
static void check_call(struct generator *g, int other)
{
	struct bpf_asm *a = &g->a;
	int is = bpf_asm__label(a);

	load(g, BPF_REG_1, AT(regs.orig_ax));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, __NR_execve, is);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, __NR_execveat, other);
	bpf_asm__place(a, is);
}

/* Goes to @other unless the slot has what was kept of this task, in a call from here. */
static void check_slot(struct generator *g, int other)
{
	const struct { s16 kept, own; } same[] = {
		{ KEPT(task), AT(task) }, { KEPT(start), AT(out.note.start) },
		{ KEPT(pc), AT(regs.ip) }, { KEPT(sp), AT(regs.sp) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		load_kept(g, BPF_REG_1, same[i].kept);
		load(g, BPF_REG_2, same[i].own);
		bpf_asm__jump_reg(&g->a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	}
}

/*
 * Goes to @other while the task has the memory of then: an earlier call may have failed, and this
 * one have come from elsewhere. But a child of vfork() has lost its stack when its parent has woken
 * up, shortly before it leaves the memory of both.
 */
static void check_memory(struct generator *g, int other)
{
	struct bpf_asm *a = &g->a;
	int gone = bpf_asm__label(a);

	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->mm.offset);
	store(g, AT(word), BPF_REG_1);
	load(g, BPF_REG_1, AT(word));
	load_kept(g, BPF_REG_2, KEPT(mm));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, gone);
	walk_generator__unless_given_back(g, other);
	bpf_asm__place(a, gone);
}

/* r2 = the size of what is kept, which may be anything: goes to @other if it is too large. */
static void load_size(struct generator *g, int other)
{
	load(g, BPF_REG_2, AT(word));
	bpf_asm__jump(&g->a, BPF_JGT, BPF_REG_2, sizeof(((struct walk_kept *)0)->data), other);
	bpf_asm__jump(&g->a, BPF_JLT, BPF_REG_2, HEAD, other);
}

/* Copies it to .copy_out and what is behind that, unless it changes meanwhile. */
static void read_slot(struct generator *g, int other)
{
	struct bpf_asm *a = &g->a;

	load_kept(g, BPF_REG_1, KEPT(number));
	store(g, AT(window), BPF_REG_1);
	load_kept(g, BPF_REG_1, KEPT(size));
	store(g, AT(word), BPF_REG_1);
	load_size(g, other);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, AT(copy_out));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, SLOT);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, KEPT(data));
	bpf_asm__call(a, BPF_FUNC_probe_read_kernel);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, other);
	load_kept(g, BPF_REG_1, KEPT(number));
	load(g, BPF_REG_2, AT(window));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	load_kept(g, BPF_REG_1, KEPT(task));
	load(g, BPF_REG_2, AT(task));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
}

/* Whether the kernel has counted the execve(), as it does after it has written the COMM record. */
static void note_progress(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int before = bpf_asm__label(a);

	bpf_asm__store_imm(a, BPF_W, SCRATCH, AT(copy_out.note.kept), WALK_KEPT_BEFORE);
	load(g, BPF_REG_1, AT(out.note.nr_exec));
	load(g, BPF_REG_2, AT(copy_out.note.nr_exec));
	bpf_asm__jump_reg(a, BPF_JEQ, BPF_REG_1, BPF_REG_2, before);
	bpf_asm__store_imm(a, BPF_W, SCRATCH, AT(copy_out.note.kept), WALK_KEPT_BEHIND);
	bpf_asm__place(a, before);
}

void walk_exec__use(struct generator *g)
{
	/* What is of this sample; the rest is of then. */
	const struct { s16 from, to; } own[] = {
		{ AT(out.note.sequence), AT(copy_out.note.sequence) },
		{ AT(out.ip), AT(copy_out.ip) },
		{ AT(out.extra), AT(copy_out.extra) }, /* and .reserved */
	};
	struct bpf_asm *a = &g->a;
	int other = bpf_asm__label(a);

	check_call(g, other);
	find_slot(g, other);
	check_slot(g, other);
	check_memory(g, other);
	read_slot(g, other);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		load(g, BPF_REG_1, own[i].from);
		store(g, own[i].to, BPF_REG_1);
	}
	note_progress(g);
	load_size(g, other);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_9, BPF_REG_2);
	bpf_asm__alu_imm(a, BPF_SUB, BPF_REG_9, HEAD);
	walk_generator__output(g, AT(copy_out), AT(copy_regs));
	bpf_asm__place(a, other);
}
