// SPDX-License-Identifier: GPL-2.0-only
#include "hotspot-rows.h"

#include <string.h>

#include "../jit/jit-frames.h"
#include "rows-out.h"

#define PC_DESCS_MAX 65536
#define CODELETS_MAX 2048
#define ROWS_MAX (4 << 20)    /* bytes, of what a hostile process calls an interpreter */
#define FRAME_WORDS_MAX (1 << 20)

/* Of DWARF. */
enum { OP_DEREF = 0x06, OP_BREG_RBP = 0x70 + RBP, OP_BREG_RSP = 0x70 + RSP };

/* A place where a method calls, or may stop: as PcDesc. */
struct pc_desc {
	s32 pc_offset, rest[3];
};

static void method__put_calls(jit_elf_bytes *out, const struct hotspot_blob *b, const u8 *code,
			      const struct pc_desc *descs, u64 nr)
{
	u64 size = b->end - b->start, last = 0;

	for (u64 i = 0; i < nr; i++) {
		u64 at = b->code - b->start + descs[i].pc_offset;

		if (descs[i].pc_offset <= 0 || at > size || at <= last ||
		    !rows_out__is_behind_call(code, at))
			continue;
		/* Return addresses are looked up one byte before. */
		rows_out__range(out, size, at - 1, 1, 0);
		last = at;
	}
}

static void put_all_calls(jit_elf_bytes *out, u64 size, const u8 *code)
{
	for (u64 i = 2; i <= size && out->nr < ROWS_MAX; i++)
		if (rows_out__is_behind_call(code, i))
			rows_out__range(out, size, i - 1, 1, 0);
}

static void method__put_frame(jit_elf_bytes *out, u32 words)
{
	jit_elf_bytes program = {};

	*vec__push(&program) = CFA_DEF_CFA;
	jit_frames__put_leb(&program, RSP, false);
	jit_frames__put_leb(&program, 8ULL * words, false);
	*vec__push(&program) = CFA_OFFSET | RA;
	jit_frames__put_leb(&program, 1, false);
	*vec__push(&program) = CFA_OFFSET | RBP;
	jit_frames__put_leb(&program, 2, false);
	rows_out__rules(out, program.v, program.nr);
	vec__free(&program);
}

void hotspot_rows__of_method(jit_elf_bytes *out, const struct hotspot_blob *b, const u8 *code,
			     const struct hotspot_layout *l, const struct runtime_memory *m)
{
	u64 at = b->block + l->block_size, deopt = 0;
	struct pc_desc *descs;
	u32 words, from, to, nr;

	if (l->frame_size == HOTSPOT_NONE || l->scopes_pcs == HOTSPOT_NONE ||
	    l->scopes_pcs_end == HOTSPOT_NONE ||
	    !m->read(m->ctx, at + l->frame_size, &words, sizeof(words)) || words < 2 ||
	    words > FRAME_WORDS_MAX || !m->read(m->ctx, at + l->scopes_pcs, &from, sizeof(from)) ||
	    !m->read(m->ctx, at + l->scopes_pcs_end, &to, sizeof(to)) || to < from)
		return;
	if (to == from) { /* around a native method: all calls are made in its frame */
		method__put_frame(out, words);
		put_all_calls(out, b->end - b->start, code);
		rows_out__end(out);
		return;
	}
	nr = min_of((to - from) / (u32)sizeof(*descs), (u32)PC_DESCS_MAX);
	descs = xcalloc(nr + 1, sizeof(*descs));
	if (m->read(m->ctx, at + from, descs, nr * sizeof(*descs))) {
		method__put_frame(out, words);
		method__put_calls(out, b, code, descs, nr);
		/* Frames that are to be interpreted return there, wherever they have called. */
		if (l->deopt_handler != HOTSPOT_NONE &&
		    m->read(m->ctx, at + l->deopt_handler, &deopt, sizeof(deopt)) &&
		    deopt > b->start && deopt < b->end)
			rows_out__range(out, b->end - b->start, deopt - b->start - 1, 1, 0);
		rows_out__end(out);
	}
	free(descs);
}

