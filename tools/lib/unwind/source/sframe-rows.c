// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Functions and rows of .sframe to rules of a row table. */
#include <elf.h>

#include "root-code.h"
#include "sframe.h"
#include "sframe-format.h"

/*
 * Of a function. Versions 1 and 2 have no limit of their own, version 3 has 65535. Otherwise the
 * work for a page is bounded by its size: rows ascend within their function or block, and no two
 * functions of a table overlap.
 */
#define MAX_ROWS (1U << 20)
#define MIN_ROW 2
/* Version 1 does not say how long an entry of a PLT is. */
#define X86_PLT_ENTRY 16

struct words {
	u8 nr, size;
	s32 v[SFRAME_WORDS_MAX];
};

static u32 word__as_unsigned(const struct words *w, u32 i)
{
	return w->size == 1 ? (u8)w->v[i] : w->size == 2 ? (u16)w->v[i] : (u32)w->v[i];
}

static bool words__read(struct words *w, u8 info, struct cursor *c)
{
	u8 size_code = info >> SFRAME_ROW_SIZE_SHIFT & 3;

	w->nr = info >> SFRAME_ROW_WORDS_SHIFT & 15;
	w->size = 1 << size_code;
	if (size_code == 3 || w->nr > SFRAME_WORDS_MAX)
		return false;
	for (u32 i = 0; i < w->nr; i++)
		w->v[i] = size_code == 0 ? (s8)cursor__u8(c) :
			  size_code == 1 ? (s16)cursor__u16(c) : (s32)cursor__u32(c);
	return true;
}

static bool is_s390x(const struct sframe_fde *f)
{
	return f->s->arch->e_machine == EM_S390;
}

/* On s390x the offset is in units of 8 bytes from where it is in a leaf. */
static bool cfa_off(const struct sframe_fde *f, s32 word, s32 *off)
{
	s64 v = is_s390x(f) ? (s64)word * SFRAME_S390X_CFA_SCALE + SFRAME_S390X_CFA_BIAS : word;

	*off = v;
	return v == *off;
}

static u8 base_reg(const struct sframe_fde *f, u8 info)
{
	return info & SFRAME_ROW_BASE_SP ? f->s->arch->dwarf_sp : f->s->arch->dwarf_fp;
}

/* s390x, version 2: an odd number is a register. A register that no rule can name is refused. */
static bool loc__at_cfa(const struct sframe_fde *f, s32 word, u8 *how, s32 *off)
{
	if (is_s390x(f) && f->table->version == 2 && word & 1) {
		*how = ROW_HOW(ROW_LOC_IS_REG, word >> 1 & 31);
		*off = 0;
		return word >> 1 >= 0 && word >> 1 <= 31;
	}
	*how = ROW_HOW(ROW_LOC_AT_CFA, 0);
	*off = word;
	return true;
}

static void rule__defaults(const struct sframe_fde *f, struct row_rule *rule)
{
	if (f->table->fixed_ra) {
		rule->ra = ROW_HOW(ROW_LOC_AT_CFA, 0);
		rule->ra_off = f->table->fixed_ra;
	}
	if (f->table->fixed_fp) {
		rule->fp = ROW_HOW(ROW_LOC_AT_CFA, 0);
		rule->fp_off = f->table->fixed_fp;
	}
}

static enum sframe_flaw row__default(const struct sframe_fde *f, u8 info, const struct words *w,
				     struct row_rule *rule)
{
	u32 ra = f->table->fixed_ra ? 0 : 1, fp = ra + 1;

	if (w->nr > fp + 1)
		return SFRAME_ROW_WORDS;
	rule->cfa = ROW_HOW(ROW_CFA_REG, base_reg(f, info));
	if (!cfa_off(f, w->v[0], &rule->cfa_off))
		return SFRAME_ROW_RULE;
	/* 0 fills the place of a return address that is in its register. */
	if (ra && w->nr > ra && !(is_s390x(f) && !w->v[ra]) &&
	    !loc__at_cfa(f, w->v[ra], &rule->ra, &rule->ra_off))
		return SFRAME_ROW_RULE;
	if (w->nr > fp && !loc__at_cfa(f, w->v[fp], &rule->fp, &rule->fp_off))
		return SFRAME_ROW_RULE;
	return SFRAME_OK;
}

