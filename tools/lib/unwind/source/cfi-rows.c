// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Rows of call frame information to rules of a row table. */
#include <dwarf.h>
#include <elf.h>

#include "cfi.h"
#include "root-code.h"

/* Instructions that are executed, and FDEs that are read, for one page. */
#define PAGE_STEPS (1U << 20)
#define PAGE_FDES (1U << 16)
/*
 * And for all pages. A byte of a sane section is part of one instruction, which is executed once
 * for each page of its function, and three times in special ones; that of a CIE for many of the
 * FDEs. But entries can be made to overlap, and to be of all pages.
 */
#define WORK_PER_BYTE 16
#define MAX_WORK (1ULL << 27)
#define FDE_WORK 4
/* A function that lands an exception is no longer; libgcc's have 1 kB. */
#define LANDING_BYTES 8192
/*
 * How much of a function's program is looked through for an instruction that only special functions
 * have, a few in each; those have some 100 bytes. All functions of a page can share one program
 * that is as long as the file.
 */
#define LOOKED_THROUGH 1024u

static bool fits(s64 v)
{
	return v == (s32)v;
}

static bool is_breg(u8 op)
{
	return op >= DW_OP_breg0 && op <= DW_OP_breg31;
}

/* `register + offset' at the start of an expression. */
static bool expr__breg(struct cursor *c, u8 *reg, s64 *off)
{
	u8 op = cursor__u8(c);

	*reg = op - DW_OP_breg0;
	*off = cursor__sleb(c);
	return is_breg(op) && !c->bad && fits(*off);
}

/* What follows a dereference: nothing, or a constant that is added. */
static bool expr__addend(struct cursor *c, s64 *add)
{
	u8 op;

	*add = 0;
	if (!cursor__left(c))
		return true;
	op = cursor__u8(c);
	if (op == DW_OP_plus_uconst)
		*add = cursor__uleb(c);
	else if (op >= DW_OP_lit0 && op <= DW_OP_lit31 && cursor__u8(c) == DW_OP_plus)
		*add = op - DW_OP_lit0;
	else
		return false;
	return !c->bad && !cursor__left(c) && fits(*add);
}

/*
 * The lazy entries of a PLT as linkers describe them all at once: a push of 8 bytes lies at the
 * offset lit3 of each entry of 16 bytes:
 * sp + 8 + ((pc & 15) >= offset) << 3
 */
