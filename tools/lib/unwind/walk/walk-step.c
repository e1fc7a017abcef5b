// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The steps that are not the usual one. */
#include "walk-steps.h"

static bool walk__cfa(struct walk *w, const struct row_rule *rule, u64 *cfa)
{
	u64 base;

	if (!walk__reg(w, ROW_REG(rule->cfa), &base))
		return walk__stop(w, UNWIND_UNKNOWN_REG);
	base += rule->cfa_off;
	*cfa = base;
	switch (ROW_KIND(rule->cfa)) {
	case ROW_CFA_DEREF:
		if (!walk__read(w, base, cfa))
			return walk__stop_at(w, base);
		*cfa += rule->cfa_add;
		break;
	case ROW_CFA_PLT:
		*cfa += (s32)(w->pc & 15) >= rule->cfa_add ? 8 : 0;
		break;
	}
	return true;
}

/* Where a saved register is (ROW_LOC_AT_*), or its value. False: it needs an unknown one. */
static bool walk__loc(struct walk *w, u8 how, s32 off, u64 cfa, bool *in_memory, u64 *v)
{
	*v = cfa;
	*in_memory = ROW_KIND(how) == ROW_LOC_AT_CFA || ROW_KIND(how) == ROW_LOC_AT_REG;
	switch (ROW_KIND(how)) {
	case ROW_LOC_AT_REG:
	case ROW_LOC_IS_REG:
		if (!walk__reg(w, ROW_REG(how), v))
			return false;
		break;
	case ROW_LOC_UNDEFINED:
		return false;
	}
	*v += off;
	return true;
}

static bool walk__ra(struct walk *w, const struct row_rule *rule, u64 cfa, u64 *ra)
{
	bool in_memory = false, known;
	u64 v;

	if (ROW_KIND(rule->ra) == ROW_LOC_SAME)
		/* Of a frame that made a call, the register has the address behind that call. */
		known = w->exact && w->arch->ra_in_reg && walk__reg(w, w->arch->dwarf_ra, &v);
	else
		known = walk__loc(w, rule->ra, rule->ra_off, cfa, &in_memory, &v);
	if (!known)
		return walk__stop(w, UNWIND_UNKNOWN_REG);
	*ra = v;
	if (in_memory && !walk__read(w, v, ra) && !walk__popped_ra(w, v, ra))
		return walk__stop_at(w, v);
	if (rule->flags & ROW_RA_SIGNED)
		*ra &= w->arch->address_mask;
	return true;
}

/*
 * Compilers leave the rule of a register standing behind the instruction that has restored it.
 * Its slot is below SP then; or, where the slot is found by the register itself, in no place that
 * is this frame's.
 */
static bool slot__is_left(const struct walk *w, const struct row_rule *rule, u64 slot, u64 cfa)
{
	if (slot < w->sp)
		return true;
	return rule->fp == ROW_HOW(ROW_LOC_AT_REG, w->arch->dwarf_fp) && slot >= cfa &&
	       !(rule->flags & ROW_SIGNAL);
}

static void walk__caller_fp(struct walk *w, const struct row_rule *rule, u64 cfa)
{
	bool in_memory;
	u64 v;

	if (ROW_KIND(rule->fp) == ROW_LOC_SAME)
		return;
	if (!walk__loc(w, rule->fp, rule->fp_off, cfa, &in_memory, &v)) {
		w->fp_known = false;
	} else if (!in_memory) {
		w->fp = v;
		w->fp_known = true;
	} else if (!slot__is_left(w, rule, v, cfa)) {
		w->fp_known = walk__read(w, v, &w->fp);
	}
}

/* Behind a signal frame the stack may be another one; before it, a leaf may not have moved. */
static bool walk__progresses(const struct walk *w, u64 sp, bool signal)
{
	return signal || sp > w->sp || (sp == w->sp && w->exact);
}

/* Has the code in front of @vaddr set SP to what is in no frame pointer? */
static bool switches_stack(const struct walk *w, const struct walk_map *m, u64 vaddr)
{
	struct bytes code = elf_image__bytes_at(&m->um->m->image, vaddr - UNWIND_SWITCH);
	u32 len = min_of(code.len, (size_t)UNWIND_SWITCH);

	return w->arch->find_switch && w->arch->find_switch(code.data, len) < len;
}

/*
 * May SP fall to @sp, the caller's? Where code has gone to another stack: once, and to below all
 * that was walked. Then slots of the frame may lie anywhere.
 */
static bool walk__lowers(struct walk *w, u64 sp)
{
	u64 look = w->exact ? w->pc : w->pc - 1;
	const struct walk_map *m = walk__map(w, look);

	if (w->lowered || sp >= w->regs->v[w->arch->sp] || !m || !m->table ||
	    !switches_stack(w, m, look - m->bias))
		return false;
	w->lowered = true;
	w->sp = 0;
	return true;
}

