/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the walk's programs share while they are generated; private to this room. */
#ifndef PERF_BPF_WALK_WALK_GENERATOR_H
#define PERF_BPF_WALK_WALK_GENERATOR_H

#include <stddef.h>

#include "../bpf/btf.h"
#include "walk-program.h"

#define AT(member) ((s16)offsetof(struct walk_scratch, member))

/* On the program's stack. */
#define KEY (-8)
#define ZERO (-16)
#define POINTER (-24)
#define KEPT_KEY (-32)
#define CHANGES_KEY (-40)

/* What is in which register from begin to end. */
#define CTX BPF_REG_6
#define SCRATCH BPF_REG_7
#define TASK BPF_REG_8
#define REGS BPF_REG_9

struct generator {
	struct bpf_asm a;
	const struct walk_program *p;
	const struct walk_extra *extra;
	int scratch; /* the map that has the program's memory */
	struct btf_place group_leader, start, nr_exec, parent_exec, real_parent, tgid, mm, vfork,
		start_stack, fsbase;
	int none, finish, copy, step, state_step, frame_step, extra_at; /* labels */
};

/* Register @dst = the 8 bytes at @at of the scratch. */
static inline void load(struct generator *g, u8 dst, s16 at)
{
	bpf_asm__load(&g->a, BPF_DW, dst, SCRATCH, at);
}

/* The 8 bytes at @at of the scratch = register @src. */
static inline void store(struct generator *g, s16 at, u8 src)
{
	bpf_asm__store(&g->a, BPF_DW, SCRATCH, at, src);
}

/* The 8 bytes at @at of the scratch = the number @imm. */
static inline void store_imm(struct generator *g, s16 at, s32 imm)
{
	bpf_asm__store_imm(&g->a, BPF_DW, SCRATCH, at, imm);
}

/*
 * r0 = the value of a key in the map @map; there is none: goes to @missing.
 * @key: where it is on the program's stack
 */
static inline void look_up(struct generator *g, int map, s16 key, int missing)
{
	bpf_asm__map(&g->a, BPF_REG_1, map);
	bpf_asm__alu(&g->a, BPF_MOV, BPF_REG_2, BPF_REG_10);
	bpf_asm__alu_imm(&g->a, BPF_ADD, BPF_REG_2, key);
	bpf_asm__call(&g->a, BPF_FUNC_map_lookup_elem);
	bpf_asm__jump(&g->a, BPF_JEQ, BPF_REG_0, 0, missing);
}

/*
 * Writes r9 bytes, and those between @from and @end of the scratch in front of them; and ends.
 * Behind come Python's frames, which the head at @from counts, and what the program's other
 * function has written.
 */
void walk_generator__output(struct generator *g, u32 from, u32 end);

/*
 * Goes to @other unless the task is in its parent's memory, and the parent does not wait for it: in
 * execve() or exit() its stack is the parent's again.
 */
void walk_generator__unless_given_back(struct generator *g, int other);

#endif
