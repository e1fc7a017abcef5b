// SPDX-License-Identifier: GPL-2.0-only
#include "walk-step.h"

#include <stddef.h>

#define AT(member) ((s16)offsetof(struct walk_scratch, member))
#define KEY (-8)            /* on the function's stack: a key of a map */
#define KEY_ZERO (-16)
#define SLOT (-24)          /* the rule's place in the cache */
#define LOOK (-32)
#define MASK_CHUNK (WALK_CHUNK - 1)

/* What is in which register from begin to end; 7 to 9 change their meaning. */
#define SCRATCH BPF_REG_6

struct step {
	struct bpf_asm *a;
	const struct walk_program *p;
	int stopped; /* r0 says why */
};

static void stop(struct step *s, enum walk_stop why)
{
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_0, why);
	bpf_asm__goto(s->a, s->stopped);
}

/* Jumps over what follows if @dst @op @imm; else the walk ends. */
static void unless(struct step *s, u8 op, u8 dst, s32 imm, enum walk_stop why)
{
	int go_on = bpf_asm__label(s->a);

	bpf_asm__jump(s->a, op, dst, imm, go_on);
	stop(s, why);
	bpf_asm__place(s->a, go_on);
}

static void load(struct step *s, u8 dst, s16 at)
{
	bpf_asm__load(s->a, BPF_DW, dst, SCRATCH, at);
}

static void store(struct step *s, s16 at, u8 src)
{
	bpf_asm__store(s->a, BPF_DW, SCRATCH, at, src);
}

/* r0 = the value of the key, of 4 bytes, on the stack; the walk ends when there is none. */
static void look_up(struct step *s, int map, s16 key, enum walk_stop why)
{
	bpf_asm__map(s->a, BPF_REG_1, map);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_2, BPF_REG_10);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_2, key);
	bpf_asm__call(s->a, BPF_FUNC_map_lookup_elem);
	unless(s, BPF_JNE, BPF_REG_0, 0, why);
}

/* Adds the frame to the chain; r8 = the address to look up. */
static void add_frame(struct step *s)
{
	int inner = bpf_asm__label(s->a);

	load(s, BPF_REG_1, AT(nr));
	unless(s, BPF_JLT, BPF_REG_1, WALK_DEPTH_MAX, WALK_LIMIT);
	load(s, BPF_REG_8, AT(pc));
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_2, BPF_REG_1);
	bpf_asm__jump(s->a, BPF_JLT, BPF_REG_2, WALK_INNER_FRAMES, inner);
	bpf_asm__alu_imm(s->a, BPF_SUB, BPF_REG_2, WALK_INNER_FRAMES);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_2, WALK_OUTER_FRAMES - 1);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_2, WALK_INNER_FRAMES);
	bpf_asm__place(s->a, inner);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_2, 3);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_2, SCRATCH);
	bpf_asm__store(s->a, BPF_DW, BPF_REG_2, AT(ips), BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_1, 1);
	store(s, AT(nr), BPF_REG_1);
	load(s, BPF_REG_1, AT(exact));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	bpf_asm__alu_imm(s->a, BPF_SUB, BPF_REG_8, 1);
}

/*
 * r1 = the last place of the block at r0 whose key is not above r8, or 0. Without jumps: the
 * verifier follows each combination of them.
 */
static void search_block(struct step *s)
{
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_1, 0);
	for (u32 stride = WALK_BLOCK / 2; stride; stride /= 2) {
		bpf_asm__alu(s->a, BPF_MOV, BPF_REG_2, BPF_REG_1);
		bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_2, stride);
		bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_2, 3);
		bpf_asm__alu(s->a, BPF_ADD, BPF_REG_2, BPF_REG_0);
		bpf_asm__load(s->a, BPF_DW, BPF_REG_2, BPF_REG_2, 0);
		bpf_asm__alu(s->a, BPF_MOV, BPF_REG_3, BPF_REG_8);
		bpf_asm__alu(s->a, BPF_SUB, BPF_REG_3, BPF_REG_2);
		bpf_asm__alu_imm(s->a, BPF_ARSH, BPF_REG_3, 63); /* all ones: it is above */
		bpf_asm__alu_imm(s->a, BPF_XOR, BPF_REG_3, -1);
		bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_3, stride);
		bpf_asm__alu(s->a, BPF_ADD, BPF_REG_1, BPF_REG_3);
	}
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_1, WALK_BLOCK - 1);
}

