// SPDX-License-Identifier: GPL-2.0-only
#include "walk-generator.h"

/*
 * Adds what the other function has written to the output: r9 bytes behind @end of the scratch. r9
 * += its size.
 */
static void add_extra(struct generator *g, u32 end)
{
	struct bpf_asm *a = &g->a;
	int done = bpf_asm__label(a);

	if (!g->extra->append)
		return;
	bpf_asm__load(a, BPF_W, BPF_REG_2, SCRATCH, AT(out.extra));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_2, 0, done);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_2, WALK_EXTRA_MAX, g->none);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, end);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_9, BPF_REG_2);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, offsetof(struct walk_scratch, extra));
	bpf_asm__call(a, BPF_FUNC_probe_read_kernel);
	bpf_asm__place(a, done);
}

/*
 * Adds Python's frames, as many as the head at @from says, in the same way; says that there are
 * none where there is no room.
 */
static void add_python(struct generator *g, u32 from, u32 end)
{
	const s16 counts = from + offsetof(struct walk_output, note.nr_calls);
	const u32 calls = sizeof(u64), functions = sizeof(struct python_frame);
	struct bpf_asm *a = &g->a;
	int done = bpf_asm__label(a), full = bpf_asm__label(a);

	bpf_asm__load(a, BPF_H, BPF_REG_2, SCRATCH, counts + sizeof(u16));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_2, 0, done);
	bpf_asm__load(a, BPF_H, BPF_REG_3, SCRATCH, counts);
	bpf_asm__alu_imm(a, BPF_MUL, BPF_REG_2, functions);
	bpf_asm__alu_imm(a, BPF_MUL, BPF_REG_3, calls);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_2, BPF_REG_3);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_2, calls * PYTHON_CALLS_MAX +
		      functions * PYTHON_FRAMES_MAX, full);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_1, WALK_OUTPUT_MAX - WALK_EXTRA_MAX - (end - from), full);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_4, BPF_REG_3);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, offsetof(struct walk_scratch, functions));
	bpf_asm__alu(a, BPF_SUB, BPF_REG_3, BPF_REG_4);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, end);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_9, BPF_REG_2);
	bpf_asm__call(a, BPF_FUNC_probe_read_kernel);
	bpf_asm__goto(a, done);
	bpf_asm__place(a, full);
	bpf_asm__store_imm(a, BPF_W, SCRATCH, counts, 0);
	bpf_asm__place(a, done);
}

void walk_generator__output(struct generator *g, u32 from, u32 end)
{
	struct bpf_asm *a = &g->a;

	add_python(g, from, end);
	add_extra(g, end);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_5, BPF_REG_9);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_5, end - from);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, CTX);
	bpf_asm__map(a, BPF_REG_2, g->p->outputs);
	bpf_asm__imm64(a, BPF_REG_3, BPF_F_CURRENT_CPU);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_4, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_4, from);
	bpf_asm__call(a, BPF_FUNC_perf_event_output);
	bpf_asm__exit(a, 1);
}

void walk_generator__unless_given_back(struct generator *g, int other)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->vfork.offset);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, other);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->mm.offset);
	bpf_asm__load(a, BPF_DW, BPF_REG_2, TASK, g->real_parent.offset);
	bpf_asm__load(a, BPF_DW, BPF_REG_2, BPF_REG_2, g->mm.offset);
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
}
