// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "eval.h"

#include <dwarf.h>

struct step {
	const struct unwind_arch_info *arch;
	const struct eval_memory *mem;
	struct eval_frame *frame;
	const struct eval_regs *regs; /* of the frame */
	bool swap;
};

static enum eval_result step__expr(struct step *s, const struct cfi_rule *rule, const u64 *cfa,
				   u64 *v)
{
	return eval__expr(s->mem, s->regs, cursor__init(rule->expr, rule->len, s->swap),
			  s->frame->bias, cfa, &s->frame->fault, v);
}

static enum eval_result step__read(struct step *s, u64 addr, u64 *v)
{
	if (s->mem->read(s->mem->ctx, addr, 8, v))
		return EVAL_CALLER;
	s->frame->fault = addr;
	return EVAL_UNREADABLE;
}

static enum eval_result step__register(struct step *s, u32 reg, u64 *v)
{
	if (reg >= CFI_REGS || !(s->regs->known >> reg & 1))
		return EVAL_UNKNOWN_REG;
	*v = s->regs->v[reg];
	return EVAL_CALLER;
}

static enum eval_result step__cfa(struct step *s, const struct cfi_rule *rule)
{
	enum eval_result result = EVAL_NO_ROW;

	if (rule->how == CFI_REGISTER) {
		result = step__register(s, rule->reg, &s->frame->cfa);
		s->frame->cfa += rule->off;
	} else if (rule->how == CFI_VAL_EXPR) {
		result = step__expr(s, rule, NULL, &s->frame->cfa);
	}
	return result;
}

/* The caller's value of one register. */
static enum eval_result step__slot(struct step *s, const struct cfi_rule *rule, u32 reg, u64 *v)
{
	enum eval_result result;

	switch (rule->how) {
	case CFI_OFFSET:
		return step__read(s, s->frame->cfa + rule->off, v);
	case CFI_VAL_OFFSET:
		*v = s->frame->cfa + rule->off;
		return EVAL_CALLER;
	case CFI_REGISTER:
		return step__register(s, rule->reg, v);
	case CFI_EXPR:
		result = step__expr(s, rule, &s->frame->cfa, v);
		return result == EVAL_CALLER ? step__read(s, *v, v) : result;
	case CFI_VAL_EXPR:
		return step__expr(s, rule, &s->frame->cfa, v);
	case CFI_SAME:
	case CFI_UNSPECIFIED:
		/*
		 * Also of a register that a call may spoil: a rule that needs it behind a call says
		 * that this call did not, as in assembly that calls its own.
		 */
		return step__register(s, reg, v);
	}
	return EVAL_UNKNOWN_REG;
}

/*
 * Compilers leave the rule standing behind the instruction that has restored a register. Its
 * slot is below SP then; or, where the slot is found by the register itself, in no place that is
 * this frame's. The register is the caller's again.
 */
static bool step__is_restored(struct step *s, const struct cfi_rule *rule, u32 reg)
{
	u8 sp = s->arch->dwarf_sp;
	u64 slot, fault = s->frame->fault;

	if (!(s->regs->known >> sp & 1))
		return false;
	if (rule->how == CFI_OFFSET)
		return s->frame->cfa + rule->off < s->regs->v[sp];
	if (rule->how != CFI_EXPR || s->frame->signal || !rule->len || reg > 31 ||
	    rule->expr[0] != DW_OP_breg0 + reg ||
	    step__expr(s, rule, &s->frame->cfa, &slot) != EVAL_CALLER) {
		s->frame->fault = fault;
		return false;
	}
	return slot < s->regs->v[sp] || slot >= s->frame->cfa;
}

static enum eval_result step__caller_reg(struct step *s, const struct cfi_rule *rule, u32 reg,
					 u64 *v)
{
	if (reg == s->arch->dwarf_sp && (rule->how == CFI_UNSPECIFIED || rule->how == CFI_SAME)) {
		*v = s->frame->cfa - s->arch->cfa_above_sp;
		return EVAL_CALLER;
	}
	return step__is_restored(s, rule, reg) ? step__register(s, reg, v) :
						 step__slot(s, rule, reg, v);
}