/* r0 = the entry of a block that r8 belongs to; the block's number is on the stack. */
static void find_entry(struct step *s)
{
	look_up(s, s->p->blocks, KEY, WALK_CHANGED);
	search_block(s);
	bpf_asm__alu_imm(s->a, BPF_MUL, BPF_REG_1, sizeof(struct walk_entry));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

/* Finds the mapping of r8, if it is not that of the frame before. */
static void find_mapping(struct step *s)
{
	const s16 entry = offsetof(struct walk_block, entry);
	int found = bpf_asm__label(s->a);

	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	load(s, BPF_REG_2, AT(seg_start));
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_1, BPF_REG_2);
	load(s, BPF_REG_2, AT(seg_size));
	bpf_asm__jump_reg(s->a, BPF_JLT, BPF_REG_1, BPF_REG_2, found);
	load(s, BPF_REG_1, AT(root));
	bpf_asm__store(s->a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
	for (int level = 3; level > 1; level--) {
		int below = bpf_asm__label(s->a);

		load(s, BPF_REG_1, AT(depth));
		bpf_asm__jump(s->a, BPF_JLT, BPF_REG_1, level, below);
		find_entry(s);
		bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_0,
			      entry + offsetof(struct walk_entry, place));
		bpf_asm__store(s->a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
		bpf_asm__place(s->a, below);
	}
	look_up(s, s->p->blocks, KEY, WALK_CHANGED);
	search_block(s);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_2, BPF_REG_1);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_2, 3);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_2, BPF_REG_0);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_2, BPF_REG_2, 0);
	bpf_asm__alu_imm(s->a, BPF_MUL, BPF_REG_1, sizeof(struct walk_entry));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_3, BPF_REG_0,
		      entry + offsetof(struct walk_entry, size));
	bpf_asm__load(s->a, BPF_DW, BPF_REG_4, BPF_REG_0,
		      entry + offsetof(struct walk_entry, text));
	bpf_asm__load(s->a, BPF_DW, BPF_REG_5, BPF_REG_0,
		      entry + offsetof(struct walk_entry, place));
	store(s, AT(seg_start), BPF_REG_2);
	store(s, AT(seg_size), BPF_REG_3);
	store(s, AT(seg_text), BPF_REG_4);
	store(s, AT(seg_place), BPF_REG_5);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_1, BPF_REG_2);
	bpf_asm__jump_reg(s->a, BPF_JLT, BPF_REG_1, BPF_REG_3, found);
	stop(s, WALK_NO_MAPPING);
	bpf_asm__place(s->a, found);
}

/* r7 = the chunk with the rows of r8, r9 = where they are in it; r8 = the offset in the page. */
static void find_page(struct step *s)
{
	int far = bpf_asm__label(s->a), found = bpf_asm__label(s->a);

	load(s, BPF_REG_1, AT(seg_text));
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_8, BPF_REG_1);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_RSH, BPF_REG_1, 16);
	load(s, BPF_REG_2, AT(seg_place));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	bpf_asm__store(s->a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
	look_up(s, s->p->pages, KEY, WALK_NO_PAGE);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_9, BPF_REG_0, 0);
	unless(s, BPF_JNE, BPF_REG_9, 0, WALK_NO_PAGE);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu_imm(s->a, BPF_RSH, BPF_REG_1, WALK_CHUNK_SHIFT);
	bpf_asm__store(s->a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
	bpf_asm__jump(s->a, BPF_JGE, BPF_REG_1, WALK_FIRST_CHUNKS, far);
	look_up(s, s->p->first, KEY, WALK_CHANGED);
	bpf_asm__goto(s->a, found);
	bpf_asm__place(s->a, far);
	look_up(s, s->p->chunks, KEY, WALK_CHANGED);
	bpf_asm__store_imm(s->a, BPF_DW, BPF_REG_10, KEY_ZERO, 0);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, BPF_REG_0);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_2, BPF_REG_10);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_2, KEY_ZERO);
	bpf_asm__call(s->a, BPF_FUNC_map_lookup_elem);
	unless(s, BPF_JNE, BPF_REG_0, 0, WALK_CHANGED);
	bpf_asm__place(s->a, found);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_7, BPF_REG_0);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_9, MASK_CHUNK);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_8, 0xffff);
}