/* The caller's SP is below rbp, its rbp at it, and the return address above. */
static const u8 interpreter_frame[] = {
	CFA_DEF_CFA_EXPRESSION, 3, OP_BREG_RBP, 0x78, OP_DEREF, /* *(rbp - 8) */
	CFA_EXPRESSION, RBP, 2, OP_BREG_RBP, 0,
	CFA_EXPRESSION, RA, 2, OP_BREG_RBP, 8,
};

static const u8 no_frame[] = ROWS_OUT_UNKNOWN;

/*
 * Where a method is entered, r13 is the caller's SP. The return address is on the stack, then in
 * rax while room is made for the method's variables, then on the stack again, and a frame is made.
 */
static const u8 entered[] = { CFA_DEF_CFA, R13, 0, CFA_EXPRESSION, RA, 2, OP_BREG_RSP, 0 };
static const u8 popped[] = { CFA_DEF_CFA, R13, 0, CFA_REGISTER, RA, RAX };
static const u8 pushed_rbp[] = {
	CFA_DEF_CFA, R13, 0, CFA_EXPRESSION, RA, 2, OP_BREG_RSP, 8,
	CFA_EXPRESSION, RBP, 2, OP_BREG_RSP, 0,
};
static const u8 moved_rbp[] = {
	CFA_DEF_CFA, R13, 0, CFA_EXPRESSION, RA, 2, OP_BREG_RBP, 8,
	CFA_EXPRESSION, RBP, 2, OP_BREG_RBP, 0,
};

/* Instructions of that, which are there once in each such codelet. */
/* pop rax; lea -8(rsp,rcx,8),r14 */
static const u8 pops[] = { 0x58, 0x4c, 0x8d, 0x74, 0xcc, 0xf8 };
/* pop rax; mov r13,rsp; push rax: the stack overflows */
static const u8 overflows[] = { 0x58, 0x49, 0x8b, 0xe5, 0x50 };
/* push rax; push rbp; mov rsp,rbp; push r13 */
static const u8 makes_frame[] = { 0x50, 0x55, 0x48, 0x8b, 0xec, 0x41, 0x55 };
static const u8 leaves[] = { 0xc9, 0x5f }; /* leave; pop rdi */

/* Where the CIEs of the interpreter are; that of its frame is the first. */
struct interpreter_cies {
	size_t unknown, entered, popped, pushed_rbp, moved_rbp;
};

/* Whether the codelet runs in a frame that was made, and does not leave it. */
static bool codelet__has_frame(u64 codelet, const struct hotspot_layout *l,
			       const struct runtime_memory *m)
{
	char text[32];
	u64 text_at;
	s32 bytecode;

	if (!m->read(m->ctx, codelet + l->codelet_text, &text_at, sizeof(text_at)) ||
	    !m->read(m->ctx, codelet + l->codelet_code, &bytecode, sizeof(bytecode)) ||
	    !m->read(m->ctx, text_at, text, sizeof(text)))
		return false;
	text[sizeof(text) - 1] = '\0';
	return strstr(text, "return") ? strstr(text, "return entry points") != NULL : bytecode >= 0;
}

/* [@from, @to) of the interpreter, where a frame is made or left: its calls are made in a frame. */
static void interpreter__put_edge(jit_elf_bytes *out, const struct hotspot_blob *b, const u8 *code,
				  u64 from, u64 to, size_t unknown)
{
	u64 size = b->end - b->start, at = from;

	for (u64 i = from + 2; i <= to && out->nr < ROWS_MAX; i++) {
		if (!rows_out__is_behind_call(code, i))
			continue;
		if (i - 1 > at)
			rows_out__range(out, size, at, i - 1 - at, unknown);
		rows_out__range(out, size, i - 1, 1, 0);
		at = i;
	}
	if (to > at && out->nr < ROWS_MAX)
		rows_out__range(out, size, at, to - at, unknown);
}