static bool expr__plt(struct cursor c, struct row_rule *rule)
{
	static const u8 tail[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	const u8 *rest;
	s64 off, zero;
	u8 sp, pc, at;

	if (!expr__breg(&c, &sp, &off) || !expr__breg(&c, &pc, &zero) || pc != 16 || zero ||
	    cursor__u8(&c) != DW_OP_lit15 || cursor__u8(&c) != DW_OP_and)
		return false;
	at = cursor__u8(&c) - DW_OP_lit0;
	rest = cursor__take(&c, sizeof(tail));
	if (at > 15 || !rest || memcmp(rest, tail, sizeof(tail)) || cursor__left(&c))
		return false;
	rule->cfa = ROW_HOW(ROW_CFA_PLT, sp);
	rule->cfa_off = off;
	rule->cfa_add = at;
	return true;
}

static bool cfa__expr(const struct cfi_rule *cfa, const struct unwind_arch_info *arch,
		      struct row_rule *rule)
{
	struct cursor c = cursor__init(cfa->expr, cfa->len, false);
	s64 off, add;
	u8 reg;

	if (arch->e_machine == EM_X86_64 && expr__plt(c, rule))
		return true;
	if (!expr__breg(&c, &reg, &off))
		return false;
	rule->cfa = ROW_HOW(ROW_CFA_REG, reg);
	rule->cfa_off = off;
	if (!cursor__left(&c))
		return true;
	if (cursor__u8(&c) != DW_OP_deref || !expr__addend(&c, &add))
		return false;
	rule->cfa = ROW_HOW(ROW_CFA_DEREF, reg);
	rule->cfa_add = add;
	return true;
}

static bool cfa__rule(const struct cfi_rule *cfa, const struct unwind_arch_info *arch,
		      struct row_rule *rule)
{
	if (cfa->how == CFI_VAL_EXPR)
		return cfa__expr(cfa, arch, rule);
	if (cfa->how != CFI_REGISTER || cfa->reg > 31 || !fits(cfa->off))
		return false;
	rule->cfa = ROW_HOW(ROW_CFA_REG, cfa->reg);
	rule->cfa_off = cfa->off;
	return true;
}

static bool loc__rule(const struct cfi_rule *slot, u8 *how, s32 *off)
{
	struct cursor c = cursor__init(slot->expr, slot->len, false);
	s64 v = 0;
	u8 reg;

	switch (slot->how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
		*how = ROW_HOW(ROW_LOC_SAME, 0);
		break;
	case CFI_UNDEFINED:
		*how = ROW_HOW(ROW_LOC_UNDEFINED, 0);
		break;
	case CFI_OFFSET:
	case CFI_VAL_OFFSET:
		*how = ROW_HOW(slot->how == CFI_OFFSET ? ROW_LOC_AT_CFA : ROW_LOC_IS_CFA, 0);
		v = slot->off;
		break;
	case CFI_REGISTER:
		if (slot->reg > 31)
			return false;
		*how = ROW_HOW(ROW_LOC_IS_REG, slot->reg);
		break;
	case CFI_EXPR:
	case CFI_VAL_EXPR:
		c = cursor__init(slot->expr, slot->len, false);
		if (!expr__breg(&c, &reg, &v) || cursor__left(&c))
			return false;
		*how = ROW_HOW(slot->how == CFI_EXPR ? ROW_LOC_AT_REG : ROW_LOC_IS_REG, reg);
		break;
	}
	*off = v;
	return fits(v);
}

/*
 * Is the caller's SP what the walker takes it for: the CFA? On s390x it is the CFA - 160 by
 * definition of the CFA, so wherever a function has put it, the value is known.
 */
static bool sp__follows(const struct cfi_row *row, const struct cfi_cie *cie,
			const struct unwind_arch_info *arch, const struct row_rule *rule)
{
	const struct cfi_rule *sp = &row->slots[arch->dwarf_sp];
	s32 off;
	u8 how;

	if (sp->how == CFI_UNSPECIFIED || sp->how == CFI_SAME)
		return true;
	if (arch->e_machine == EM_S390 && !cie->signal)
		return sp->how == CFI_OFFSET || sp->how == CFI_REGISTER;
	if (!loc__rule(sp, &how, &off))
		return false;
	if (ROW_KIND(how) == ROW_LOC_IS_CFA)
		return !off;
	return ROW_KIND(how) == ROW_LOC_AT_REG && ROW_KIND(rule->cfa) == ROW_CFA_DEREF &&
	       ROW_REG(how) == ROW_REG(rule->cfa) && off == rule->cfa_off && !rule->cfa_add;
}

/* A return address that nothing was said about is in the link register, if there is one. */
static bool ra__rule(const struct cfi_row *row, const struct cfi_cie *cie,
		     const struct unwind_arch_info *arch, struct row_rule *rule)
{
	if (!loc__rule(&row->slots[cie->ra], &rule->ra, &rule->ra_off))
		return false;
	if (ROW_KIND(rule->ra) != ROW_LOC_SAME || cie->ra == arch->dwarf_ra)
		return true;
	rule->ra = ROW_HOW(ROW_LOC_IS_REG, cie->ra);
	return cie->ra <= 31;
}

/* The rule that says the same as @row; one of ROW_CFA_EVAL when none does. */
static void cfi_row__rule(const struct cfi_row *row, const struct cfi_cie *cie,
			  const struct unwind_arch_info *arch, struct row_rule *rule)
{
	u8 flags = (cie->signal ? ROW_SIGNAL : 0) | (row->ra_signed ? ROW_RA_SIGNED : 0);

	*rule = (struct row_rule){ .flags = flags };
	if (row->slots[cie->ra].how == CFI_UNDEFINED) {
		*rule = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_END, 0) };
		return;
	}
	if (row->cfa.how == CFI_UNSPECIFIED) {
		*rule = (struct row_rule){};
		return;
	}
	if (cfa__rule(&row->cfa, arch, rule) && ra__rule(row, cie, arch, rule) &&
	    loc__rule(&row->slots[arch->dwarf_fp], &rule->fp, &rule->fp_off) &&
	    sp__follows(row, cie, arch, rule))
		return;
	*rule = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_EVAL, 0), .flags = flags };
}