/* @dst = the u16 or u32 (@size) at @dst in the chunk at r7. */
static void load_chunk(struct step *s, u8 size, u8 dst)
{
	bpf_asm__alu_imm(s->a, BPF_AND, dst, MASK_CHUNK & ~(size == BPF_W ? 3 : 1));
	bpf_asm__alu(s->a, BPF_ADD, dst, BPF_REG_7);
	bpf_asm__load(s->a, size, dst, dst, 0);
}

/* r1 += @stride, if the row there, of those at r4, is among the r2 next ones and not above r8. */
static void search_row(struct step *s, u32 stride)
{
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_3, BPF_REG_1);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_3, stride);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_5, BPF_REG_2);
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_5, BPF_REG_3);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_3, 2);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_3, BPF_REG_4);
	load_chunk(s, BPF_W, BPF_REG_3);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_0, BPF_REG_8);
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_0, BPF_REG_3);
	bpf_asm__alu(s->a, BPF_OR, BPF_REG_0, BPF_REG_5);
	bpf_asm__alu_imm(s->a, BPF_ARSH, BPF_REG_0, 63);
	bpf_asm__alu_imm(s->a, BPF_XOR, BPF_REG_0, -1);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_0, stride);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_1, BPF_REG_0);
}

/* r0 = the rule of the row. */
static void find_rule(struct step *s)
{
	int few = bpf_asm__label(s->a);

	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_RSH, BPF_REG_1, WALK_BLOCK_SHIFT);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_1, 1);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_2, BPF_REG_1);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_2, 2);
	load_chunk(s, BPF_H, BPF_REG_1);
	load_chunk(s, BPF_H, BPF_REG_2);
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_2, BPF_REG_1);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_4, BPF_REG_1);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_4, 2);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_4, BPF_REG_9);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_4, WALK_ROWS_AT);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_8, 16);
	bpf_asm__alu_imm(s->a, BPF_OR, BPF_REG_8, 0xffff);
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_1, 0);
	bpf_asm__jump(s->a, BPF_JLT, BPF_REG_2, 4, few);
	for (u32 stride = 1u << (WALK_BLOCK_SHIFT - 1); stride >= 4; stride /= 2)
		search_row(s, stride);
	bpf_asm__place(s->a, few);
	search_row(s, 2);
	search_row(s, 1);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_1, 2);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_1, BPF_REG_4);
	load_chunk(s, BPF_W, BPF_REG_1);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_1, 0xffff);
	bpf_asm__store(s->a, BPF_W, BPF_REG_10, KEY, BPF_REG_1);
	look_up(s, s->p->rules, KEY, WALK_CHANGED);
}

/* Goes to @found with r0 = r8's place in the cache, if it is there. The place is kept in SLOT. */
static void find_cached(struct step *s, int found)
{
	int missing = bpf_asm__label(s->a);

	bpf_asm__store(s->a, BPF_DW, BPF_REG_10, LOOK, BPF_REG_8);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_0, BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_MUL, BPF_REG_0, 0x1e3779b1); /* an odd number of any bits */
	bpf_asm__alu_imm(s->a, BPF_RSH, BPF_REG_0, 32 - WALK_CACHE_BITS);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_0, (1 << WALK_CACHE_BITS) - 1);
	bpf_asm__alu_imm(s->a, BPF_MUL, BPF_REG_0, sizeof(struct walk_cached));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_0, SCRATCH);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_0, offsetof(struct walk_scratch, cache));
	bpf_asm__store(s->a, BPF_DW, BPF_REG_10, SLOT, BPF_REG_0);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_cached, look));
	bpf_asm__jump_reg(s->a, BPF_JNE, BPF_REG_1, BPF_REG_8, missing);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_0,
		      offsetof(struct walk_cached, generation));
	bpf_asm__load(s->a, BPF_W, BPF_REG_2, SCRATCH, AT(out.note.generation));
	bpf_asm__jump_reg(s->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, found);
	bpf_asm__place(s->a, missing);
}