/* Returns: where @bytes are in [@from, @to) of @code; @to: nowhere. */
static u64 find(const u8 *code, u64 from, u64 to, const u8 *bytes, size_t size)
{
	const u8 *at = from < to ? memmem(code + from, to - from, bytes, size) : NULL;

	return at ? (u64)(at - code) : to;
}

/* [@from, @to): the codelet that enters methods of a kind. Returns: whether it is one. */
static bool interpreter__put_entry(jit_elf_bytes *out, const struct hotspot_blob *b,
				   const u8 *code, u64 from, u64 to,
				   const struct interpreter_cies *cies)
{
	u64 pop = find(code, from, to, pops, sizeof(pops));
	u64 frame = find(code, pop, to, makes_frame, sizeof(makes_frame));
	u64 overflow = find(code, from, pop, overflows, sizeof(overflows));
	u64 made = frame + sizeof(makes_frame), size = b->end - b->start, leave;

	if (frame == to || from + 1 >= overflow)
		return false;
	leave = find(code, made, to, leaves, sizeof(leaves));
	rows_out__range(out, size, from, overflow - from + 1, cies->entered);
	if (overflow < pop) {
		rows_out__range(out, size, overflow + 1, pop - overflow - 1, cies->unknown);
		rows_out__range(out, size, pop, 1, cies->entered);
	}
	rows_out__range(out, size, pop + 1, frame - pop, cies->popped);
	rows_out__range(out, size, frame + 1, 1, cies->entered);    /* push rbp */
	rows_out__range(out, size, frame + 2, 3, cies->pushed_rbp); /* mov rsp,rbp */
	rows_out__range(out, size, frame + 5, 2, cies->moved_rbp);  /* push r13 */
	if (leave > made)
		rows_out__range(out, size, made, leave - made, 0);
	interpreter__put_edge(out, b, code, leave, to, cies->unknown);
	return true;
}

void hotspot_rows__of_interpreter(jit_elf_bytes *out, const struct hotspot_blob *b, const u8 *code,
				  const struct hotspot_layout *l, const struct runtime_memory *m)
{
	u64 queue, at, end;
	struct interpreter_cies cies;
	u32 size, used;

	if (l->interpreter == HOTSPOT_NONE || l->stub_buffer == HOTSPOT_NONE ||
	    l->stub_end == HOTSPOT_NONE || l->codelet_size == HOTSPOT_NONE ||
	    l->codelet_text == HOTSPOT_NONE || l->codelet_code == HOTSPOT_NONE ||
	    !m->read(m->ctx, l->interpreter, &queue, sizeof(queue)) ||
	    !m->read(m->ctx, queue + l->stub_buffer, &at, sizeof(at)) || at < b->start ||
	    at >= b->end || !m->read(m->ctx, queue + l->stub_end, &used, sizeof(used)))
		return;
	end = min_of(at + used, b->end);
	rows_out__rules(out, interpreter_frame, sizeof(interpreter_frame));
	cies.unknown = rows_out__rules(out, no_frame, sizeof(no_frame));
	cies.entered = rows_out__rules(out, entered, sizeof(entered));
	cies.popped = rows_out__rules(out, popped, sizeof(popped));
	cies.pushed_rbp = rows_out__rules(out, pushed_rbp, sizeof(pushed_rbp));
	cies.moved_rbp = rows_out__rules(out, moved_rbp, sizeof(moved_rbp));
	for (u32 i = 0; i < CODELETS_MAX && at < end && out->nr < ROWS_MAX; i++, at += size) {
		if (!m->read(m->ctx, at + l->codelet_size, &size, sizeof(size)) || size < 16 ||
		    size > end - at)
			break;
		if (codelet__has_frame(at, l, m))
			rows_out__range(out, b->end - b->start, at - b->start, size, 0);
		else if (!interpreter__put_entry(out, b, code, at - b->start,
						 at - b->start + size, &cies))
			interpreter__put_edge(out, b, code, at - b->start,
					      at - b->start + size, cies.unknown);
	}
	rows_out__end(out);
}