/*
 * How much the CFAs of a function are too low. On aarch64 glibc's _dl_runtime_resolve says nothing
 * of what the PLT has pushed, and that the return address is at CFA + 8; but that lies in the
 * frame, so the CFA must be above it. SP is aligned to 16.
 */
static s32 fde__lift(const struct cfi *c, const struct cfi_fde *fde, struct cfi_run *run)
{
	struct row_rule rule;

	/* There is one instruction only that can say it. */
	if (c->arch->e_machine != EM_AARCH64 || fde->cie->signal || !fde->program.len ||
	    !memchr(fde->program.data, DW_CFA_offset_extended_sf,
		    min_of(fde->program.len, (size_t)LOOKED_THROUGH)))
		return 0;
	cfi_run__begin(run, c, fde);
	while (cfi_run__next(run)) {
		cfi_row__rule(&run->row, run->cie, c->arch, &rule);
		if (rule.cfa == ROW_HOW(ROW_CFA_REG, c->arch->dwarf_sp) &&
		    rule.ra == ROW_HOW(ROW_LOC_AT_CFA, 0) && rule.ra_off >= 0 && rule.ra_off < 256)
			return (rule.ra_off & ~15) + 16;
	}
	return 0;
}

static void rule__lift(struct row_rule *rule, const struct unwind_arch_info *arch, s32 lift)
{
	if (!lift || rule->cfa != ROW_HOW(ROW_CFA_REG, arch->dwarf_sp) ||
	    rule->cfa_off > INT32_MAX - lift || rule->ra_off < INT32_MIN + lift ||
	    rule->fp_off < INT32_MIN + lift)
		return;
	rule->cfa_off += lift;
	rule->ra_off -= ROW_KIND(rule->ra) == ROW_LOC_AT_CFA ? lift : 0;
	rule->fp_off -= ROW_KIND(rule->fp) == ROW_LOC_AT_CFA ? lift : 0;
}

/*
 * Where a function that lands an exception (of libgcc, by __builtin_eh_return()) has the registers
 * of the frame that catches in its own slots, the return address among them: from the call before
 * the last one on, which puts them there, until SP and pc are that frame's, by way of rcx. Empty:
 * it is not such a function.
 */
static struct rows_range fde__landing(const struct cfi *c, const struct cfi_fde *fde,
				      struct cfi_run *run)
{
	static const u8 sp_is_rcx[] = { DW_CFA_def_cfa, 2, 8 };
	u64 end = 0, jump = 0, calls[2] = {};
	struct bytes code;
	struct insn insn;

	if (!c->code || c->arch->e_machine != EM_X86_64 || !fde->program.len ||
	    !memmem(fde->program.data, min_of(fde->program.len, (size_t)LOOKED_THROUGH), sp_is_rcx,
		    sizeof(sp_is_rcx)))
		return (struct rows_range){};
	cfi_run__begin(run, c, fde);
	while (!jump && cfi_run__next(run)) {
		const struct cfi_rule *ra = &run->row.slots[run->cie->ra];

		if (end && ra->how == CFI_REGISTER && ra->reg == 2)
			jump = run->end;
		else if (!end && run->row.cfa.how == CFI_REGISTER && run->row.cfa.reg == 2)
			end = run->start;
	}
	if (end > fde->start + LANDING_BYTES)
		return (struct rows_range){};
	for (u64 at = fde->start; at < end; at += insn.len) {
		code = elf_image__bytes_at(c->code, at);
		if (!c->arch->decode(code.data, code.len, &insn))
			return (struct rows_range){};
		if (insn.kind != INSN_CALL)
			continue;
		calls[0] = calls[1];
		calls[1] = at + insn.len;
	}
	return calls[0] ? (struct rows_range){ calls[0] - 1, max_of(jump, end) } :
			  (struct rows_range){};
}