/* Puts the rule at r0 into the cache; r0 = where it is there. */
static void keep_rule(struct step *s, int found)
{
	bpf_asm__load(s->a, BPF_DW, BPF_REG_3, BPF_REG_0, 0);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_0, BPF_REG_10, SLOT);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_10, LOOK);
	bpf_asm__load(s->a, BPF_W, BPF_REG_2, SCRATCH, AT(out.note.generation));
	bpf_asm__store(s->a, BPF_DW, BPF_REG_0, offsetof(struct walk_cached, look), BPF_REG_1);
	bpf_asm__store(s->a, BPF_DW, BPF_REG_0, offsetof(struct walk_cached, generation),
		       BPF_REG_2);
	bpf_asm__store(s->a, BPF_DW, BPF_REG_0, offsetof(struct walk_cached, rule), BPF_REG_3);
	bpf_asm__place(s->a, found);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_0, offsetof(struct walk_cached, rule));
}

/* The walk ends in the outermost frame; at @call, if the address is one that was returned to. */
static void end_whole(struct step *s, int call)
{
	stop(s, WALK_WHOLE);
	bpf_asm__place(s->a, call);
	load(s, BPF_REG_1, AT(exact));
	unless(s, BPF_JEQ, BPF_REG_1, 0, WALK_NO_RULE);
	stop(s, WALK_WHOLE);
}

/* Reads @size bytes at r3 of user memory to @at of the scratch; the walk ends if that fails. */
static void read_user(struct step *s, s16 at, u32 size)
{
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_1, at);
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_2, size);
	bpf_asm__call(s->a, BPF_FUNC_probe_read_user);
	unless(s, BPF_JEQ, BPF_REG_0, 0, WALK_UNREADABLE);
}

/* A handler of a signal returns: all registers are on the stack, and the caller was interrupted. */
static void by_signal(struct step *s)
{
	load(s, BPF_REG_3, AT(sp));
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_3, WALK_SIGNAL_FP);
	read_user(s, AT(buf), WALK_SIGNAL_PC + 8 - WALK_SIGNAL_FP);
	load(s, BPF_REG_1, AT(buf));
	load(s, BPF_REG_2, AT(buf) + WALK_SIGNAL_SP - WALK_SIGNAL_FP);
	load(s, BPF_REG_3, AT(buf) + WALK_SIGNAL_PC - WALK_SIGNAL_FP);
	unless(s, BPF_JNE, BPF_REG_3, 0, WALK_ZERO);
	store(s, AT(fp), BPF_REG_1);
	store(s, AT(sp), BPF_REG_2);
	store(s, AT(pc), BPF_REG_3);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(fp_known), 1);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(exact), 1);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(window_size), 0);
	bpf_asm__exit(s->a, 0);
}

/* r8 = *r8, and as much more as the rule says in r9. */
static void by_memory(struct step *s)
{
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_3, BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_9, 56);
	bpf_asm__alu_imm(s->a, BPF_ARSH, BPF_REG_9, 56);
	read_user(s, AT(word), sizeof(u64));
	load(s, BPF_REG_8, AT(word));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_8, BPF_REG_9);
}

/* r1 = FP. */
static void load_fp(struct step *s)
{
	load(s, BPF_REG_1, AT(fp_known));
	unless(s, BPF_JNE, BPF_REG_1, 0, WALK_NO_REGISTER);
	load(s, BPF_REG_1, AT(fp));
}

/* r8 += a register of the sampled frame, number r9. */
static void by_register(struct step *s)
{
	load(s, BPF_REG_1, AT(nr));
	unless(s, BPF_JEQ, BPF_REG_1, 1, WALK_NO_REGISTER);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_9, 15);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_9, 3);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_9, offsetof(struct walk_scratch, regs));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_9, SCRATCH);
	bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_9, 0);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_8, BPF_REG_1);
}

/*
 * r7, the offset of FP's slot from FP, becomes that from the CFA, r8. A slot that is no part of the
 * frame was found by the caller's FP, which has been restored already.
 */
