// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* DWARF expressions, as far as call frame information may use them. */
#include <dwarf.h>

#include "eval.h"

#define MAX_DEPTH 64
#define MAX_STEPS 1000

struct machine {
	const struct eval_memory *mem;
	const struct eval_regs *regs;
	struct cursor code;
	u64 bias, fault;
	enum eval_result result; /* EVAL_CALLER while all is well */
	u32 depth;
	u64 stack[MAX_DEPTH];
};

static void machine__fail(struct machine *m, enum eval_result why)
{
	if (m->result == EVAL_CALLER)
		m->result = why;
}

static void push(struct machine *m, u64 v)
{
	if (m->depth == MAX_DEPTH)
		machine__fail(m, EVAL_BAD);
	else
		m->stack[m->depth++] = v;
}

static u64 pop(struct machine *m)
{
	if (m->depth)
		return m->stack[--m->depth];
	machine__fail(m, EVAL_BAD);
	return 0;
}

static void pick(struct machine *m, u32 index)
{
	if (index < m->depth)
		push(m, m->stack[m->depth - 1 - index]);
	else
		machine__fail(m, EVAL_BAD);
}

static void deref(struct machine *m, u32 size)
{
	u64 addr = pop(m), v = 0;

	if (m->result != EVAL_CALLER)
		return;
	if (size != 1 && size != 2 && size != 4 && size != 8) {
		machine__fail(m, EVAL_BAD);
	} else if (!m->mem->read(m->mem->ctx, addr, size, &v)) {
		m->fault = addr;
		machine__fail(m, EVAL_UNREADABLE);
	}
	push(m, v);
}

/* The register of the pc has no number that is followed, on x86-64: 16 it is. */
static void breg(struct machine *m, u64 reg)
{
	s64 off = cursor__sleb(&m->code);

	if (reg < CFI_REGS && m->regs->known >> reg & 1)
		push(m, m->regs->v[reg] + off);
	else
		machine__fail(m, EVAL_UNKNOWN_REG);
}

static void jump(struct machine *m, bool taken)
{
	s16 by = cursor__u16(&m->code);

	if (!taken || m->code.bad)
		return;
	if (by < 0 ? (u64)-by > m->code.pos : (u64)by > cursor__left(&m->code))
		machine__fail(m, EVAL_BAD);
	else
		m->code.pos += by;
}

static bool constant_op(struct machine *m, u8 op)
{
	struct cursor *c = &m->code;

	switch (op) {
	case DW_OP_addr:
		push(m, cursor__u64(c) + m->bias);
		return true;
	case DW_OP_const1u:
		push(m, cursor__u8(c));
		return true;
	case DW_OP_const1s:
		push(m, (s8)cursor__u8(c));
		return true;
	case DW_OP_const2u:
		push(m, cursor__u16(c));
		return true;
	case DW_OP_const2s:
		push(m, (s16)cursor__u16(c));
		return true;
	case DW_OP_const4u:
		push(m, cursor__u32(c));
		return true;
	case DW_OP_const4s:
		push(m, (s32)cursor__u32(c));
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		push(m, cursor__u64(c));
		return true;
	case DW_OP_constu:
		push(m, cursor__uleb(c));
		return true;
	case DW_OP_consts:
		push(m, cursor__sleb(c));
		return true;
	}
	return false;
}

static bool stack_op(struct machine *m, u8 op)
{
	u64 a, b, c;

	switch (op) {
	case DW_OP_dup:
		pick(m, 0);
		return true;
	case DW_OP_drop:
		pop(m);
		return true;
	case DW_OP_over:
		pick(m, 1);
		return true;
	case DW_OP_pick:
		pick(m, cursor__u8(&m->code));
		return true;
	case DW_OP_swap:
		b = pop(m);
		a = pop(m);
		push(m, b);
		push(m, a);
		return true;
	case DW_OP_rot:
		c = pop(m);
		b = pop(m);
		a = pop(m);
		push(m, c);
		push(m, a);
		push(m, b);
		return true;
	case DW_OP_deref:
		deref(m, 8);
		return true;
	case DW_OP_deref_size:
		deref(m, cursor__u8(&m->code));
		return true;
	}
	return false;
}

