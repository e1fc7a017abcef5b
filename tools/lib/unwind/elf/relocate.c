// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "relocate.h"

#include <string.h>

struct relocator {
	const struct elf_image *img;
	struct bytes section, symbols;
	u8 *bytes;
	u64 vaddr;
	bool swap;
};

/* Bytes that a relocation by distance changes, 0 for all other ones. */
static u32 reloc__size(u16 machine, u32 type)
{
	switch (machine) {
	case EM_X86_64:
		return type == R_X86_64_PC32 ? 4 : type == R_X86_64_PC64 ? 8 : 0;
	case EM_AARCH64:
		return type == R_AARCH64_PREL32 ? 4 : type == R_AARCH64_PREL64 ? 8 : 0;
	case EM_S390:
		return type == R_390_PC32 ? 4 : type == R_390_PC64 ? 8 : 0;
	}
	return 0;
}

/* Value of symbol @nr. False: it lies in no section of this file. */
static bool symbol__value(const struct relocator *r, u32 nr, u64 *value)
{
	struct cursor c = cursor__init(r->symbols.data, r->symbols.len, r->swap);
	GElf_Shdr shdr;
	Elf_Scn *scn;
	u16 index;

	if (nr >= r->symbols.len / sizeof(Elf64_Sym))
		return false;
	cursor__take(&c, (u64)nr * sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_shndx));
	index = cursor__u16(&c);
	*value = cursor__u64(&c);
	if (index == SHN_UNDEF || index >= SHN_LORESERVE)
		return false;
	scn = elf_getscn(r->img->elf, index);
	if (!scn || !gelf_getshdr(scn, &shdr))
		return false;
	*value += shdr.sh_offset;
	return true;
}

static void put(u8 *to, u64 v, u32 size, bool swap)
{
	u32 low = v;

	if (swap) {
		v = __builtin_bswap64(v);
		low = __builtin_bswap32(low);
	}
	if (size == 4)
		memcpy(to, &low, 4);
	else
		memcpy(to, &v, 8);
}

static void relocator__apply(struct relocator *r, struct bytes relocs)
{
	struct cursor c = cursor__init(relocs.data, relocs.len, r->swap);

	while (cursor__left(&c) >= sizeof(Elf64_Rela)) {
		u64 offset = cursor__u64(&c), info = cursor__u64(&c);
		u64 addend = cursor__u64(&c), value;
		u32 size = reloc__size(r->img->ehdr.e_machine, ELF64_R_TYPE(info));

		if (!size || offset > r->section.len || r->section.len - offset < size)
			continue;
		value = symbol__value(r, ELF64_R_SYM(info), &value) ? value + addend : 0;
		put(r->bytes + offset, value - (r->vaddr + offset), size, r->swap);
	}
}

u8 *elf_image__relocated(const struct elf_image *img, Elf_Scn *scn, struct bytes *out)
{
	struct relocator r = { .img = img, .swap = elf_image__is_swapped(img) };
	u64 left = img->file.size; /* sections that overlap must not multiply the work */
	Elf_Scn *rela = NULL;
	GElf_Shdr shdr;

	if (!gelf_getshdr(scn, &shdr))
		return NULL;
	r.section = elf_image__bytes(img, &shdr);
	if (!r.section.len)
		return NULL;
	r.vaddr = shdr.sh_offset;
	r.bytes = env__copy(img->env, r.section.data, r.section.len);
	if (!r.bytes)
		return NULL;
	while ((rela = elf_nextscn(img->elf, rela)) != NULL) {
		struct bytes relocs;
		GElf_Shdr symtab;
		Elf_Scn *s;

		if (!gelf_getshdr(rela, &shdr) || shdr.sh_type != SHT_RELA ||
		    shdr.sh_info != elf_ndxscn(scn))
			continue;
		relocs = elf_image__bytes(img, &shdr);
		if (relocs.len > left)
			break;
		left -= relocs.len;
		s = elf_getscn(img->elf, shdr.sh_link);
		r.symbols = (struct bytes){};
		if (s && gelf_getshdr(s, &symtab) && symtab.sh_type == SHT_SYMTAB)
			r.symbols = elf_image__bytes(img, &symtab);
		relocator__apply(&r, relocs);
	}
	*out = (struct bytes){ r.bytes, r.section.len };
	return r.bytes;
}