/* A row, of which a part may lie in @landing: there is no way to the caller. */
static bool landing__row(const struct rows_range *landing, const struct cfi_run *run,
			 const struct row_rule *rule, struct rows_builder *b)
{
	struct row_rule landed = *rule;

	/* That of a register which x86-64 does not have: it is unknown, not undefined. */
	landed.ra = ROW_HOW(ROW_LOC_SAME, 0);
	landed.ra_off = 0;
	if (run->end <= landing->start || run->start >= landing->end ||
	    ROW_KIND(rule->cfa) != ROW_CFA_REG)
		return rows_builder__row(b, run->start, rule);
	if (run->start < landing->start && !rows_builder__row(b, run->start, rule))
		return false;
	return rows_builder__row(b, max_of(run->start, landing->start), &landed) &&
	       (run->end <= landing->end || rows_builder__row(b, landing->end, rule));
}

/* A function that returns has a caller, though its row may say that the return address is lost. */
static void rule__check_end(struct row_rule *rule, const struct cfi *c, const struct cfi_fde *fde,
			    struct cfi_run *run)
{
	const struct root_row row = { run->start, run->end, run->end == fde->end };

	if (ROW_KIND(rule->cfa) == ROW_CFA_END &&
	    !root_row__holds(&row, c->code, c->arch, &run->steps))
		*rule = row_rule__unknown_ra(c->arch, ROW_EH_FRAME);
}

static bool fde__fill(const struct cfi *c, const struct cfi_fde *fde, struct cfi_run *run, u64 from,
		      u64 to, struct rows_builder *b)
{
	struct rows_range landing = fde__landing(c, fde, run);
	s32 lift = fde__lift(c, fde, run);
	struct row_rule rule;

	cfi_run__begin(run, c, fde);
	if (!rows_builder__function(b, fde->start, fde->end))
		return false;
	while (cfi_run__next(run) && run->start < to) {
		if (run->end <= from)
			continue;
		cfi_row__rule(&run->row, run->cie, c->arch, &rule);
		rule__check_end(&rule, c, fde, run);
		rule__lift(&rule, c->arch, lift);
		if (c->is_debug_frame && ROW_KIND(rule.cfa) != ROW_CFA_HOLE)
			rule.flags |= ROW_FROM(ROW_DEBUG_FRAME);
		if (!landing__row(&landing, run, &rule, b))
			return false;
	}
	/* What the program says behind its error does not count. */
	if (run->program.bad)
		rows_builder__row(b, run->start, &(struct row_rule){});
	return true;
}

static u64 cfi__work_left(const struct cfi *c)
{
	u64 most = min_of(c->section.len * (u64)WORK_PER_BYTE + PAGE_STEPS, MAX_WORK);

	return c->work < most ? most - c->work : 0;
}

static void cfi__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	struct cfi *c = private;
	struct cfi_fde fde;
	u64 first = cfi__first(c, from), nr = min_of(cfi__nr(c), first + PAGE_FDES);
	u64 left = cfi__work_left(c);
	struct cfi_run run = { .steps = min_of(left + 1, PAGE_STEPS) };
	u32 steps = run.steps;

	for (u64 i = first; i < nr; i++) {
		if (cfi__start(c, i) >= to || !cfi__work_left(c))
			break;
		c->work += FDE_WORK;
		if (!cfi__fde(c, i, &fde) || fde.end <= from || fde.start >= to ||
		    !rows_builder__wants(b, fde.start, fde.end))
			continue;
		if (!fde__fill(c, &fde, &run, from, to, b))
			break;
	}
	c->work += steps - run.steps;
	cfi_run__exit(&run);
}

struct rows_source cfi__source(struct cfi *c)
{
	return (struct rows_source){ .fill = cfi__fill, .private = c };
}
