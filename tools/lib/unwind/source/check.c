// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "check.h"

#include <string.h>

#include "cfi.h"
#include "../elf/module.h"
#include "../elf/relocate.h"

struct check {
	struct module *m;
	const struct unwind_arch_info *arch;
	struct sframe *s;
	struct cfi *cfi[2];  /* .eh_frame, .debug_frame; or NULL */
	u8 *owned;           /* a relocated .eh_frame */
	struct rows *rows, *cfi_rows;
	u8 version;
	struct check_result *result;
	check_report_fn *report;
	void *ctx;
};

const char *check_kind__name(enum check_kind kind)
{
	static const char *const names[CHECK_KIND_NR] = {
		[CHECK_SAME] = "same", [CHECK_WRONG] = "wrong", [CHECK_MISSING] = "missing",
		[CHECK_EXTRA] = "extra", [CHECK_SKIPPED] = "skipped",
	};

	return names[kind];
}

/*
 * The rule as it applies to the one address, or the few of them up to *end, so that one which
 * depends on the address can be compared with those that do not.
 */
static void rule__at(struct row_rule *rule, u64 vaddr, u64 *end)
{
	u64 in_block = vaddr & 15;
	bool pushed = (s64)in_block >= rule->cfa_add;

	if (ROW_KIND(rule->cfa) != ROW_CFA_PLT)
		return;
	*end = min_of(*end, vaddr - in_block + (pushed ? 16 : rule->cfa_add));
	rule->cfa = ROW_HOW(ROW_CFA_REG, ROW_REG(rule->cfa));
	rule->cfa_off += pushed ? 8 : 0;
	rule->cfa_add = 0;
}

static void rule__normalise(struct row_rule *rule, const struct unwind_arch_info *arch)
{
	rule->flags &= ROW_SIGNAL | ROW_RA_SIGNED;
	if (rule->ra == ROW_HOW(ROW_LOC_IS_REG, arch->dwarf_ra) && !rule->ra_off)
		rule->ra = ROW_HOW(ROW_LOC_SAME, 0);
	if (ROW_KIND(rule->cfa) == ROW_CFA_END)
		*rule = (struct row_rule){ .cfa = rule->cfa };
}

static enum check_kind rules__compare(const struct check *c, struct row_rule sframe,
				      struct row_rule cfi)
{
	rule__normalise(&sframe, c->arch);
	rule__normalise(&cfi, c->arch);
	if (!memcmp(&sframe, &cfi, sizeof(cfi)))
		return CHECK_SAME;
	if (ROW_KIND(cfi.cfa) == ROW_CFA_HOLE)
		return CHECK_EXTRA;
	if (ROW_KIND(sframe.cfa) == ROW_CFA_HOLE)
		return CHECK_MISSING;
	return ROW_KIND(cfi.cfa) == ROW_CFA_EVAL ? CHECK_SKIPPED : CHECK_WRONG;
}

/* What assemblers before version 3 of the format are known to write. */
static const char *row__cause(const struct check_row *r)
{
	const struct row_rule *s = &r->sframe, *c = &r->cfi;

	if (ROW_KIND(s->cfa) == ROW_CFA_END)
		return "the assembler wrote a function without rows";
	if (r->version > 2)
		return NULL;
	if (ROW_KIND(c->cfa) == ROW_CFA_END)
		return "the assembler ignored .cfi_undefined of the return address";
	if (ROW_KIND(c->cfa) != ROW_CFA_REG || ROW_REG(s->cfa) != ROW_REG(c->cfa))
		return "the assembler mistook another register for SP";
	if (s->cfa_off != c->cfa_off)
		return "the assembler restored an older state at .cfi_restore_state";
	if (s->ra != c->ra || s->ra_off != c->ra_off)
		return "the assembler cannot express where the return address is";
	if (c->flags & ROW_SIGNAL)
		return "the assembler ignored .cfi_signal_frame";
	return NULL;
}

static void check__add(struct check *c, struct check_row *row)
{
	struct check_result *r = c->result;

	row->version = c->version;
	r->rows[row->kind]++;
	r->bytes[row->kind] += row->end - row->start;
	if (row->kind == CHECK_WRONG)
		row->cause = row__cause(row);
	if (row->kind != CHECK_SAME && c->report)
		c->report(c->ctx, row);
}

static void rule__get(struct rows *rows, u64 vaddr, struct row_rule *rule, u64 *end)
{
	struct row row;

	*rule = (struct row_rule){};
	if (!rows__row(rows, vaddr, &row))
		return;
	if (row.start > vaddr) {
		*end = min_of(*end, row.start);
		return;
	}
	*end = min_of(*end, row.end);
	*rule = *row.rule;
}

/* What both say about [start, end); @only_extra: where the other side says something, skip it. */
static bool check__range(struct check *c, u64 start, u64 end, bool only_extra)
{
	struct check_row row;
	bool known = false;

	for (u64 at = start; at < end; at = row.end) {
		row = (struct check_row){ .start = at, .end = end };
		rule__get(c->rows, at, &row.sframe, &row.end);
		rule__get(c->cfi_rows, at, &row.cfi, &row.end);
		rule__at(&row.sframe, at, &row.end);
		rule__at(&row.cfi, at, &row.end);
		row.kind = rules__compare(c, row.sframe, row.cfi);
		known |= ROW_KIND(row.sframe.cfa) != ROW_CFA_HOLE;
		if ((row.kind == CHECK_EXTRA) == only_extra)
			check__add(c, &row);
	}
	return known;
}

