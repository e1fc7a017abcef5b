// SPDX-License-Identifier: GPL-2.0-only
#include "v8-rows.h"

#include <string.h>

#include "../../../lib/unwind/arch/x86_64/insn.h"
#include "rows-out.h"

#define ENTRY_MAX 64          /* bytes in front of the frame: whether the code is thrown away */
#define LEFT_MAX 16           /* places that are jumped to where there is no frame any more */
#define ROWS_MAX (1 << 20)    /* bytes */

enum state {
	ENTERED, /* the return address is at SP */
	PUSHED,  /* rbp is */
	FRAME,
	LEFT,    /* as ENTERED */
	LOST,    /* not known */
	STATES
};

struct sweep {
	jit_elf_bytes *out;
	const u8 *code;
	u64 size, at, from; /* the instruction; where the state has begun */
	enum state state;
	size_t rules[STATES];
	u64 left[LEFT_MAX];
	u32 nr_left;
	bool ends, fails;   /* what follows is not certain; nothing is */
};

static const u8 entered[] = { CFA_DEF_CFA, RSP, 8, CFA_OFFSET | RA, 1 };
static const u8 pushed[] = { CFA_DEF_CFA, RSP, 16, CFA_OFFSET | RA, 1, CFA_OFFSET | RBP, 2 };
static const u8 frame[] = { CFA_DEF_CFA, RBP, 16, CFA_OFFSET | RA, 1, CFA_OFFSET | RBP, 2 };
static const u8 unknown[] = ROWS_OUT_UNKNOWN;

/* The next instruction is in @state. */
static void sweep__turn(struct sweep *s, u64 next, enum state state)
{
	if (next > s->from)
		rows_out__range(s->out, s->size, s->from, next - s->from, s->rules[s->state]);
	s->from = next;
	s->state = state;
}

/* A jump from where there is no frame. */
static void sweep__leaves_to(struct sweep *s, const struct insn *insn)
{
	u64 to = s->at + insn->target;

	if (!insn->direct || to >= s->size)
		return; /* to other code */
	if (to <= s->at || s->nr_left == LEFT_MAX)
		s->fails = true;
	else
		s->left[s->nr_left++] = to;
}

static bool is_bytes(const struct sweep *s, u64 at, const void *bytes, size_t size)
{
	return at <= s->size && size <= s->size - at && !memcmp(s->code + at, bytes, size);
}

static void sweep__entered(struct sweep *s, const struct insn *insn)
{
	u64 next = s->at + insn->len;

	if (insn->fp == FP_PUSHED)
		sweep__turn(s, next, PUSHED);
	else if (next > ENTRY_MAX || insn->sp != SP_KEPT || insn->fp != FP_KEPT ||
		 (insn->kind != INSN_PLAIN && insn->kind != INSN_BRANCH) ||
		 (insn->kind == INSN_BRANCH && (u64)(s->at + insn->target) < s->size))
		s->fails = true;
}

static void sweep__frame(struct sweep *s, const struct insn *insn)
{
	bool is_made = s->at >= 3 && (is_bytes(s, s->at - 3, "\x48\x8b\xe5\x5d", 4) ||
				      is_bytes(s, s->at - 3, "\x48\x89\xec\x5d", 4));

	if (insn->fp == FP_KEPT && insn->kind != INSN_LEAVE)
		return;
	if (insn->fp != FP_KEPT && (is_made || s->code[s->at] == 0xc9)) {
		sweep__turn(s, s->at + insn->len, LEFT);
	} else {
		/* Data may follow a jump by a table. */
		sweep__turn(s, s->at + insn->len, LOST);
		s->ends = true;
	}
}

static void sweep__left(struct sweep *s, const struct insn *insn)
{
	u64 next = s->at + insn->len;

	switch (insn->kind) {
	case INSN_BRANCH:
		sweep__leaves_to(s, insn);
		break;
	case INSN_JUMP:
		sweep__leaves_to(s, insn);
		sweep__turn(s, next, FRAME);
		break;
	case INSN_LEAVE:
	case INSN_RETURN:
	case INSN_END:
		sweep__turn(s, next, FRAME);
		break;
	default:
		/* Arguments are taken away from below the return address. */
		if (insn->sp != SP_KEPT || insn->fp != FP_KEPT || insn->kind != INSN_PLAIN)
			sweep__turn(s, next, LOST);
	}
}

static void sweep__step(struct sweep *s, const struct insn *insn)
{
	u64 next = s->at + insn->len;

	for (u32 i = 0; i < s->nr_left; i++)
		if (s->left[i] == s->at)
			sweep__turn(s, s->at, LEFT);
		else if (s->left[i] > s->at && s->left[i] < next)
			s->fails = true;
	switch (s->state) {
	case ENTERED:
		sweep__entered(s, insn);
		break;
	case PUSHED:
		s->fails |= insn->fp != FP_FROM_SP || insn->fp_move;
		sweep__turn(s, next, FRAME);
		break;
	case FRAME:
		sweep__frame(s, insn);
		break;
	case LEFT:
		sweep__left(s, insn);
		break;
	default:
		if (insn->kind != INSN_PLAIN && insn->kind != INSN_CALL)
			sweep__turn(s, next, FRAME);
		s->fails |= insn->kind == INSN_BRANCH || insn->kind == INSN_JUMP;
	}
}

/* Behind what could be decoded: calls are made in a frame. */
static void sweep__put_calls(struct sweep *s)
{
	for (u64 i = max_of(s->from, (u64)1) + 1; i <= s->size && s->out->nr < ROWS_MAX; i++)
		if (rows_out__is_behind_call(s->code, i))
			rows_out__range(s->out, s->size, i - 1, 1, s->rules[FRAME]);
}

void v8_rows__of_code(jit_elf_bytes *out, const u8 *code, u64 size)
{
	struct sweep s = { .out = out, .code = code, .size = size };
	struct insn insn;

	s.rules[FRAME] = rows_out__rules(out, frame, sizeof(frame));
	s.rules[ENTERED] = s.rules[LEFT] = rows_out__rules(out, entered, sizeof(entered));
	s.rules[PUSHED] = rows_out__rules(out, pushed, sizeof(pushed));
	s.rules[LOST] = rows_out__rules(out, unknown, sizeof(unknown));
	for (; s.at < size && !s.ends && !s.fails && out->nr < ROWS_MAX; s.at += insn.len) {
		if (!x86__decode(code + s.at, size - s.at, &insn) || !insn.len ||
		    insn.len > size - s.at || insn.kind == INSN_UNKNOWN)
			break;
		sweep__step(&s, &insn);
	}
	/* A place without a frame that was not come to. */
	for (u32 i = 0; i < s.nr_left; i++)
		s.fails |= s.left[i] >= s.at;
	if (s.fails || s.state == ENTERED || s.state == PUSHED) {
		out->nr = 0;
		return;
	}
	sweep__turn(&s, s.ends ? s.from : min_of(s.at, size), FRAME);
	sweep__put_calls(&s);
	rows_out__end(out);
}