static void find_slot_by_fp(struct step *s, int cfa)
{
	int within = bpf_asm__label(s->a);

	load_fp(s);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_7, BPF_REG_1);
	bpf_asm__alu(s->a, BPF_SUB, BPF_REG_7, BPF_REG_8);
	bpf_asm__jump(s->a, BPF_JSLT, BPF_REG_7, 0, within);
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_7, 0);
	bpf_asm__goto(s->a, cfa);
	bpf_asm__place(s->a, within);
	unless(s, BPF_JSLE, BPF_REG_7, -16, WALK_NO_RULE);
	bpf_asm__goto(s->a, cfa);
}

/* r8 += SP, and one word behind the instruction that r9 tells. Goes to @cfa. */
static void by_plt(struct step *s, int cfa)
{
	load(s, BPF_REG_1, AT(sp));
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	load(s, BPF_REG_1, AT(pc));
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_1, 15);
	bpf_asm__jump_reg(s->a, BPF_JLT, BPF_REG_1, BPF_REG_9, cfa);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_8, 8);
	bpf_asm__goto(s->a, cfa);
}

/*
 * r8 += FP, which is that of a frame on another stack, wherever that is. At the sampled pc the code
 * may not have left it yet. Goes to @cfa.
 */
static void by_other_stack(struct step *s, int cfa)
{
	load(s, BPF_REG_1, AT(exact));
	unless(s, BPF_JEQ, BPF_REG_1, 0, WALK_NO_RULE);
	load_fp(s);
	store(s, AT(sp), BPF_REG_1);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	bpf_asm__store_imm(s->a, BPF_W, SCRATCH, AT(out.note.skips), 1);
	bpf_asm__goto(s->a, cfa);
}

/* By the rule at r0: r8 = the CFA, r7 = the offset of FP's slot from it. */
static void find_cfa(struct step *s)
{
	struct bpf_asm *a = s->a;
	int cfa = bpf_asm__label(a), sp = bpf_asm__label(a), fp = bpf_asm__label(a);
	int plt = bpf_asm__label(a), deref = bpf_asm__label(a), deref_fp = bpf_asm__label(a);
	int reg = bpf_asm__label(a), signal = bpf_asm__label(a), call = bpf_asm__label(a);
	int end = bpf_asm__label(a), away = bpf_asm__label(a), miss = bpf_asm__label(a);
	int drap = bpf_asm__label(a), drap_reg = bpf_asm__label(a), drap_sp = bpf_asm__label(a);

	bpf_asm__load(a, BPF_W, BPF_REG_8, BPF_REG_0, offsetof(struct walk_rule, cfa));
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_8, 32);
	bpf_asm__alu_imm(a, BPF_ARSH, BPF_REG_8, 32);
	bpf_asm__load(a, BPF_H, BPF_REG_7, BPF_REG_0, offsetof(struct walk_rule, fp_off));
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_7, 48);
	bpf_asm__alu_imm(a, BPF_ARSH, BPF_REG_7, 48);
	bpf_asm__load(a, BPF_B, BPF_REG_9, BPF_REG_0, offsetof(struct walk_rule, reg));
	bpf_asm__load(a, BPF_B, BPF_REG_1, BPF_REG_0, offsetof(struct walk_rule, kind));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, ~WALK_LOWERS);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_SP, sp);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_FP, fp);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_END, end);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_END_CALL, call);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_PLT, plt);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_DEREF_SP, deref);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_DEREF_FP, deref_fp);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_REG, reg);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_SIGNAL, signal);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_AWAY, away);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_DRAP, drap);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_DRAP_REG, drap_reg);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, WALK_DRAP_SP, drap_sp);
	/* Code that the kernel has begun with, which has no rows: in the dynamic linker. */
	load(s, BPF_REG_1, AT(sp));
	load(s, BPF_REG_2, AT(start_stack));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, miss);
	stop(s, WALK_WHOLE);
	bpf_asm__place(a, miss);
	stop(s, WALK_NO_RULE);
	bpf_asm__place(a, end);
	end_whole(s, call);
	bpf_asm__place(a, signal);
	by_signal(s);
	bpf_asm__place(a, reg);
	by_register(s);
	bpf_asm__goto(a, cfa);
	bpf_asm__place(a, drap_reg);
	by_register(s);
	find_slot_by_fp(s, cfa);
	bpf_asm__place(a, drap);
	load_fp(s);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	by_memory(s);
	find_slot_by_fp(s, cfa);
	bpf_asm__place(a, drap_sp);
	load(s, BPF_REG_1, AT(sp));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	find_slot_by_fp(s, cfa);
	bpf_asm__place(a, plt);
	by_plt(s, cfa);
	bpf_asm__place(a, away);
	by_other_stack(s, cfa);
	bpf_asm__place(a, deref);
	load(s, BPF_REG_1, AT(sp));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	by_memory(s);
	bpf_asm__goto(a, cfa);
	bpf_asm__place(a, deref_fp);
	load_fp(s);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	by_memory(s);
	bpf_asm__goto(a, cfa);
	bpf_asm__place(a, fp);
	load_fp(s);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	bpf_asm__goto(a, cfa);
	bpf_asm__place(a, sp);
	load(s, BPF_REG_1, AT(sp));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, BPF_REG_1);
	bpf_asm__place(a, cfa);
}