static void step__registers(struct step *s, const struct cfi_row *row, struct eval_regs *caller)
{
	caller->known = 0;
	for (u32 i = 0; i < CFI_REGS; i++)
		if (step__caller_reg(s, &row->slots[i], i, &caller->v[i]) == EVAL_CALLER)
			caller->known |= BIT_ULL(i);
}

static enum eval_result step__pc(struct step *s, const struct cfi_row *row,
				 const struct cfi_cie *cie, u64 *pc)
{
	const struct cfi_rule *rule = &row->slots[cie->ra];
	enum eval_result result;

	if (rule->how == CFI_UNDEFINED)
		return EVAL_OUTERMOST;
	if (rule->how == CFI_UNSPECIFIED || rule->how == CFI_SAME)
		/* Of a frame that made a call the register has the address behind that. */
		result = s->frame->interrupted && cie->ra != s->arch->dwarf_pc ?
			 step__register(s, cie->ra, pc) : EVAL_UNKNOWN_REG;
	else
		result = step__slot(s, rule, cie->ra, pc);
	if (row->ra_signed)
		*pc &= s->arch->address_mask;
	return result;
}

static enum eval_result step__caller(struct step *s, const struct cfi_row *row,
				     const struct cfi_cie *cie, struct eval_regs *caller)
{
	enum eval_result result;

	if (row->slots[cie->ra].how == CFI_UNDEFINED)
		return EVAL_OUTERMOST;
	result = step__cfa(s, &row->cfa);
	if (result == EVAL_CALLER)
		result = step__pc(s, row, cie, &caller->pc);
	if (result != EVAL_CALLER)
		return result;
	step__registers(s, row, caller);
	/* What is read later as `the pc' (x86-64: 16) is the pc. */
	caller->v[s->arch->dwarf_pc] = caller->pc;
	caller->known |= BIT_ULL(s->arch->dwarf_pc);
	return EVAL_CALLER;
}

/* By one function's call frame information. */
static enum eval_result step__run(struct step *s, const struct cfi *cfi, const struct cfi_fde *fde,
				  struct eval_regs *regs)
{
	u32 most = s->mem->steps ? min_of(*s->mem->steps, CFI_STEPS) : CFI_STEPS;
	enum eval_result result = EVAL_NO_ROW;
	u64 vaddr = s->frame->vaddr;
	struct eval_regs caller = {};
	struct cfi_run run;
	bool found;

	s->frame->signal = fde->cie->signal;
	s->swap = cfi->swap;
	cfi_run__init(&run, most);
	cfi_run__begin(&run, cfi, fde);
	while ((found = cfi_run__next(&run)) && vaddr >= run.end)
		;
	if (s->mem->steps)
		*s->mem->steps -= most - run.steps;
	if (found && vaddr >= run.start)
		result = step__caller(s, &run.row, run.cie, &caller);
	else if (run.no_memory)
		result = EVAL_NO_MEMORY;
	cfi_run__exit(&run);
	if (result == EVAL_CALLER)
		*regs = caller;
	return result;
}

static bool mem__is_spent(const struct eval_memory *mem)
{
	return mem->steps && !*mem->steps;
}

enum eval_result eval__step(struct table *t, const struct unwind_arch_info *arch,
			    const struct eval_memory *mem, struct eval_frame *frame,
			    struct eval_regs *regs)
{
	struct step s = { .arch = arch, .mem = mem, .frame = frame, .regs = regs };
	struct cfi_fde fde;
	struct cfi *cfi;

	if (mem__is_spent(mem) || !table__fde(t, frame->vaddr, &cfi, &fde))
		return EVAL_NO_ROW;
	return step__run(&s, cfi, &fde, regs);
}

enum eval_result eval__step_prepared(const struct table *t, const struct unwind_arch_info *arch,
				     const struct eval_memory *mem, struct eval_frame *frame,
				     struct eval_regs *regs)
{
	struct step s = { .arch = arch, .mem = mem, .frame = frame, .regs = regs };
	struct cfi_fde fde;
	struct cfi view;

	if (!table__is_prepared(t))
		return EVAL_NO_MEMORY;
	if (mem__is_spent(mem) || !table__fde_prepared(t, frame->vaddr, &view, &fde))
		return EVAL_NO_ROW;
	return step__run(&s, &view, &fde, regs);
}