/* As long as the functions are in order and do not overlap, each byte is looked at once. */
static void check__cfi_functions(struct check *c, struct cfi *cfi, u64 *reached)
{
	struct cfi_fde fde;

	for (u64 i = 0, nr = cfi__nr(cfi); i < nr; i++) {
		if (!cfi__fde(cfi, i, &fde) || fde.end <= *reached)
			continue;
		c->result->cfi_functions++;
		fde.start = max_of(fde.start, *reached);
		*reached = min_of(fde.end, c->s->code.v[c->s->code.nr - 1].end);
		if (!check__range(c, fde.start, *reached, false))
			c->result->missing_functions++;
	}
}

static void check__functions(struct check *c, const struct sframe_table *t)
{
	struct sframe_fde f;
	enum sframe_flaw flaw;

	c->version = t->version;
	for (u32 i = 0; i < t->nr; i++) {
		flaw = sframe__fde(c->s, t, i, &f);
		c->result->functions++;
		c->result->flaws[flaw]++;
		if (!flaw && f.fixed)
			c->result->flaws[f.fixed]++;
		if (!flaw)
			check__range(c, f.start, f.end, true);
	}
}

static void check__compare(struct check *c)
{
	struct rows_source source = sframe__source(c->s), sources[2];
	struct sframe *s = c->s;
	u32 nr = 0;

	for (int i = 0; i < 2; i++)
		if (c->cfi[i])
			sources[nr++] = cfi__source(c->cfi[i]);
	c->rows = rows__new(s->env, c->arch, s->code.v, s->code.nr, &source, 1);
	c->cfi_rows = rows__new(s->env, c->arch, s->code.v, s->code.nr, sources, nr);
	for (size_t i = 0; i < s->tables.nr && c->rows && c->cfi_rows; i++)
		check__functions(c, &s->tables.v[i]);
	c->version = __builtin_ctz(c->result->versions); /* the oldest has the most bugs */
	for (int i = 0; i < 2 && c->rows && c->cfi_rows; i++) {
		u64 reached = 0;

		if (c->cfi[i])
			check__cfi_functions(c, c->cfi[i], &reached);
		if (c->cfi[i] && reached)
			break;
	}
	rows__free(c->rows);
	rows__free(c->cfi_rows);
}

static void check__open_object(struct check *c)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_image__section(&c->m->image, ".eh_frame", 0, &shdr);
	struct bytes section;

	c->owned = scn ? elf_image__relocated(&c->m->image, scn, &section) : NULL;
	if (!c->owned)
		return;
	c->cfi[0] = cfi__new(c->m->env, section, shdr.sh_offset, false, c->arch);
	if (c->cfi[0])
		c->cfi[0]->swap = elf_image__is_swapped(&c->m->image); /* of both aarch64 */
}

static void check__sum_up(struct check *c)
{
	struct check_result *r = c->result;

	r->arch = c->arch;
	r->has_sframe = c->s;
	r->has_cfi = c->cfi[0] || c->cfi[1];
	if (!c->s)
		return;
	r->trusted = sframe__is_trusted(c->s);
	memcpy(r->flaws, c->s->flaws, sizeof(r->flaws));
	for (size_t i = 0; i < c->s->tables.nr; i++)
		r->versions |= 1U << c->s->tables.v[i].version;
	r->tables = c->s->tables.nr;
}

int unwind_check(const struct unwind_env *env, int fd, struct check_result *result,
		 check_report_fn *report, void *ctx)
{
	struct check c = { .result = result, .report = report, .ctx = ctx };
	u64 failures = 0;
	const struct unwind_env own = { env->alloc, env->files, &failures };
	const struct elf_image *img;

	*result = (struct check_result){};
	c.m = module__new(&own, 0, fd, EM_NONE);
	if (!c.m)
		return -ENOMEM;
	img = &c.m->image;
	c.arch = img->elf ? unwind_arch_info__by_machine(img->ehdr.e_machine) : NULL;
	if (!c.arch || (c.m->bad && img->ehdr.e_type != ET_REL)) {
		module__free(c.m);
		return -ENOEXEC;
	}
	c.s = sframe__open(img, c.arch, &result->why);
	if (c.m->bad) {
		check__open_object(&c);
	} else {
		c.cfi[0] = cfi__open_eh_frame(&c.m->image, c.arch);
		c.cfi[1] = cfi__open_debug_frame(img, c.arch, NULL);
	}
	check__sum_up(&c);
	if (c.s) {
		c.s->entry = 0; /* the assembler's rows, as they were written */
		check__compare(&c);
	}
	sframe__free(c.s);
	cfi__free(c.cfi[0]);
	cfi__free(c.cfi[1]);
	env__free(env, c.owned);
	module__free(c.m);
	return failures ? -ENOMEM : 0;
}