/*
 * SP does not rise to r8. That may be where the rule says so: once, and to below all that was
 * walked. Then slots of the frame may lie anywhere.
 */
static void check_lower(struct step *s)
{
	int below = bpf_asm__label(s->a);

	bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_10, SLOT);
	bpf_asm__load(s->a, BPF_B, BPF_REG_1, BPF_REG_1, offsetof(struct walk_cached, rule.kind));
	unless(s, BPF_JSET, BPF_REG_1, WALK_LOWERS, WALK_NO_PROGRESS);
	bpf_asm__load(s->a, BPF_W, BPF_REG_1, SCRATCH, AT(out.note.lower));
	unless(s, BPF_JEQ, BPF_REG_1, 0, WALK_NO_PROGRESS);
	load(s, BPF_REG_1, AT(first_sp));
	bpf_asm__jump_reg(s->a, BPF_JLT, BPF_REG_8, BPF_REG_1, below);
	stop(s, WALK_NO_PROGRESS);
	bpf_asm__place(s->a, below);
	load(s, BPF_REG_1, AT(nr));
	bpf_asm__store(s->a, BPF_W, SCRATCH, AT(out.note.lower), BPF_REG_1);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(sp), 0);
}

/* SP has to rise; in the sampled frame it may stay. */
static void check_progress(struct step *s)
{
	int fine = bpf_asm__label(s->a), fail = bpf_asm__label(s->a);

	load(s, BPF_REG_1, AT(sp));
	bpf_asm__jump_reg(s->a, BPF_JGT, BPF_REG_8, BPF_REG_1, fine);
	bpf_asm__jump_reg(s->a, BPF_JNE, BPF_REG_8, BPF_REG_1, fail);
	load(s, BPF_REG_2, AT(exact));
	bpf_asm__jump(s->a, BPF_JNE, BPF_REG_2, 0, fine);
	bpf_asm__place(s->a, fail);
	check_lower(s);
	bpf_asm__place(s->a, fine);
}

/*
 * The frame lies below r8. If it has the place of the next call of Python's interpreter, that call
 * gets the number of the frame.
 */
