// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The programs of call frame information: DW_CFA_* instructions to rows. */
#include <dwarf.h>
#include <elf.h>

#include "cfi.h"

#define MAX_REMEMBERED 64
/* Of a CIE. Real ones have a dozen; entries can be made to run theirs for each FDE anew. */
#define CIE_STEPS 512

/* Newer than the libdw of some distributions. */
#define CFA_AARCH64_NEGATE_RA_STATE_WITH_PC 0x2c
#define CFA_NEGATE_RA_STATE 0x2d /* aarch64; SPARC's window_save elsewhere */
#define CFA_NEGATIVE_OFFSET_EXTENDED 0x2f

static bool run__bad(struct cfi_run *run)
{
	run->program.bad = true;
	return false;
}

/* The slot of a register, or NULL for one that nobody asks for. */
static struct cfi_rule *run__slot(struct cfi_run *run, u64 reg)
{
	if (reg < CFI_REGS)
		return &run->row.slots[reg];
	return reg == run->cie->ra_column ? &run->row.slots[CFI_RA] : NULL;
}

static void run__set(struct cfi_run *run, u64 reg, u8 how, s64 off)
{
	struct cfi_rule *slot = run__slot(run, reg);

	if (slot)
		*slot = (struct cfi_rule){ .how = how, .off = off };
}

static void run__set_register(struct cfi_run *run, u64 reg, u64 in)
{
	struct cfi_rule *slot = run__slot(run, reg);

	if (!slot)
		return;
	*slot = (struct cfi_rule){ .how = CFI_REGISTER, .reg = in };
	if (in >= CFI_REGS)
		*slot = (struct cfi_rule){ .how = CFI_UNDEFINED };
}

static void run__set_expr(struct cfi_run *run, struct cfi_rule *slot, u8 how)
{
	u64 len = cursor__uleb(&run->program);
	const u8 *expr = len > UINT32_MAX ? NULL : cursor__take(&run->program, len);

	if (!expr)
		run__bad(run);
	else if (slot)
		*slot = (struct cfi_rule){ .how = how, .len = len, .expr = expr };
}

static void run__restore(struct cfi_run *run, u64 reg)
{
	struct cfi_rule *slot = run__slot(run, reg);

	if (slot)
		*slot = run->initial ? (struct cfi_rule){} :
				       run->cie->initial.slots[slot - run->row.slots];
}

static void run__def_cfa(struct cfi_run *run, u64 reg, s64 off)
{
	run->row.cfa = (struct cfi_rule){ .how = CFI_REGISTER, .reg = reg, .off = off };
	if (reg >= CFI_REGS)
		run__bad(run);
}

static s64 factored(const struct cfi_run *run, u64 off)
{
	return (s64)(off * (u64)run->cie->data_align);
}

static void run__def_cfa_part(struct cfi_run *run, u8 op)
{
	struct cfi_rule *cfa = &run->row.cfa;
	struct cursor *c = &run->program;
	u64 v = op == DW_CFA_def_cfa_offset_sf ? (u64)cursor__sleb(c) : cursor__uleb(c);

	if (cfa->how != CFI_REGISTER)
		run__bad(run);
	else if (op == DW_CFA_def_cfa_register)
		run__def_cfa(run, v, cfa->off);
	else
		cfa->off = op == DW_CFA_def_cfa_offset ? (s64)v : factored(run, v);
}

static void run__remember(struct cfi_run *run)
{
	struct cfi_row *row = NULL;

	if (run->nr_few < CFI_FEW)
		row = &run->few[run->nr_few++];
	else if (run->remembered.nr + CFI_FEW < MAX_REMEMBERED)
		run->no_memory |= !(row = vec__add(run->c->env, &run->remembered));
	if (row)
		*row = run->row;
	else
		run__bad(run);
}

static void run__restore_state(struct cfi_run *run)
{
	if (run->remembered.nr)
		run->row = run->remembered.v[--run->remembered.nr];
	else if (run->nr_few)
		run->row = run->few[--run->nr_few];
	else
		run__bad(run);
}

/* Instructions that give the place of one register. */
static void run__register_op(struct cfi_run *run, u8 op)
{
	struct cursor *c = &run->program;
	u64 reg = cursor__uleb(c);

	switch (op) {
	case DW_CFA_offset_extended:
		return run__set(run, reg, CFI_OFFSET, factored(run, cursor__uleb(c)));
	case DW_CFA_offset_extended_sf:
		return run__set(run, reg, CFI_OFFSET, factored(run, cursor__sleb(c)));
	case CFA_NEGATIVE_OFFSET_EXTENDED:
		return run__set(run, reg, CFI_OFFSET, factored(run, -cursor__uleb(c)));
	case DW_CFA_val_offset:
		return run__set(run, reg, CFI_VAL_OFFSET, factored(run, cursor__uleb(c)));
	case DW_CFA_val_offset_sf:
		return run__set(run, reg, CFI_VAL_OFFSET, factored(run, cursor__sleb(c)));
	case DW_CFA_restore_extended:
		return run__restore(run, reg);
	case DW_CFA_undefined:
		return run__set(run, reg, CFI_UNDEFINED, 0);
	case DW_CFA_same_value:
		return run__set(run, reg, CFI_SAME, 0);
	case DW_CFA_register:
		return run__set_register(run, reg, cursor__uleb(c));
	case DW_CFA_expression:
		return run__set_expr(run, run__slot(run, reg), CFI_EXPR);
	case DW_CFA_val_expression:
		return run__set_expr(run, run__slot(run, reg), CFI_VAL_EXPR);
	}
}