static bool control__split(u32 ctl, u8 *reg)
{
	*reg = ctl >> SFRAME_CTL_REG_SHIFT & 31;
	return !(ctl & SFRAME_CTL_UNUSED) &&
	       (!(ctl & SFRAME_CTL_REG) || ctl >> SFRAME_CTL_REG_SHIFT <= 31);
}

/* Control word @i and the offset behind it: where RA or FP is. */
static bool flex__loc(const struct words *w, u32 i, u8 *how, s32 *off)
{
	u32 ctl = word__as_unsigned(w, i);
	bool deref = ctl & SFRAME_CTL_DEREF;
	u8 reg;

	if (!control__split(ctl, &reg))
		return false;
	*off = w->v[i + 1];
	*how = ctl & SFRAME_CTL_REG ? ROW_HOW(deref ? ROW_LOC_AT_REG : ROW_LOC_IS_REG, reg) :
			       ROW_HOW(deref ? ROW_LOC_AT_CFA : ROW_LOC_IS_CFA, 0);
	return true;
}

static bool flex__cfa(const struct sframe_fde *f, const struct words *w, struct row_rule *rule)
{
	u32 ctl = word__as_unsigned(w, 0);
	u8 reg;

	if (!control__split(ctl, &reg) || !(ctl & SFRAME_CTL_REG))
		return false;
	rule->cfa = ROW_HOW(ctl & SFRAME_CTL_DEREF ? ROW_CFA_DEREF : ROW_CFA_REG, reg);
	/* Whether the offset of such a slot would be scaled on s390x, no source says. */
	if (ctl & SFRAME_CTL_DEREF && is_s390x(f))
		return false;
	return cfa_off(f, w->v[1], &rule->cfa_off);
}

static enum sframe_flaw row__flex(const struct sframe_fde *f, const struct words *w,
				  struct row_rule *rule)
{
	bool ok = true;

	if (w->nr != 2 && w->nr < 4)
		return SFRAME_ROW_WORDS;
	ok &= flex__cfa(f, w, rule);
	if (w->nr == 5)
		ok &= !w->v[2] && flex__loc(w, 3, &rule->fp, &rule->fp_off);
	if (w->nr == 4 || w->nr == 6)
		ok &= flex__loc(w, 2, &rule->ra, &rule->ra_off);
	if (w->nr == 6)
		ok &= flex__loc(w, 4, &rule->fp, &rule->fp_off);
	return ok ? SFRAME_OK : SFRAME_ROW_RULE;
}

static enum sframe_flaw row__rule(const struct sframe_fde *f, u8 info, const struct words *w,
				  struct row_rule *rule)
{
	*rule = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_END, 0), .flags = ROW_FROM(ROW_SFRAME) };
	if (!w->nr)
		return SFRAME_OK;
	if (f->signal)
		rule->flags |= ROW_SIGNAL;
	if (info & SFRAME_ROW_MANGLED && f->s->arch->e_machine == EM_AARCH64)
		rule->flags |= ROW_RA_SIGNED;
	rule__defaults(f, rule);
	return f->flex ? row__flex(f, w, rule) : row__default(f, info, w, rule);
}

static bool rule__is_plt_got(const struct sframe_run *run)
{
	const struct sframe_fde *f = run->fde;

	return f->s->arch->e_machine == EM_X86_64 && f->block && f->nr_rows == 1 && !f->flex &&
	       run->rule.cfa == ROW_HOW(ROW_CFA_REG, f->s->arch->dwarf_sp) &&
	       run->rule.cfa_off == 16 && ROW_KIND(run->rule.fp) == ROW_LOC_SAME;
}

