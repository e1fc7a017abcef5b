// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "root-code.h"

/* Those of C libraries have 50. */
#define ROOT_BYTES 4096

/* False: it returns, or leads out of the row, or may. */
static bool insn__stays(const struct insn *insn, const struct root_row *row, u64 at)
{
	u64 to = at + insn->target;

	switch (insn->kind) {
	case INSN_UNKNOWN:
	case INSN_RETURN:
	case INSN_LEAVE:
		return false;
	case INSN_JUMP:
	case INSN_BRANCH:
		return to >= row->start && to < row->end;
	}
	return true;
}

bool root_row__holds(const struct root_row *row, const struct elf_image *img,
		     const struct unwind_arch_info *arch, u32 *steps)
{
	struct insn insn = { .kind = INSN_PLAIN };
	struct bytes code = {};

	if (!img || !arch->decode || !elf_image__bytes_at(img, row->start).len)
		return true;
	if (row->end - row->start > ROOT_BYTES)
		return false;
	for (u64 at = row->start; at < row->end; at += insn.len) {
		code = elf_image__bytes_at(img, at);
		if (*steps <= 1 || !arch->decode(code.data, code.len, &insn) ||
		    !insn__stays(&insn, row, at))
			return false;
		--*steps;
	}
	return row->last || insn.kind == INSN_JUMP || insn.kind == INSN_END;
}

struct row_rule row_rule__unknown_ra(const struct unwind_arch_info *arch, enum row_source source)
{
	/* As one that a call has left in a register, which x86-64 does not have. */
	return (struct row_rule){
		.cfa = ROW_HOW(ROW_CFA_REG, arch->dwarf_sp), .cfa_off = 8,
		.ra = ROW_HOW(ROW_LOC_SAME, 0), .flags = ROW_FROM(source),
	};
}
