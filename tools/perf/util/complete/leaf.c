// SPDX-License-Identifier: GPL-2.0-only
#include "leaf.h"

#include <endian.h>
#include <string.h>

#include "../data/sample-splice.h"
#include "walk-queue.h"

/* arch/x86/include/uapi/asm/perf_regs.h; the pc of no other architecture has this number. */
#define X86_BP 6
#define X86_SP 7
#define X86_IP 8

/* Where the kernel has read its first return address. */
struct leaf_meet {
	u64 slot; /* 0: that is not known */
	u64 ra;   /* as it was in memory then */
	bool changed; /* the copy has something else there */
};

/* The word that the kernel read, where the copy does not reach so far. */
static bool read_meet(void *ctx, u64 addr, void *to, size_t size)
{
	const struct leaf_meet *m = ctx;

	if (!m->slot || m->changed || addr != m->slot || size != sizeof(m->ra))
		return false;
	memcpy(to, &m->ra, sizeof(m->ra));
	return true;
}

/* Whether the copy has that word, and another one. */
static bool contradicts(const struct unwind_stack *stack, const struct leaf_meet *m)
{
	u64 off = m->slot - stack->start;

	return off < stack->size && stack->size - off >= sizeof(m->ra) &&
	       memcmp(stack->data + off, &m->ra, sizeof(m->ra));
}

/* Finds where walk and record should meet. Of what was running elsewhere nothing is known. */
static struct leaf_meet find_meet(const struct unwinder *u, const struct whole_sample *ws,
				  const struct unwind_regs *regs, const struct unwind_stack *stack)
{
	struct leaf_meet m = {};
	u64 fp = regs->v[X86_BP];

	if (u->arch->pc != X86_IP || !(regs->known >> X86_BP & 1) ||
	    regs->compat || fp < stack->start ||
	    ws->user_part != USER_PART_DEFERRED || ws->nr_user < 2 ||
	    ws->user[0] != regs->v[X86_IP])
		return m;
	m.slot = fp + sizeof(u64);
	m.ra = htole64(ws->user[1]);
	m.changed = contradicts(stack, &m);
	return m;
}

/* A caller is the address behind a call, found by more than the frame pointer. */
static bool are_callers(struct unwind_space *space, const struct unwind_chain *chain, u32 nr)
{
	for (u32 i = 1; i < nr; i++)
		if (chain->methods[i] == UNWIND_BY_FP ||
		    !unwind_space__follows_call(space, chain->ips[i]))
			return false;
	return true;
}

static enum leaf_result join(struct unwind_space *space, struct whole_sample *ws,
			     struct unwind_chain *chain)
{
	u32 nr = chain->nr - 1; /* the last one is the record's, too */
	u64 rest = ws->nr_user - 1;

	if (nr == 1)
		return LEAF_AGREES;
	if (!are_callers(space, chain, nr) || rest > chain->max - nr)
		return LEAF_UNUSED;
	memcpy(chain->ips + nr, ws->user + 1, rest * sizeof(u64));
	ws->user = chain->ips;
	ws->nr_user = nr + rest;
	ws->nr_restored = nr - 1;
	return LEAF_JOINED;
}

/*
 * Whether rows and calls show that the record is not this stack, but what a register led to that
 * is no frame pointer here: the walk came past it, or the kernel found nothing.
 */
static bool refutes(struct unwind_space *space, const struct whole_sample *ws,
		    const struct leaf_meet *m, const struct unwind_stack *stack,
		    const struct unwind_chain *chain)
{
	bool past = m->slot && chain->stop == UNWIND_LIMIT &&
		    stack->start + chain->depth > chain->until_sp;
	bool alone = ws->nr_user == 1 && ws->user[0] == chain->ips[0];

	return ws->user_part == USER_PART_DEFERRED && (past || alone) && chain->nr > 1 &&
	       are_callers(space, chain, chain->nr);
}

static bool meets(const struct whole_sample *ws, const struct leaf_meet *m,
		  const struct unwind_stack *stack, const struct unwind_chain *chain)
{
	return m->slot && chain->stop == UNWIND_LIMIT && chain->nr > 1 &&
	       stack->start + chain->depth == chain->until_sp &&
	       chain->ips[chain->nr - 1] == ws->user[1];
}

enum leaf_result leaf__walk(struct unwinder *u, struct unwind_space *space,
			    struct whole_sample *ws, struct unwind_chain *chain)
{
	const struct sample *s = ws->s;
	struct unwind_stack stack = {
		.data = s->stack, .size = s->stack_size,
		.to_end = s->stack_size < s->stack_room, .read = read_meet,
	};
	struct unwind_regs regs = sample__unwind_regs(s);
	struct leaf_meet meet;

	stack.start = unwinder__sp(u, &regs);
	meet = find_meet(u, ws, &regs, &stack);
	stack.ctx = &meet;
	chain->until_sp = meet.slot ? meet.slot + sizeof(u64) : 0;
	unwind__walk(space, &regs, &stack, chain);
	if (meets(ws, &meet, &stack, chain))
		return join(space, ws, chain);
	if (chain->stop == UNWIND_OUTERMOST)
		return LEAF_UNWOUND;
	if (refutes(space, ws, &meet, &stack, chain)) {
		chain->until_sp = 0;
		unwind__walk(space, &regs, &stack, chain);
		return LEAF_UNWOUND;
	}
	/* What is there of a stack is better than nothing. */
	return ws->user_part == USER_PART_MISSING && chain->nr > 1 ? LEAF_UNWOUND : LEAF_UNUSED;
}

/*
 * How much of the copy a walk needs that meets the record; all of it where the register leads out
 * of the copy or to what is no frame record: then the record is not this stack.
 */
static u64 bytes_to_meet(const struct sample *s, const struct unwind_regs *regs)
{
	u64 fp = regs->v[X86_BP], at = fp - regs->v[X86_SP], next;

	if (at >= s->stack_size || s->stack_size - at < 2 * sizeof(u64))
		return s->stack_size;
	memcpy(&next, (const u8 *)s->stack + at, sizeof(next));
	if (next && next <= fp)
		return s->stack_size;
	return max_of(align_up(at + 2 * sizeof(u64), sizeof(u64)), (u64)LEAF_LEAST);
}

bool leaf__shorten(const struct record *rec, void *dst)
{
	struct sample_spans spans;
	struct unwind_regs regs;
	struct sample s;
	u64 keep;

	if (rec->hdr->type != PERF_RECORD_SAMPLE || !rec->event ||
	    !attr__test_bit(&rec->event->attr, ATTR_BIT_DEFER_CALLCHAIN) ||
	    !attr__has_copy(&rec->event->attr) || sample__parse(&s, rec) ||
	    sample__spans(rec, &spans))
		return false;
	regs = sample__unwind_regs(&s);
	keep = bytes_to_meet(&s, &regs);
	return keep < spans.stack_used &&
	       sample__cut_stack(rec, &spans, keep, dst) < rec->hdr->size;
}