void sframe_run__begin(struct sframe_run *run, const struct sframe_fde *fde)
{
	*run = (struct sframe_run){ .fde = fde, .left = fde->nr_rows };
	run->cur = cursor__init(fde->rows.data, fde->rows.len, fde->s->swap);
	/* A function without rows, and an entry point that had some, is one outermost frame. */
	if (!fde->nr_rows || fde->fixed == SFRAME_FIXED_ENTRY)
		run->left = 1;
}

static bool run__end(struct sframe_run *run, enum sframe_flaw flaw)
{
	run->flaw = flaw;
	run->left = 0;
	return false;
}

bool sframe_run__next(struct sframe_run *run)
{
	const struct sframe_fde *f = run->fde;
	struct cursor *c = &run->cur;
	bool first = run->left == f->nr_rows;
	struct words w;
	u32 start;
	u8 info;

	if (!run->left)
		return false;
	run->left--;
	if (!f->nr_rows || f->fixed == SFRAME_FIXED_ENTRY) {
		run->rule = (struct row_rule){
			.cfa = ROW_HOW(ROW_CFA_END, 0), .flags = ROW_FROM(ROW_SFRAME),
		};
		return true;
	}
	start = f->row_width == 1 ? cursor__u8(c) :
		f->row_width == 2 ? cursor__u16(c) : cursor__u32(c);
	info = cursor__u8(c);
	if (!words__read(&w, info, c))
		return run__end(run, SFRAME_ROW_WORDS);
	if (c->bad)
		return run__end(run, SFRAME_FDE_ROWS);
	if ((!first && start <= run->start) || start >= (f->block ? f->block : f->end - f->start))
		return run__end(run, SFRAME_ROW_ORDER);
	run->start = start;
	run->flaw = row__rule(f, info, &w, &run->rule);
	if (run->flaw)
		return run__end(run, run->flaw);
	if (f->fixed == SFRAME_FIXED_PLT_GOT)
		run->rule.cfa_off = 8;
	return true;
}

/* The entry, and in version 3 what stands in front of the rows. */
static enum sframe_flaw fde__read(struct sframe_fde *f, u32 nr)
{
	const struct sframe_table *t = f->table;
	struct cursor c = sframe_table__entry(f->s, t, nr);
	u8 info, info2 = 0, repeat = 0;
	u64 at;

	sframe_table__range(f->s, t, nr, &f->start, &f->end);
	cursor__take(&c, t->version == 3 ? 12 : 8);
	at = cursor__u32(&c);
	if (t->version == 3)
		c = cursor__init(t->rows.data, t->rows.len, f->s->swap);
	if (at > t->rows.len || (t->version == 3 && t->rows.len - at < SFRAME_V3_ATTRIBUTE))
		return SFRAME_FDE_ROWS;
	if (t->version == 3)
		cursor__take(&c, at);
	f->nr_rows = t->version == 3 ? cursor__u16(&c) : cursor__u32(&c);
	info = cursor__u8(&c);
	if (t->version == 3)
		info2 = cursor__u8(&c);
	if (t->version > 1)
		repeat = cursor__u8(&c);
	else if (f->s->arch->e_machine == EM_X86_64)
		repeat = X86_PLT_ENTRY;
	at += t->version == 3 ? SFRAME_V3_ATTRIBUTE : 0;
	f->rows = (struct bytes){ t->rows.data + at, t->rows.len - at };
	f->row_width = 1 << (info & 3);
	f->block = info & SFRAME_INFO_MASK ? repeat : 0;
	f->signal = t->version == 3 && info & SFRAME_INFO_SIGNAL;
	f->flex = info2 & SFRAME_INFO2_FLEX;
	if ((info & SFRAME_INFO_ROW_TYPE) > 2 || (info2 & SFRAME_INFO2_TYPE) > 1)
		return SFRAME_FDE_TYPE;
	if (info & SFRAME_INFO_MASK && (!repeat || repeat > f->end - f->start))
		return SFRAME_FDE_REPEAT;
	if (f->nr_rows > t->nr_rows || f->nr_rows > f->rows.len / MIN_ROW ||
	    f->nr_rows > MAX_ROWS)
		return SFRAME_FDE_ROWS;
	return f->signal && !f->nr_rows ? SFRAME_FDE_SIGNAL : SFRAME_OK;
}