static void find_call(struct step *s)
{
	int none = bpf_asm__label(s->a);

	load(s, BPF_REG_1, AT(next_call));
	bpf_asm__jump_reg(s->a, BPF_JLE, BPF_REG_8, BPF_REG_1, none);
	load(s, BPF_REG_2, AT(sp));
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(next_call), -1);
	bpf_asm__jump_reg(s->a, BPF_JLT, BPF_REG_1, BPF_REG_2, none);
	load(s, BPF_REG_3, AT(placed));
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_3, 1);
	store(s, AT(placed), BPF_REG_3);
	load(s, BPF_REG_4, AT(nr_calls));
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_5, BPF_REG_3);
	bpf_asm__alu_imm(s->a, BPF_MUL, BPF_REG_5, -1);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_5, PYTHON_CALLS_MAX - 1);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_5, 3);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_5, SCRATCH);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_5, offsetof(struct walk_scratch, calls));
	load(s, BPF_REG_2, AT(nr));
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_2, PYTHON_CALL_SHIFT);
	bpf_asm__alu(s->a, BPF_OR, BPF_REG_1, BPF_REG_2);
	bpf_asm__store(s->a, BPF_DW, BPF_REG_5, 0, BPF_REG_1);
	bpf_asm__jump_reg(s->a, BPF_JGE, BPF_REG_3, BPF_REG_4, none);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_3, 1);
	bpf_asm__alu_imm(s->a, BPF_MUL, BPF_REG_3, -1);
	bpf_asm__alu_imm(s->a, BPF_AND, BPF_REG_3, PYTHON_CALLS_MAX - 1);
	bpf_asm__alu_imm(s->a, BPF_LSH, BPF_REG_3, 3);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_3, SCRATCH);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_3, offsetof(struct walk_scratch, calls));
	bpf_asm__load(s->a, BPF_DW, BPF_REG_1, BPF_REG_3, 0);
	store(s, AT(next_call), BPF_REG_1);
	bpf_asm__place(s->a, none);
}

/*
 * r9 = where to read from, up to r8: at FP's slot, or at the return address. A slot below SP was
 * left already; r7 is 0 then.
 */
static void find_slots(struct step *s)
{
	int alone = bpf_asm__label(s->a), done = bpf_asm__label(s->a);

	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_9, BPF_REG_8);
	bpf_asm__alu(s->a, BPF_ADD, BPF_REG_9, BPF_REG_7);
	bpf_asm__jump(s->a, BPF_JEQ, BPF_REG_7, 0, alone);
	load(s, BPF_REG_1, AT(sp));
	bpf_asm__jump_reg(s->a, BPF_JGE, BPF_REG_9, BPF_REG_1, done);
	bpf_asm__place(s->a, alone);
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_7, 0);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_9, BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_SUB, BPF_REG_9, 8);
	bpf_asm__place(s->a, done);
}

/* The two words are far apart. */
static void read_apart(struct step *s, int commit)
{
	int unknown = bpf_asm__label(s->a), next = bpf_asm__label(s->a);

	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_3, BPF_REG_9);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(s->a, BPF_ADD, BPF_REG_1, AT(word));
	bpf_asm__alu_imm(s->a, BPF_MOV, BPF_REG_2, sizeof(u64));
	bpf_asm__call(s->a, BPF_FUNC_probe_read_user);
	bpf_asm__jump(s->a, BPF_JNE, BPF_REG_0, 0, unknown);
	load(s, BPF_REG_1, AT(word));
	store(s, AT(fp), BPF_REG_1);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(fp_known), 1);
	bpf_asm__goto(s->a, next);
	bpf_asm__place(s->a, unknown);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(fp_known), 0);
	bpf_asm__place(s->a, next);
	bpf_asm__alu(s->a, BPF_MOV, BPF_REG_3, BPF_REG_8);
	bpf_asm__alu_imm(s->a, BPF_SUB, BPF_REG_3, 8);
	read_user(s, AT(word), sizeof(u64));
	load(s, BPF_REG_3, AT(word));
	bpf_asm__goto(s->a, commit);
}

/*
 * Reads a new window at r9, which has what lies up to r8, at most a page: up to the end of a page,
 * since behind that there may be none. Before that may be one that was never written.
 */