/* False when the location did not move. */
static bool run__advance(struct cfi_run *run, u64 delta)
{
	u64 loc = run->loc + delta * run->cie->code_align;

	if (run->initial || loc < run->loc)
		return run__bad(run);
	run->loc = loc;
	return loc > run->start;
}

static bool run__set_loc(struct cfi_run *run)
{
	u64 loc = cfi__read_encoded(run->c, &run->program, run->cie->encoding);

	if (run->initial || loc < run->loc)
		return run__bad(run);
	run->loc = loc;
	return loc > run->start;
}

static void run__negate_ra_state(struct cfi_run *run)
{
	if (run->c->arch->e_machine == EM_AARCH64)
		run->row.ra_signed = !run->row.ra_signed;
}

/* One of the instructions that have an opcode of their own. True: the location moved on. */
static bool run__extended_op(struct cfi_run *run, u8 op)
{
	struct cursor *c = &run->program;
	u64 reg;

	switch (op) {
	case DW_CFA_nop:
		return false;
	case DW_CFA_set_loc:
		return run__set_loc(run);
	case DW_CFA_advance_loc1:
		return run__advance(run, cursor__u8(c));
	case DW_CFA_advance_loc2:
		return run__advance(run, cursor__u16(c));
	case DW_CFA_advance_loc4:
		return run__advance(run, cursor__u32(c));
	case DW_CFA_MIPS_advance_loc8:
		return run__advance(run, cursor__u64(c));
	case DW_CFA_remember_state:
		run__remember(run);
		return false;
	case DW_CFA_restore_state:
		run__restore_state(run);
		return false;
	case DW_CFA_def_cfa:
		reg = cursor__uleb(c);
		run__def_cfa(run, reg, cursor__uleb(c));
		return false;
	case DW_CFA_def_cfa_sf:
		reg = cursor__uleb(c);
		run__def_cfa(run, reg, factored(run, cursor__sleb(c)));
		return false;
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
		run__def_cfa_part(run, op);
		return false;
	case DW_CFA_def_cfa_expression:
		run__set_expr(run, &run->row.cfa, CFI_VAL_EXPR);
		return false;
	case CFA_NEGATE_RA_STATE:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		run__negate_ra_state(run);
		return false;
	case DW_CFA_GNU_args_size:
		cursor__uleb(c);
		return false;
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case CFA_NEGATIVE_OFFSET_EXTENDED:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_restore_extended:
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		run__register_op(run, op);
		return false;
	}
	return run__bad(run);
}

static bool run__op(struct cfi_run *run)
{
	u8 op = cursor__u8(&run->program), low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return run__advance(run, low);
	case DW_CFA_offset:
		run__set(run, low, CFI_OFFSET, factored(run, cursor__uleb(&run->program)));
		return false;
	case DW_CFA_restore:
		run__restore(run, low);
		return false;
	}
	return run__extended_op(run, op);
}

static void run__start(struct cfi_run *run, const struct cfi *c, const struct cfi_cie *cie,
		      struct bytes program)
{
	run->c = c;
	run->cie = cie;
	run->program = cursor__init(program.data, program.len, c->swap);
	run->done = false;
	run->no_memory = false;
	run->nr_few = 0;
	run->remembered.nr = 0;
	if (!run->steps)
		run->steps = CFI_STEPS;
}

void cfi_run__begin(struct cfi_run *run, const struct cfi *c, const struct cfi_fde *fde)
{
	run__start(run, c, fde->cie, fde->program);
	run->initial = false;
	run->row = fde->cie->initial;
	run->loc = fde->start;
	run->fde_end = fde->end;
}

bool cfi_run__next(struct cfi_run *run)
{
	bool moved = false;

	if (run->done || run->loc >= run->fde_end)
		return false;
	run->start = run->loc;
	while (!moved && cursor__left(&run->program) && run->steps > 1) {
		run->steps--;
		moved = run__op(run);
	}
	run->done = !moved;
	run->end = moved ? min_of(run->loc, run->fde_end) : run->fde_end;
	return !run->program.bad && run->steps > 1;
}

void cfi_run__exit(struct cfi_run *run)
{
	if (run->remembered.v)
		vec__drop(run->c->env, &run->remembered);
}

bool cfi_cie__run(const struct cfi *c, struct cfi_cie *cie, struct bytes program)
{
	struct cfi_run run;

	if (program.len > CFI_CIE_MAX)
		return false;
	cfi_run__init(&run, CIE_STEPS);
	run.initial = true;
	run.loc = run.start = 0;
	run.row = (struct cfi_row){};
	run__start(&run, c, cie, program);
	while (cursor__left(&run.program) && --run.steps)
		run__op(&run);
	cie->initial = run.row;
	cfi_run__exit(&run);
	return !run.program.bad && run.steps;
}