enum sframe_flaw sframe__fde(const struct sframe *s, const struct sframe_table *t, u32 i,
			     struct sframe_fde *f)
{
	enum sframe_flaw flaw;
	struct sframe_run run;

	*f = (struct sframe_fde){ .s = s, .table = t };
	flaw = fde__read(f, t->order ? t->order[i] : i);
	if (flaw)
		return flaw;
	sframe_run__begin(&run, f);
	while (sframe_run__next(&run))
		if (rule__is_plt_got(&run))
			f->fixed = SFRAME_FIXED_PLT_GOT;
	/* No assembler could say so before version 3; one that did made a row of no words. */
	if (t->version < 3 && s->entry >= f->start && s->entry < f->end &&
	    ROW_KIND(run.rule.cfa) != ROW_CFA_END)
		f->fixed = SFRAME_FIXED_ENTRY;
	return run.flaw;
}

/* Assemblers leave out the rows of functions that they have no words for, which may return. */
static bool code__may_end(const struct sframe *s, u64 start, u64 end)
{
	const struct root_row row = { start, end, true };
	u32 steps = UINT32_MAX;

	return root_row__holds(&row, s->image, s->arch, &steps);
}

/* Rows of [start, end), which is the function or a block of it. */
static bool fde__fill(const struct sframe_fde *f, u64 start, u64 end, struct rows_builder *b)
{
	bool asked = false, may_end = false;
	struct sframe_run run;

	if (!rows_builder__function(b, start, end))
		return false;
	sframe_run__begin(&run, f);
	while (sframe_run__next(&run)) {
		if (ROW_KIND(run.rule.cfa) == ROW_CFA_END) {
			may_end = asked ? may_end : code__may_end(f->s, start + run.start, end);
			asked = true;
			if (!may_end)
				run.rule = row_rule__unknown_ra(f->s->arch, ROW_SFRAME);
		}
		if (!rows_builder__row(b, start + run.start, &run.rule))
			return false;
	}
	return true;
}

static bool fde__fill_blocks(const struct sframe_fde *f, u64 from, u64 to, struct rows_builder *b)
{
	u64 at = f->start;

	if (from > at)
		at += (from - at) / f->block * f->block;
	for (; at < f->end && at < to; at += f->block)
		if (!fde__fill(f, at, min_of(at + f->block, f->end), b))
			return false;
	return true;
}

static bool table__fill(const struct sframe *s, const struct sframe_table *t, u64 from, u64 to,
			struct rows_builder *b)
{
	struct sframe_fde f;

	for (u32 i = sframe_table__first(s, t, from); i < t->nr; i++) {
		u64 start, end;

		sframe_table__range(s, t, t->order ? t->order[i] : i, &start, &end);
		if (start >= to)
			break;
		if (sframe__fde(s, t, i, &f))
			continue;
		if (f.block ? !fde__fill_blocks(&f, from, to, b) :
			      !fde__fill(&f, f.start, f.end, b))
			return false;
	}
	return true;
}

static void sframe__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct sframe *s = private;

	for (size_t i = 0; i < s->tables.nr; i++) {
		const struct sframe_table *t = &s->tables.v[i];

		if (t->start < to && t->end > from && !table__fill(s, t, from, to, b))
			break;
	}
}

struct rows_source sframe__source(struct sframe *s)
{
	return (struct rows_source){ .fill = sframe__fill, .private = s };
}
