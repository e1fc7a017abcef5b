// SPDX-License-Identifier: GPL-2.0-only
#include "gopclntab.h"

#include <elf.h>
#include <stdlib.h>

/* The first word; the later form has one word more in front of a function's flags. */
#define MAGIC_1_18 0xfffffff0
#define MAGIC_1_20 0xfffffff1
#define FLAGS_1_18 37
#define FLAGS_1_20 41
#define PCSP 16         /* offset of that word in the description of a function */
#define ENTRY 8         /* of the list of functions: two words */
#define MAX_STEPS (1U << 20) /* of a function */
#define MAX_DEPTH (1 << 30)

enum go_flags {
	GO_TOP_FRAME = 1 << 0, /* nothing called it */
	GO_SP_WRITE = 1 << 1,  /* it goes to another stack */
};

struct gopclntab {
	const struct unwind_arch_info *arch;
	struct bytes funcs; /* the list, one entry more than functions, and the descriptions */
	struct bytes steps; /* how SP moves */
	u64 text;           /* what addresses in the table are relative to */
	u64 nr;
	u32 flags;          /* offset of that byte in a description */
};

struct go_func {
	u64 start, end;
	u32 pcsp;
	u8 flags;
};

static struct bytes bytes__from(struct bytes b, u64 offset)
{
	if (offset > b.len)
		return (struct bytes){};
	return (struct bytes){ b.data + offset, b.len - offset };
}

static u32 word_at(struct bytes b, u64 offset)
{
	struct bytes rest = bytes__from(b, offset);
	struct cursor c = cursor__init(rest.data, rest.len, false);

	return cursor__u32(&c);
}

static u64 func__start(const struct gopclntab *g, u64 i)
{
	return g->text + word_at(g->funcs, i * ENTRY);
}

/* The last function that begins at @vaddr or before; the list ascends. */
static u64 gopclntab__find(const struct gopclntab *g, u64 vaddr)
{
	u64 lo = 0, hi = g->nr;

	while (hi - lo > 1) {
		u64 mid = lo + (hi - lo) / 2;

		if (func__start(g, mid) <= vaddr)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* False: there is no sense in it, nor in those behind it. */
static bool func__read(const struct gopclntab *g, u64 i, struct go_func *f)
{
	struct bytes at = bytes__from(g->funcs, word_at(g->funcs, i * ENTRY + 4));

	f->start = func__start(g, i);
	f->end = func__start(g, i + 1);
	if (f->end <= f->start || at.len <= g->flags)
		return false;
	f->pcsp = word_at(at, PCSP);
	f->flags = at.data[g->flags];
	return true;
}

/* SP is @depth bytes below the return address. Frames begin with the caller's frame pointer. */
static struct row_rule depth__rule(const struct gopclntab *g, s64 depth)
{
	struct row_rule rule = {
		.cfa = ROW_HOW(ROW_CFA_REG, g->arch->dwarf_sp), .cfa_off = depth + 8,
		.ra = ROW_HOW(ROW_LOC_AT_CFA, 0), .ra_off = -8, .flags = ROW_GOPCLNTAB,
	};

	if (depth < 0 || depth > MAX_DEPTH)
		return (struct row_rule){};
	if (depth) {
		rule.fp = ROW_HOW(ROW_LOC_AT_CFA, 0);
		rule.fp_off = -16;
	}
	return rule;
}

/* Pairs of numbers: by how much the depth changes, and for how many bytes of code it is so. */
static bool func__fill_steps(const struct gopclntab *g, const struct go_func *f,
			     struct rows_builder *b)
{
	struct bytes steps = bytes__from(g->steps, f->pcsp);
	struct cursor c = cursor__init(steps.data, steps.len, false);
	struct row_rule rule = {};
	u64 at = f->start;
	s64 depth = -1;

	for (u32 i = 0; i < MAX_STEPS && at < f->end; i++) {
		u64 change = cursor__leb128(&c, false), size;

		if (!change && i)
			break;
		depth += (s32)(change >> 1 ^ -(change & 1));
		size = cursor__leb128(&c, false);
		if (c.bad || !size || size > f->end - at)
			break;
		rule = depth__rule(g, depth);
		if (!rows_builder__row(b, at, &rule))
			return false;
		at += size;
	}
	rule = (struct row_rule){};
	return at == f->end || rows_builder__row(b, at, &rule);
}

static bool func__fill(const struct gopclntab *g, const struct go_func *f, struct rows_builder *b)
{
	bool top = f->flags & GO_TOP_FRAME;
	struct row_rule whole = {
		.cfa = ROW_HOW(top ? ROW_CFA_END : ROW_CFA_AWAY, 0), .flags = ROW_GOPCLNTAB,
	};

	if (!rows_builder__function(b, f->start, f->end))
		return false;
	if (f->flags & (GO_TOP_FRAME | GO_SP_WRITE))
		return rows_builder__row(b, f->start, &whole);
	return !f->pcsp || func__fill_steps(g, f, b);
}

static void gopclntab__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct gopclntab *g = private;
	struct go_func f;

	for (u64 i = gopclntab__find(g, from); i < g->nr; i++) {
		if (!func__read(g, i, &f) || f.start >= to)
			break;
		if (rows_builder__wants(b, f.start, f.end) && !func__fill(g, &f, b))
			break;
	}
}

struct rows_source gopclntab__source(struct gopclntab *g)
{
	return (struct rows_source){ .fill = gopclntab__fill, .private = g };
}

/* False: of another version, machine or size. */
static bool gopclntab__read(struct gopclntab *g, struct bytes table)
{
	struct cursor c = cursor__init(table.data, table.len, false);
	u32 magic = cursor__u32(&c);
	u64 names, units, files;

	g->flags = magic == MAGIC_1_20 ? FLAGS_1_20 : FLAGS_1_18;
	cursor__u16(&c);
	if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || cursor__u8(&c) != 1 ||
	    cursor__u8(&c) != 8)
		return false;
	g->nr = cursor__u64(&c);
	cursor__u64(&c); /* number of files */
	g->text = cursor__u64(&c);
	names = cursor__u64(&c);
	units = cursor__u64(&c);
	files = cursor__u64(&c);
	g->steps = bytes__from(table, cursor__u64(&c));
	g->funcs = bytes__from(table, cursor__u64(&c));
	return !c.bad && names <= table.len && units <= table.len && files <= table.len &&
	       g->nr && g->nr < g->funcs.len / ENTRY;
}

struct gopclntab *gopclntab__new(struct bytes table, u64 text, u64 entry,
				 const struct unwind_arch_info *arch)
{
	struct gopclntab *g = xzalloc(sizeof(*g));
	bool ok = arch->e_machine == EM_X86_64 && gopclntab__read(g, table);

	g->arch = arch;
	/* The code of C may come first: then the entry is not where a function of Go begins. */
	if (ok && !g->text) {
		g->text = text;
		ok = func__start(g, gopclntab__find(g, entry)) == entry;
	}
	if (ok)
		return g;
	free(g);
	return NULL;
}

struct gopclntab *gopclntab__open(const struct elf_image *img, const struct unwind_arch_info *arch)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	GElf_Shdr shdr, text;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!elf_image__section(img, names[i], 0, &shdr))
			continue;
		if (!elf_image__section(img, ".text", 0, &text))
			text.sh_addr = 0;
		return gopclntab__new(elf_image__bytes(img, &shdr), text.sh_addr,
				      img->ehdr.e_entry, arch);
	}
	return NULL;
}

void gopclntab__free(struct gopclntab *g)
{
	free(g);
}
