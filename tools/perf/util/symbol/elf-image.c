// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "build-id.h"
#include "elf-image.h"

#define MAX_LOADS 256
#define PAGE 4096ULL

static void elf_image__read_loads(struct elf_image *img)
{
	size_t nr;

	if (elf_getphdrnum(img->elf, &nr))
		return;
	for (size_t i = 0; i < nr && img->loads.nr < MAX_LOADS; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(img->elf, i, &mem);

		if (!ph || ph->p_type != PT_LOAD)
			continue;
		*vec__push(&img->loads) = (struct elf_load){
			.offset = ph->p_offset, .vaddr = ph->p_vaddr, .filesz = ph->p_filesz,
			.exec = ph->p_flags & PF_X,
		};
	}
}

/* Checked once here, since elf_strptr() would look for the last NUL at each call. */
struct bytes elf_image__strings(const struct elf_image *img, u32 section)
{
	Elf_Scn *scn = elf_getscn(img->elf, section);
	GElf_Shdr shdr;
	struct bytes b = {};

	if (scn && gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_STRTAB)
		b = elf_image__bytes(img, &shdr);
	while (b.len && b.data[b.len - 1])
		b.len--;
	return b;
}

int elf_image__open(struct elf_image *img, int fd)
{
	size_t names;
	int err;

	memset(img, 0, sizeof(*img));
	img->file.slot = -1;
	elf_version(EV_CURRENT);
	err = mapfile__map(&img->file, fd);
	if (err)
		return err;
	/* libelf's interface lacks the const; it does not write to what it only reads. */
	if (img->file.size)
		img->elf = elf_memory((char *)(uintptr_t)img->file.data, img->file.size);
	if (!img->elf || elf_kind(img->elf) != ELF_K_ELF || !gelf_getehdr(img->elf, &img->ehdr)) {
		elf_image__close(img);
		return -ENOEXEC;
	}
	elf_image__read_loads(img);
	if (!elf_getshdrstrndx(img->elf, &names))
		img->section_names = elf_image__strings(img, names);
	return 0;
}

void elf_image__close(struct elf_image *img)
{
	elf_end(img->elf);
	mapfile__unmap(&img->file);
	vec__free(&img->loads);
	img->elf = NULL;
}

Elf_Scn *elf_image__section(const struct elf_image *img, const char *name, u32 type,
			    GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	const char *s;

	while (img->elf && (scn = elf_nextscn(img->elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, shdr))
			continue;
		if (!name) {
			if (shdr->sh_type == type)
				return scn;
			continue;
		}
		s = strings__at(img->section_names, shdr->sh_name);
		if (s && !strcmp(s, name))
			return scn;
	}
	return NULL;
}

struct bytes elf_image__bytes(const struct elf_image *img, const GElf_Shdr *shdr)
{
	struct bytes none = {};

	if (shdr->sh_type == SHT_NOBITS || shdr->sh_offset > img->file.size ||
	    shdr->sh_size > img->file.size - shdr->sh_offset)
		return none;
	return (struct bytes){ .data = img->file.data + shdr->sh_offset, .len = shdr->sh_size };
}

bool elf_image__vaddr(const struct elf_image *img, u64 offset, u64 *vaddr)
{
	/* Segments of data and code can share a page of the file: code goes first. */
	for (int exec = 1; exec >= 0; exec--) {
		for (size_t i = 0; i < img->loads.nr; i++) {
			const struct elf_load *l = &img->loads.v[i];
			u64 from = l->offset & -PAGE;

			if (l->exec != exec || offset < from || offset - from >=
			    l->filesz + (l->offset - from))
				continue;
			*vaddr = l->vaddr + (offset - l->offset);
			return true;
		}
	}
	return false;
}

int elf_image__build_id(const struct elf_image *img, struct build_id *out)
{
	size_t nr;
	GElf_Shdr shdr;
	Elf_Scn *scn = NULL;
	bool swap = img->ehdr.e_ident[EI_DATA] !=
		    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);

	while ((scn = elf_nextscn(img->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_NOTE &&
		    !build_id__from_notes(elf_image__bytes(img, &shdr), swap, out))
			return 0;
	if (elf_getphdrnum(img->elf, &nr))
		return -ENOENT;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(img->elf, i, &mem);
		GElf_Shdr as_section = { .sh_type = SHT_NOTE };

		if (!ph || ph->p_type != PT_NOTE)
			continue;
		as_section.sh_offset = ph->p_offset;
		as_section.sh_size = ph->p_filesz;
		if (!build_id__from_notes(elf_image__bytes(img, &as_section), swap, out))
			return 0;
	}
	return -ENOENT;
}

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
		return section->sh_flags & SHF_EXECINSTR && visibility != STV_HIDDEN &&
		       visibility != STV_INTERNAL;
	}
	return false;
}

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
		sym->st_value &= ~1ULL; /* the bit says Thumb */
	raw.start = sym->st_value;
	if (__builtin_add_overflow(raw.start, sym->st_size, &raw.end))
		raw.end = raw.start;
	if (__builtin_add_overflow(section->sh_addr, section->sh_size, &raw.limit))
		raw.limit = 0;
	symtab__add(t, &raw);
}

/* One SHT_SYMTAB or SHT_DYNSYM section. */
static void elf_image__add_table(const struct elf_image *img, struct symtab *t, Elf_Scn *scn,
				 const GElf_Shdr *table)
{
	Elf_Data *data = elf_getdata(scn, NULL), *wide = NULL;
	GElf_Shdr section = {}, wide_shdr;
	Elf_Scn *wide_scn;
	u32 known = 0; /* number of the section in @section */
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
		if (sym.st_shndx != SHN_XINDEX)
			shndx = sym.st_shndx >= SHN_LORESERVE ? 0 : sym.st_shndx;
		if (!shndx || !sym.st_name)
			continue;
		if (shndx != known) {
			if (!gelf_getshdr(elf_getscn(img->elf, shndx), &section))
				continue;
			known = shndx;
		}
		if (!is_wanted(img, &sym, &section))
			continue;
		name = strings__at(names, sym.st_name);
		if (name && !is_mapping_symbol(img->ehdr.e_machine, name))
			elf_image__add_symbol(img, t, &sym, &section, name);
	}
}

void elf_image__add_symbols(const struct elf_image *img, struct symtab *t)
{
	static const u32 types[] = { SHT_SYMTAB, SHT_DYNSYM };
	GElf_Shdr shdr;
	Elf_Scn *scn;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		scn = elf_image__section(img, NULL, types[i], &shdr);
		if (scn && elf_image__bytes(img, &shdr).len)
			elf_image__add_table(img, t, scn, &shdr);
	}
}
