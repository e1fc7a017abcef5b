// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "gopclntab.h"

#include <errno.h>

/* The first word; the later form has one word more in front of a function's flags. */
#define MAGIC_1_18 0xfffffff0
#define MAGIC_1_20 0xfffffff1
#define FLAGS_1_18 37
#define FLAGS_1_20 41
#define NAME 4          /* offsets of words in the description of a function */
#define STEPS 16
#define ENTRY 8         /* of the list of functions: two words */

static struct bytes bytes__from(struct bytes b, u64 offset)
{
	if (offset > b.len)
		return (struct bytes){};
	return (struct bytes){ b.data + offset, b.len - offset };
}

static u32 word_at(const struct gopclntab *g, u64 offset)
{
	struct bytes rest = bytes__from(g->funcs, offset);
	struct cursor c = cursor__init(rest.data, rest.len, false);

	return cursor__u32(&c);
}

static u64 func__start(const struct gopclntab *g, u64 i)
{
	return g->text + word_at(g, i * ENTRY);
}

u64 gopclntab__find(const struct gopclntab *g, u64 vaddr)
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

bool gopclntab__func(const struct gopclntab *g, u64 i, struct go_func *f)
{
	u32 at;

	if (i >= g->nr)
		return false;
	at = word_at(g, i * ENTRY + 4);
	f->start = func__start(g, i);
	f->end = func__start(g, i + 1);
	if (f->end <= f->start || bytes__from(g->funcs, at).len <= g->flags)
		return false;
	f->name = strings__at(g->names, word_at(g, (u64)at + NAME));
	f->steps = word_at(g, (u64)at + STEPS);
	f->flags = g->funcs.data[at + g->flags];
	return true;
}

/* False: of another version, or of a machine of 32 bits or of the other byte order. */
static bool gopclntab__read(struct gopclntab *g, struct bytes table)
{
	struct cursor c = cursor__init(table.data, table.len, false);
	u32 magic = cursor__u32(&c);

	g->flags = magic == MAGIC_1_20 ? FLAGS_1_20 : FLAGS_1_18;
	cursor__u16(&c);
	g->min_code = cursor__u8(&c);
	if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || cursor__u8(&c) != sizeof(u64))
		return false;
	g->nr = cursor__u64(&c);
	cursor__u64(&c); /* number of source files */
	g->text = cursor__u64(&c);
	g->names = bytes__from(table, cursor__u64(&c));
	while (g->names.len && g->names.data[g->names.len - 1])
		g->names.len--;
	cursor__u64(&c); /* compilation units */
	cursor__u64(&c); /* names of files */
	g->steps = bytes__from(table, cursor__u64(&c));
	g->funcs = bytes__from(table, cursor__u64(&c));
	return !c.bad && g->nr && g->nr < g->funcs.len / ENTRY;
}

/*
 * The table of a position independent program does not say where its code is. It is at the start of
 * .text if the entry point is a function of Go, that is, if no C code comes first.
 */
static bool gopclntab__find_text(struct gopclntab *g, const struct elf_image *img)
{
	GElf_Shdr text;

	if (g->text)
		return true;
	if (!elf_image__section(img, ".text", 0, &text))
		return false;
	g->text = text.sh_addr;
	return func__start(g, gopclntab__find(g, img->ehdr.e_entry)) == img->ehdr.e_entry;
}

int gopclntab__open(struct gopclntab *g, const struct elf_image *img)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	GElf_Shdr shdr;

	*g = (struct gopclntab){};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (elf_image__section(img, names[i], 0, &shdr))
			return gopclntab__read(g, elf_image__bytes(img, &shdr)) &&
			       gopclntab__find_text(g, img) ? 0 : -ENOENT;
	return -ENOENT;
}
