// SPDX-License-Identifier: GPL-2.0-only
#include "relocate.h"

#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"

#define MODULE_DATA_ALIGN (1u << 20) /* so much behind a module's code is what is no code */

static bool get_section(const struct elf_image *img, u32 i, GElf_Shdr *shdr)
{
	Elf_Scn *scn = elf_getscn(img->elf, i);

	return scn && gelf_getshdr(scn, shdr);
}

/* Code that stays in memory when the module is initialized. */
static bool is_core_code(const GElf_Shdr *s, const char *name)
{
	return s->sh_flags & SHF_ALLOC && s->sh_flags & SHF_EXECINSTR &&
	       (!name || strncmp(name, ".init", strlen(".init")));
}

/* Gives addresses to the sections of one kind, from @at on. Returns the end of the last one. */
static u64 lay_out(struct elf_layout *l, const struct elf_image *img, bool core, u64 at)
{
	for (u32 i = 1; i < l->nr; i++) {
		GElf_Shdr s;

		if (!get_section(img, i, &s) || !(s.sh_flags & SHF_ALLOC) ||
		    is_core_code(&s, strings__at(img->section_names, s.sh_name)) != core)
			continue;
		if (s.sh_addralign > 1 && !(s.sh_addralign & (s.sh_addralign - 1)))
			at = align_up(at, s.sh_addralign);
		l->addrs[i] = at;
		at += s.sh_size;
	}
	return at;
}

/* Returns whether whoever has loaded the file has written down where. */
static bool take_addresses(struct elf_layout *l, const struct elf_image *img)
{
	bool any = false;

	for (u32 i = 1; i < l->nr; i++) {
		GElf_Shdr s;

		if (!get_section(img, i, &s) || !(s.sh_flags & SHF_ALLOC))
			continue;
		l->addrs[i] = s.sh_addr;
		any |= s.sh_addr != 0;
	}
	return any;
}

void elf_layout__init(struct elf_layout *l, const struct elf_image *img)
{
	size_t nr;

	*l = (struct elf_layout){};
	if (!img->elf || img->ehdr.e_type != ET_REL || elf_getshdrnum(img->elf, &nr))
		return;
	l->nr = min_of(nr, (size_t)INT32_MAX);
	l->addrs = xcalloc(l->nr + 1, sizeof(*l->addrs));
	if (!take_addresses(l, img))
		lay_out(l, img, false, align_up(lay_out(l, img, true, 0), MODULE_DATA_ALIGN));
}

void elf_layout__free(struct elf_layout *l)
{
	zfree(&l->addrs);
	l->nr = 0;
}

/* The section with the relocations of @scn: the first one, as no compiler makes two. */
static Elf_Scn *relocations_of(const struct elf_image *img, Elf_Scn *scn, GElf_Shdr *shdr)
{
	Elf_Scn *r = NULL;

	while ((r = elf_nextscn(img->elf, r)) != NULL)
		if (gelf_getshdr(r, shdr) && shdr->sh_type == SHT_RELA &&
		    shdr->sh_info == elf_ndxscn(scn))
			return r;
	return NULL;
}

bool elf_layout__changes(const struct elf_layout *l, const struct elf_image *img, Elf_Scn *scn)
{
	GElf_Shdr shdr;

	return l->addrs && relocations_of(img, scn, &shdr);
}

/* The bytes of a relocation that is an address or an offset as it is; 0: another one. */
static u32 size_of(u16 machine, u32 type)
{
	switch (machine) {
	case EM_X86_64:
		return type == R_X86_64_64 ? 8 :
		       type == R_X86_64_32 || type == R_X86_64_32S ? 4 : 0;
	case EM_AARCH64:
		return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
	case EM_S390:
		return type == R_390_64 ? 8 : type == R_390_32 ? 4 : 0;
	default:
		return 0;
	}
}

static bool address_of(const struct elf_layout *l, const GElf_Sym *sym, u64 *addr)
{
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= l->nr)
		return false;
	*addr = sym->st_value + l->addrs[sym->st_shndx];
	return true;
}

static void apply_one(const struct elf_layout *l, const struct elf_image *img, const GElf_Rela *r,
		      Elf_Data *symbols, u8 *data, size_t len)
{
	u32 size = size_of(img->ehdr.e_machine, GELF_R_TYPE(r->r_info)), v32;
	GElf_Sym sym;
	u64 v;

	if (!size || len < size || r->r_offset > len - size ||
	    GELF_R_SYM(r->r_info) > INT32_MAX ||
	    !gelf_getsym(symbols, GELF_R_SYM(r->r_info), &sym) || !address_of(l, &sym, &v))
		return;
	v += r->r_addend;
	v32 = v;
	if (elf_image__is_swapped(img)) {
		v = __builtin_bswap64(v);
		v32 = __builtin_bswap32(v32);
	}
	memcpy(data + r->r_offset, size == 8 ? (void *)&v : (void *)&v32, size);
}

void elf_layout__apply(const struct elf_layout *l, const struct elf_image *img, Elf_Scn *scn,
		       u8 *data, size_t len)
{
	GElf_Shdr shdr;
	Elf_Scn *r = l->addrs ? relocations_of(img, scn, &shdr) : NULL, *table;
	Elf_Data *relas = r ? elf_getdata(r, NULL) : NULL, *symbols;
	GElf_Rela rela;

	table = relas ? elf_getscn(img->elf, shdr.sh_link) : NULL;
	symbols = table ? elf_getdata(table, NULL) : NULL;
	if (!symbols || symbols->d_type != ELF_T_SYM)
		return;
	for (size_t i = 0; i <= INT32_MAX && gelf_getrela(relas, i, &rela); i++)
		apply_one(l, img, &rela, symbols, data, len);
}

void elf_layout__symbols(const struct elf_layout *l, struct elf_image *img,
			 bool (*visit)(void *ctx, const char *name, u64 addr), void *ctx)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_image__section(img, NULL, SHT_SYMTAB, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	struct bytes names;
	GElf_Sym sym;

	if (!data)
		return;
	names = elf_image__strings(img, shdr.sh_link);
	for (size_t i = 1; i <= INT32_MAX && gelf_getsym(data, i, &sym); i++) {
		const char *name = strings__at(names, sym.st_name);
		u64 addr = sym.st_value;

		if (!name || !*name || sym.st_shndx == SHN_UNDEF ||
		    sym.st_shndx >= SHN_LORESERVE || (l->addrs && !address_of(l, &sym, &addr)))
			continue;
		if (!visit(ctx, name, addr))
			return;
	}
}
