// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* A row in words, for perf unwind and tests: see rows.h. */
#include <stdio.h>

#include "rows.h"

struct text {
	const struct unwind_arch_info *arch;
	char reg[8];
	char part[3][64];
};

static const char *reg_name(struct text *t, u8 reg)
{
	if (t->arch->dwarf_names[reg])
		return t->arch->dwarf_names[reg];
	snprintf(t->reg, sizeof(t->reg), "r%u?", reg);
	return t->reg;
}

static void cfa__text(struct text *t, const struct row_rule *rule)
{
	const char *reg = reg_name(t, ROW_REG(rule->cfa));
	char *buf = t->part[0];
	size_t size = sizeof(t->part[0]);

	if (ROW_KIND(rule->cfa) == ROW_CFA_DEREF)
		snprintf(buf, size, "cfa=*(%s%+d)%+d", reg, rule->cfa_off, rule->cfa_add);
	else if (ROW_KIND(rule->cfa) == ROW_CFA_PLT)
		snprintf(buf, size, "cfa=%s%+d, 8 more from %d of 16", reg, rule->cfa_off,
			 rule->cfa_add);
	else
		snprintf(buf, size, "cfa=%s%+d", reg, rule->cfa_off);
}

static void loc__text(struct text *t, int part, const char *what, u8 how, s32 off)
{
	const char *reg = reg_name(t, ROW_REG(how));
	char *buf = t->part[part];
	size_t size = sizeof(t->part[part]);

	*buf = 0;
	switch (ROW_KIND(how)) {
	case ROW_LOC_AT_CFA:
		snprintf(buf, size, " %s=*(cfa%+d)", what, off);
		break;
	case ROW_LOC_IS_CFA:
		snprintf(buf, size, " %s=cfa%+d", what, off);
		break;
	case ROW_LOC_AT_REG:
		snprintf(buf, size, " %s=*(%s%+d)", what, reg, off);
		break;
	case ROW_LOC_IS_REG:
		snprintf(buf, size, off ? " %s=%s%+d" : " %s=%s", what, reg, off);
		break;
	case ROW_LOC_UNDEFINED:
		snprintf(buf, size, " %s=undefined", what);
		break;
	}
}

int row_rule__text(const struct row_rule *rule, const struct unwind_arch_info *arch, char *buf,
		   size_t size)
{
	struct text t = { .arch = arch };

	switch (ROW_KIND(rule->cfa)) {
	case ROW_CFA_HOLE:
		return snprintf(buf, size, "nothing known");
	case ROW_CFA_END:
		return snprintf(buf, size, "outermost");
	case ROW_CFA_AWAY:
		return snprintf(buf, size, "caller on another stack%s%s",
				ROW_REG(rule->cfa) ? ", by " : "",
				ROW_REG(rule->cfa) ? t.arch->dwarf_names[ROW_REG(rule->cfa)] : "");
	case ROW_CFA_EVAL:
		return snprintf(buf, size, "by evaluation%s",
				rule->flags & ROW_SIGNAL ? " signal" : "");
	}
	cfa__text(&t, rule);
	loc__text(&t, 1, "ra", rule->ra, rule->ra_off);
	loc__text(&t, 2, arch->dwarf_names[arch->dwarf_fp], rule->fp, rule->fp_off);
	return snprintf(buf, size, "%s%s%s%s%s", t.part[0], t.part[1], t.part[2],
			rule->flags & ROW_SIGNAL ? " signal" : "",
			rule->flags & ROW_RA_SIGNED ? " signed" : "");
}

const char *row_rule__source_name(const struct row_rule *rule)
{
	static const char *const names[ROW_SOURCE_NR] = {
		[ROW_EH_FRAME] = "eh_frame",
		[ROW_SFRAME] = "sframe",
		[ROW_DEBUG_FRAME] = "debug_frame",
		[ROW_GOPCLNTAB] = "gopclntab",
		[ROW_PLT] = "plt",
		[ROW_TRAMPOLINE] = "trampoline",
	};

	if (ROW_KIND(rule->cfa) == ROW_CFA_HOLE || row_rule__source(rule) >= ROW_SOURCE_NR)
		return "";
	return names[row_rule__source(rule)];
}
