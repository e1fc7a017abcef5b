// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "plt.h"

#include <elf.h>
#include <string.h>

/* Rows of one section: from the offsets on. */
struct plt_part {
	u64 start, end;
	u32 nr;
	struct plt_row {
		u64 offset;
		struct row_rule rule;
	} rows[3];
};

struct plt {
	const struct unwind_env *env;
	struct plt_part parts[3];
	u32 nr;
};

static void part__add(struct plt_part *p, u64 offset, const struct row_rule *rule)
{
	p->rows[p->nr] = (struct plt_row){ offset, *rule };
	p->rows[p->nr++].rule.flags |= ROW_FROM(ROW_PLT);
}

/* SP is as the caller's call has left it, or @pushed bytes below. */
static struct row_rule entry_rule(const struct unwind_arch_info *arch, s32 pushed, s32 ra_off)
{
	struct row_rule rule = {
		.cfa = ROW_HOW(ROW_CFA_REG, arch->dwarf_sp), .cfa_off = arch->cfa_above_sp + pushed,
	};

	if (ra_off) {
		rule.ra = ROW_HOW(ROW_LOC_AT_CFA, 0);
		rule.ra_off = ra_off;
	}
	return rule;
}

static bool at(struct bytes code, size_t offset, const char *bytes, size_t len)
{
	return offset <= code.len && code.len - offset >= len &&
	       !memcmp(code.data + offset, bytes, len);
}

/* The first entry pushes x16 and x30, perhaps behind a BTI; x30 and SP are not touched else. */
static void aarch64__plt(struct plt_part *p, struct bytes code, const struct unwind_arch_info *arch)
{
	static const char push[] = "\xf0\x7b\xbf\xa9";
	const struct row_rule entry = entry_rule(arch, 0, 0), pushed = entry_rule(arch, 16, -8);
	u32 at_push = at(code, 0, push, 4) ? 0 : 4;

	part__add(p, 0, &entry);
	if (!at(code, at_push, push, 4))
		return;
	part__add(p, at_push + 4, &pushed);
	part__add(p, 32, &entry);
}

/*
 * jmp *(GOT), push, jmp to the first entry; or endbr64, push, jmp. The first entry pushes once
 * more. Tables that are not bound lazily have the one jump alone.
 */
static void x86_64__plt(struct plt_part *p, struct bytes code, const struct unwind_arch_info *arch)
{
	struct row_rule rule = entry_rule(arch, 8, -8);
	bool ibt = at(code, 16, "\xf3\x0f\x1e\xfa\x68", 5);

	if (!at(code, 0, "\xff\x35", 2)) {
		if (at(code, 0, "\xff\x25", 2) || at(code, 0, "\xf3\x0f\x1e\xfa", 4))
			part__add(p, 0, &rule);
		return;
	}
	if (p->start & 15 || (!ibt && (!at(code, 16, "\xff\x25", 2) || !at(code, 22, "\x68", 1))))
		return;
	rule.cfa_off = 16;
	part__add(p, 0, &rule);
	rule.cfa_off = 24;
	part__add(p, 6, &rule);
	rule.cfa = ROW_HOW(ROW_CFA_PLT, arch->dwarf_sp);
	rule.cfa_off = 8;
	rule.cfa_add = ibt ? 9 : 11;
	part__add(p, 16, &rule);
}

static void part__make(struct plt_part *p, struct bytes code, const struct unwind_arch_info *arch)
{
	struct row_rule entry = entry_rule(arch, 0, 0);

	switch (arch->e_machine) {
	case EM_X86_64:
		x86_64__plt(p, code, arch);
		break;
	case EM_AARCH64:
		aarch64__plt(p, code, arch);
		break;
	case EM_S390:
		part__add(p, 0, &entry);
		break;
	}
}

struct plt *plt__open(const struct module *m, const struct unwind_arch_info *arch)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got" };
	struct plt *plt = env__zalloc(m->env, sizeof(*plt));
	GElf_Shdr shdr;

	if (!plt)
		return NULL;
	plt->env = m->env;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct plt_part *p = &plt->parts[plt->nr];

		if (!elf_image__section(&m->image, names[i], 0, &shdr) || !shdr.sh_size ||
		    shdr.sh_addr + shdr.sh_size < shdr.sh_addr)
			continue;
		p->start = shdr.sh_addr;
		p->end = shdr.sh_addr + shdr.sh_size;
		part__make(p, elf_image__bytes(&m->image, &shdr), arch);
		plt->nr += p->nr > 0;
	}
	if (plt->nr)
		return plt;
	plt__free(plt);
	return NULL;
}

void plt__free(struct plt *p)
{
	if (p)
		env__free(p->env, p);
}

static void plt__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct plt *plt = private;

	for (u32 i = 0; i < plt->nr; i++) {
		const struct plt_part *p = &plt->parts[i];

		if (p->start >= to || p->end <= from)
			continue;
		if (!rows_builder__function(b, p->start, p->end))
			return;
		for (u32 j = 0; j < p->nr; j++)
			if (!rows_builder__row(b, p->start + p->rows[j].offset, &p->rows[j].rule))
				return;
	}
}

struct rows_source plt__source(struct plt *p)
{
	return (struct rows_source){ .fill = plt__fill, .private = p };
}