bool walk__by_rule(struct walk *w, const struct row_rule *rule)
{
	bool signal = rule->flags & ROW_SIGNAL, rises, lowers, lr, forgets;
	u64 cfa, ra, sp;

	if (!walk__cfa(w, rule, &cfa))
		return false;
	sp = cfa - w->arch->cfa_above_sp;
	rises = walk__progresses(w, sp, signal);
	lowers = !rises && walk__lowers(w, sp);
	if (!walk__ra(w, rule, cfa, &ra))
		return false;
	if (!rises && (!lowers || !walk__follows_call(w, ra)))
		return walk__stop(w, UNWIND_NO_PROGRESS);
	walk__caller_fp(w, rule, cfa);
	forgets = ROW_KIND(rule->fp) == ROW_LOC_UNDEFINED;
	lr = ROW_KIND(rule->ra) == ROW_LOC_SAME || ROW_KIND(rule->ra) == ROW_LOC_IS_REG;
	if (!walk__arrive(w, ra, sp, signal, lr ? UNWIND_BY_LR :
			  method_of_rule(rule)))
		return false;
	/* Where an exception is landed the evaluator's slots are not the caller's either. */
	if (forgets)
		walk__forget_regs(w);
	return true;
}

static enum unwind_stop stop_of_eval(struct walk *w, enum eval_result result, u64 fault)
{
	if (w->eval_steps <= 1)
		return UNWIND_COSTLY;
	switch (result) {
	case EVAL_OUTERMOST:
		return UNWIND_OUTERMOST;
	case EVAL_NO_ROW:
		return UNWIND_NO_ROW;
	case EVAL_UNREADABLE:
		return walk__unread(w, fault);
	case EVAL_UNKNOWN_REG:
		return UNWIND_UNKNOWN_REG;
	case EVAL_NO_MEMORY:
		return w->prepared ? UNWIND_NOT_PREPARED : UNWIND_NO_MEMORY;
	default:
		return UNWIND_UNREADABLE;
	}
}

bool walk__by_cfi(struct walk *w, struct walk_map *m)
{
	const struct unwind_arch_info *arch = w->arch;
	u64 look = w->exact ? w->pc : w->pc - 1, sp;
	struct eval_frame frame;
	enum eval_result result;

	walk__all_regs(w);
	result = walk__eval(w, m, look, w->exact, &frame);
	if (result != EVAL_CALLER)
		return walk__stop(w, stop_of_eval(w, result, frame.fault));
	if (!(w->all.known >> arch->dwarf_sp & 1))
		return walk__stop(w, UNWIND_UNKNOWN_REG);
	sp = w->all.v[arch->dwarf_sp];
	if (!walk__progresses(w, sp, frame.signal))
		return walk__stop(w, UNWIND_NO_PROGRESS);
	w->all_at++;
	w->all_exact = frame.signal;
	w->fp = w->all.v[arch->dwarf_fp];
	w->fp_known = w->all.known >> arch->dwarf_fp & 1;
	return walk__arrive(w, w->all.pc, sp, frame.signal, UNWIND_BY_CFI);
}

/* Is it there still? The system call at the end gives the registers back one by one, SP as well. */
static bool walk__has_mark(const struct walk *w, const struct unwind_sigframe *f)
{
	u64 v;

	return !f->mark || (walk__read(w, w->sp + f->mark, &v) && (u32)v == f->marked);
}

/*
 * Did a signal handler return to here? The address is that of an instruction, behind no call. Or
 * the trampoline itself was running: it is behind its first instruction, or in the system call,
 * behind which the pc may be that of another function.
 */
const struct unwind_sigframe *walk__sigframe(const struct walk *w, const struct walk_map *m)
{
	const struct unwind_sigframe *f = map__sigframe(w, m, w->pc);

	if (!w->exact || !w->arch->sigframe)
		return f;
	for (u32 back = w->arch->insn_align; !f && back <= 8; back += w->arch->insn_align) {
		f = map__sigframe(w, m, w->pc - back);
		if (f && (back > f->len || (back == f->len && !walk__has_mark(w, f))))
			return NULL;
	}
	return f;
}

/* Where older Linux has put s390x's: at the end of the signal's frame. */
const struct unwind_sigframe *walk__sigframe_on_stack(const struct walk *w)
{
	u64 off = w->pc - w->stack_start;
	u8 code[8];

	if (!w->arch->sigframe)
		return NULL;
	if (off < w->stack_words)
		return w->arch->sigframe(w->stack + off);
	return walk__read_bytes(w, w->pc, code, sizeof(code)) ? w->arch->sigframe(code) : NULL;
}

bool walk__by_sigframe(struct walk *w, const struct unwind_sigframe *f)
{
	const struct unwind_arch_info *arch = w->arch;
	u64 frame = w->sp, sp, pc;

	if (!walk__read(w, frame + f->pc, &pc) || !walk__read(w, frame + f->sp, &sp))
		return walk__stop_at(w, frame + f->pc);
	w->fp_known = walk__read(w, frame + f->regs + 8 * arch->dwarf_fp, &w->fp);
	if (!walk__arrive(w, pc, sp, true, UNWIND_BY_CFI))
		return false;
	walk__forget_regs(w);
	for (u32 i = 0; i < f->nr_regs; i++)
		if (walk__read(w, frame + f->regs + 8 * i, &w->all.v[i]))
			w->all.known |= BIT_ULL(i);
	return true;
}