static void move_window(struct step *s)
{
	struct bpf_asm *a = s->a;
	int read = bpf_asm__label(a), fits = bpf_asm__label(a);

	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_9);
	bpf_asm__alu_imm(a, BPF_XOR, BPF_REG_2, -1);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_2, WALK_STACK_PAGE - 1);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, 1);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	bpf_asm__alu(a, BPF_SUB, BPF_REG_1, BPF_REG_9);
	bpf_asm__jump_reg(a, BPF_JLE, BPF_REG_1, BPF_REG_2, fits);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, WALK_STACK_PAGE);
	bpf_asm__place(a, fits);
	store(s, AT(window), BPF_REG_9);
	store(s, AT(window_size), BPF_REG_2);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, AT(buf));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_9);
	bpf_asm__call(a, BPF_FUNC_probe_read_user);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_0, 0, read);
	bpf_asm__store_imm(a, BPF_DW, SCRATCH, AT(window_size), 0);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, AT(buf));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_8);
	bpf_asm__alu(a, BPF_SUB, BPF_REG_2, BPF_REG_9);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_9);
	unless(s, BPF_JLE, BPF_REG_2, WALK_STACK_PAGE, WALK_UNREADABLE);
	unless(s, BPF_JGE, BPF_REG_2, 8, WALK_UNREADABLE);
	bpf_asm__call(a, BPF_FUNC_probe_read_user);
	unless(s, BPF_JEQ, BPF_REG_0, 0, WALK_UNREADABLE);
	bpf_asm__place(a, read);
}

/* r3 = the return address, and FP, of what lies from r9 to r8. */
static void read_slots(struct step *s)
{
	struct bpf_asm *a = s->a;
	int near = bpf_asm__label(a), commit = bpf_asm__label(a), move = bpf_asm__label(a);
	int read = bpf_asm__label(a), no_fp = bpf_asm__label(a);

	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	bpf_asm__alu(a, BPF_SUB, BPF_REG_1, BPF_REG_9);
	bpf_asm__jump(a, BPF_JLE, BPF_REG_1, WALK_STACK_PAGE, near);
	read_apart(s, commit);
	bpf_asm__place(a, near);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_9);
	load(s, BPF_REG_3, AT(window));
	bpf_asm__alu(a, BPF_SUB, BPF_REG_2, BPF_REG_3);
	load(s, BPF_REG_4, AT(window_size));
	bpf_asm__jump_reg(a, BPF_JGT, BPF_REG_2, BPF_REG_4, move);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, BPF_REG_2);
	bpf_asm__jump_reg(a, BPF_JLE, BPF_REG_1, BPF_REG_4, read);
	bpf_asm__place(a, move);
	move_window(s);
	bpf_asm__place(a, read);
	load(s, BPF_REG_2, AT(window));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu(a, BPF_SUB, BPF_REG_1, BPF_REG_2);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, WALK_WINDOW - 1);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, SCRATCH);
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_7, 0, no_fp);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_1, AT(buf));
	store(s, AT(fp), BPF_REG_3);
	bpf_asm__store_imm(a, BPF_DW, SCRATCH, AT(fp_known), 1);
	bpf_asm__place(a, no_fp);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	bpf_asm__alu_imm(a, BPF_SUB, BPF_REG_1, 8);
	bpf_asm__alu(a, BPF_SUB, BPF_REG_1, BPF_REG_2);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, WALK_WINDOW - 1);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_1, SCRATCH);
	bpf_asm__load(a, BPF_DW, BPF_REG_3, BPF_REG_1, AT(buf));
	bpf_asm__place(a, commit);
}

/* The caller at r3, with SP at r8, is the present frame. Of 0 user space has to see. */
static void arrive(struct step *s)
{
	unless(s, BPF_JNE, BPF_REG_3, 0, WALK_ZERO);
	store(s, AT(pc), BPF_REG_3);
	store(s, AT(sp), BPF_REG_8);
	bpf_asm__store_imm(s->a, BPF_DW, SCRATCH, AT(exact), 0);
	bpf_asm__exit(s->a, 0);
}

void walk_step__generate(struct bpf_asm *a, const struct walk_program *p, int label)
{
	struct step s = { .a = a, .p = p, .stopped = bpf_asm__label(a) };
	int cached = bpf_asm__label(a);

	bpf_asm__place_function(a, label);
	bpf_asm__load(a, BPF_DW, SCRATCH, BPF_REG_2, 0);
	add_frame(&s);
	find_cached(&s, cached);
	find_mapping(&s);
	find_page(&s);
	find_rule(&s);
	keep_rule(&s, cached);
	find_cfa(&s);
	check_progress(&s);
	find_call(&s);
	find_slots(&s);
	read_slots(&s);
	arrive(&s);
	bpf_asm__place(a, s.stopped);
	store(&s, AT(stop), BPF_REG_0);
	bpf_asm__exit(a, 1);
}