static bool unary_op(struct machine *m, u8 op)
{
	u64 v;

	switch (op) {
	case DW_OP_abs:
		v = pop(m);
		push(m, (s64)v < 0 ? -v : v);
		return true;
	case DW_OP_neg:
		push(m, -pop(m));
		return true;
	case DW_OP_not:
		push(m, ~pop(m));
		return true;
	case DW_OP_plus_uconst:
		v = pop(m);
		push(m, v + cursor__uleb(&m->code));
		return true;
	}
	return false;
}

static u64 divide(struct machine *m, s64 a, s64 b)
{
	if (!b)
		machine__fail(m, EVAL_BAD);
	if (!b || b == -1) /* the smallest number by -1 does not fit */
		return -(u64)a;
	return a / b;
}

static u64 modulo(struct machine *m, u64 a, u64 b)
{
	if (b)
		return a % b;
	machine__fail(m, EVAL_BAD);
	return 0;
}

static u64 binary(struct machine *m, u8 op, u64 a, u64 b)
{
	switch (op) {
	case DW_OP_and:
		return a & b;
	case DW_OP_div:
		return divide(m, a, b);
	case DW_OP_minus:
		return a - b;
	case DW_OP_mod:
		return modulo(m, a, b);
	case DW_OP_mul:
		return a * b;
	case DW_OP_or:
		return a | b;
	case DW_OP_plus:
		return a + b;
	case DW_OP_shl:
		return b < 64 ? a << b : 0;
	case DW_OP_shr:
		return b < 64 ? a >> b : 0;
	case DW_OP_shra:
		return (s64)a >> min_of(b, (u64)63);
	case DW_OP_xor:
		return a ^ b;
	case DW_OP_eq:
		return a == b;
	case DW_OP_ge:
		return (s64)a >= (s64)b;
	case DW_OP_gt:
		return (s64)a > (s64)b;
	case DW_OP_le:
		return (s64)a <= (s64)b;
	case DW_OP_lt:
		return (s64)a < (s64)b;
	case DW_OP_ne:
		return a != b;
	}
	machine__fail(m, EVAL_BAD);
	return 0;
}

static void other_op(struct machine *m, u8 op)
{
	u64 b;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - DW_OP_lit0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		breg(m, op - DW_OP_breg0);
	} else if (op == DW_OP_bregx) {
		breg(m, cursor__uleb(&m->code));
	} else if (op == DW_OP_skip) {
		jump(m, true);
	} else if (op == DW_OP_bra) {
		jump(m, pop(m) != 0);
	} else if (op != DW_OP_nop) {
		b = pop(m);
		push(m, binary(m, op, pop(m), b));
	}
}

enum eval_result eval__expr(const struct eval_memory *mem, const struct eval_regs *regs,
			    struct cursor expr, u64 bias, const u64 *initial, u64 *fault, u64 *v)
{
	struct machine m = {
		.mem = mem, .regs = regs, .code = expr, .bias = bias, .result = EVAL_CALLER,
	};
	u32 steps = 0;

	if (initial)
		push(&m, *initial);
	while (cursor__left(&m.code) && m.result == EVAL_CALLER) {
		u8 op = cursor__u8(&m.code);

		if (!constant_op(&m, op) && !stack_op(&m, op) && !unary_op(&m, op))
			other_op(&m, op);
		if (m.code.bad || ++steps == MAX_STEPS || (mem->steps && !*mem->steps))
			machine__fail(&m, EVAL_BAD);
		else if (mem->steps)
			--*mem->steps;
	}
	*v = pop(&m);
	*fault = m.fault;
	return m.result;
}
