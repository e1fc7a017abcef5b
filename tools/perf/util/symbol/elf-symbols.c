// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../../../lib/unwind/elf/gopclntab.h"
#include "elf-symbols.h"

#define PAGE 4096ULL
#define MAX_SECTION_NAME 256 /* bytes that are compared */

bool elf_image__has_symtab(const struct elf_image *img)
{
	GElf_Shdr shdr;

	return elf_image__section(img, NULL, SHT_SYMTAB, &shdr) &&
	       elf_image__bytes(img, &shdr).len;
}

/* "$x", "$d.1": marks between code and data on ARM and RISC-V, not names. */
static bool is_mapping_symbol(u16 machine, const char *name)
{
	if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (machine == EM_RISCV || !name[2] || name[2] == '.');
}

/*
 * Whether symbols without a type (STT_NOTYPE) are labels of hand-written assembly, as in sections
 * of code; in others they are marks of the linker, such as __start_SECTION.
 */
static bool is_label_section(const struct elf_image *img, const GElf_Shdr *section)
{
	const char *name = strings__at(img->section_names, section->sh_name);

	return section->sh_flags & SHF_EXECINSTR && name &&
	       memmem(name, strnlen(name, MAX_SECTION_NAME), "text", 4);
}

static bool is_wanted(const struct elf_image *img, const GElf_Sym *sym, const GElf_Shdr *section)
{
	u8 visibility = GELF_ST_VISIBILITY(sym->st_other);

	if (!(section->sh_flags & SHF_ALLOC))
		return false;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_OBJECT:
		return section->sh_flags & SHF_EXECINSTR;
	case STT_NOTYPE:
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL &&
		       is_label_section(img, section);
	}
	return false;
}

/* Variables; not those of threads, whose addresses are offsets. */
static bool is_data(const struct elf_image *img __unused_arg, const GElf_Sym *sym,
		    const GElf_Shdr *section)
{
	return section->sh_flags & SHF_ALLOC &&
	       !(section->sh_flags & (SHF_EXECINSTR | SHF_TLS)) &&
	       (GELF_ST_TYPE(sym->st_info) == STT_OBJECT ||
		GELF_ST_TYPE(sym->st_info) == STT_COMMON);
}

/* Which symbols are added: is_wanted() or is_data(). */
typedef bool (*symbol_test)(const struct elf_image *img, const GElf_Sym *sym,
			    const GElf_Shdr *section);

static u8 symbol_rank(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
		return SYMBOL_GLOBAL;
	case STB_WEAK:
		return SYMBOL_WEAK;
	}
	return SYMBOL_LOCAL; /* and STB_GNU_UNIQUE, as perf ranks it */
}

static void elf_image__add_symbol(const struct elf_image *img, struct symtab *t, GElf_Sym *sym,
				  const GElf_Shdr *section, const char *name)
{
	struct raw_symbol raw = { .name = name, .rank = symbol_rank(sym), .is_code = true };

	if (img->ehdr.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		sym->st_value &= ~1ULL; /* the bit marks Thumb code */
	raw.start = sym->st_value;
	if (__builtin_add_overflow(raw.start, sym->st_size, &raw.end))
		raw.end = raw.start;
	if (__builtin_add_overflow(section->sh_addr, section->sh_size, &raw.limit))
		raw.limit = 0;
	raw.is_label = GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && !sym->st_size;
	symtab__add(t, &raw);
}

/* One SHT_SYMTAB or SHT_DYNSYM section. */
static void elf_image__add_table(struct elf_image *img, struct symtab *t, Elf_Scn *scn,
				 const GElf_Shdr *table, symbol_test wanted)
{
	Elf_Data *data = elf_getdata(scn, NULL), *wide = NULL;
	GElf_Shdr section = {}, wide_shdr;
	Elf_Scn *wide_scn;
	u32 known = 0; /* index of the section that @section describes */
	struct bytes names = elf_image__strings(img, table->sh_link);
	size_t nr;

	if (!data || !data->d_buf)
		return;
	wide_scn = elf_image__section(img, NULL, SHT_SYMTAB_SHNDX, &wide_shdr);
	if (wide_scn && wide_shdr.sh_link == elf_ndxscn(scn))
		wide = elf_getdata(wide_scn, NULL);
	nr = data->d_size / gelf_fsize(img->elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 1; i < nr && i <= INT32_MAX; i++) {
		Elf32_Word shndx = 0;
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsymshndx(data, wide, i, &sym, &shndx))
			break;
		name = strings__at(names, sym.st_name);
		/* Of here or elsewhere. */
		t->is_haskell |= name && haskell_name__is_sign(name);
		t->is_ada |= name && ada_name__is_sign(name);
		if (sym.st_shndx != SHN_XINDEX)
			shndx = sym.st_shndx >= SHN_LORESERVE ? 0 : sym.st_shndx;
		if (!shndx || !sym.st_name)
			continue;
		if (shndx != known) {
			if (!gelf_getshdr(elf_getscn(img->elf, shndx), &section))
				continue;
			known = shndx;
		}
		if (!wanted(img, &sym, &section))
			continue;
		if (name && !is_mapping_symbol(img->ehdr.e_machine, name))
			elf_image__add_symbol(img, t, &sym, &section, name);
	}
}

static void elf_image__add_tables(struct elf_image *img, struct symtab *t, symbol_test wanted)
{
	static const u32 types[] = { SHT_SYMTAB, SHT_DYNSYM };
	GElf_Shdr shdr;
	Elf_Scn *scn;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		scn = elf_image__section(img, NULL, types[i], &shdr);
		if (scn && elf_image__bytes(img, &shdr).len)
			elf_image__add_table(img, t, scn, &shdr, wanted);
	}
}

void elf_image__add_symbols(struct elf_image *img, struct symtab *t)
{
	elf_image__add_tables(img, t, is_wanted);
}

void elf_image__add_data(struct elf_image *img, struct symtab *t)
{
	elf_image__add_tables(img, t, is_data);
}

const struct elf_load *elf_image__data_load(const struct elf_image *img, u64 offset)
{
	const struct elf_load *bss = NULL;

	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];
		u64 at = offset - l->offset;

		if (offset < l->offset || at >= l->memsz)
			continue;
		if (at < l->filesz)
			return l;
		/* Behind the contents of the file, in their last page, begins .bss. */
		if (!l->exec && at < align_up(l->offset + l->filesz, PAGE) - l->offset)
			bss = l;
	}
	return bss;
}

void elf_image__add_go_symbols(const struct elf_image *img, struct symtab *t)
{
	struct gopclntab table;
	struct go_func f;

	if (gopclntab__open(&table, img))
		return;
	for (u64 i = 0; gopclntab__func(&table, i, &f); i++)
		if (f.name && *f.name)
			symtab__add(t, &(struct raw_symbol){
				.start = f.start, .end = f.end, .name = f.name,
				.rank = SYMBOL_LOCAL, .is_code = true,
			});
}
