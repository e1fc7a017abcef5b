// SPDX-License-Identifier: GPL-2.0-only
#include "tls-file.h"

#include <string.h>

#define PAGE 4096ull

/* The tables of a file that are searched. */
struct tables {
	const struct elf_image *img;
	struct bytes dynsym, dynstr, symtab, strtab;
	const struct tls_wanted *wanted;
	u32 nr;
};

static struct bytes take_section(struct elf_image *img, const char *name, u32 type,
				 struct bytes *strings, struct budget *bytes)
{
	GElf_Shdr shdr;
	struct bytes b = {};

	if (!elf_image__section(img, name, type, &shdr))
		return b;
	b = elf_image__bytes(img, &shdr);
	if (!budget__take(bytes, b.len))
		return (struct bytes){};
	if (strings)
		*strings = elf_image__strings(img, shdr.sh_link);
	return b;
}

static u64 count_of(struct bytes b, size_t size)
{
	return b.len / size;
}

static void symbol_at(struct bytes b, u64 i, Elf64_Sym *sym)
{
	memcpy(sym, b.data + i * sizeof(*sym), sizeof(*sym));
}

static int which(const struct tables *t, struct bytes strings, const Elf64_Sym *sym)
{
	const char *name;

	if (ELF64_ST_TYPE(sym->st_info) != STT_TLS)
		return -1;
	name = strings__at(strings, sym->st_name);
	for (u32 i = 0; name && i < t->nr; i++)
		if (!strcmp(name, t->wanted[i].symbol))
			return i;
	return -1;
}

/* An undefined symbol of a library that uses the variable of another may have no type. */
static int which_dynamic(const struct tables *t, u64 i, Elf64_Sym *sym)
{
	if (i >= count_of(t->dynsym, sizeof(*sym)))
		return -1;
	symbol_at(t->dynsym, i, sym);
	if (sym->st_shndx == SHN_UNDEF)
		sym->st_info = STT_TLS;
	return which(t, t->dynstr, sym);
}

static void find_symbols(struct tls_file *f, const struct tables *t, struct bytes table,
			 struct bytes strings)
{
	Elf64_Sym sym;

	for (u64 i = 0; i < count_of(table, sizeof(sym)); i++) {
		int k;

		symbol_at(table, i, &sym);
		k = which(t, strings, &sym);
		if (k < 0 || sym.st_shndx == SHN_UNDEF || f->symbols[k].defined)
			continue;
		f->symbols[k].defined = true;
		f->symbols[k].value = sym.st_value;
		f->symbols[k].size = sym.st_size;
	}
}

/*
 * A relocation without a symbol is of a variable of this file that others cannot see: its addend is
 * the place in the segment. DTPMOD64 then is of the file as a whole.
 */
static int which_hidden(const struct tls_file *f, const struct tables *t, u32 type, s64 *addend)
{
	for (u32 i = 0; i < t->nr; i++) {
		if (!f->symbols[i].defined)
			continue;
		if (type == R_X86_64_DTPMOD64) {
			*addend = 0;
			return i;
		}
		if ((u64)*addend == f->symbols[i].value) {
			*addend = 0;
			return i;
		}
	}
	return -1;
}

static void find_relocs(struct tls_file *f, const struct tables *t, struct bytes table)
{
	Elf64_Rela rela;
	Elf64_Sym sym;

	for (u64 i = 0; i < count_of(table, sizeof(rela)); i++) {
		struct tls_symbol *s;
		u32 type;
		int k;

		memcpy(&rela, table.data + i * sizeof(rela), sizeof(rela));
		type = ELF64_R_TYPE(rela.r_info);
		if (type != R_X86_64_TPOFF64 && type != R_X86_64_DTPMOD64 &&
		    type != R_X86_64_TLSDESC)
			continue;
		k = ELF64_R_SYM(rela.r_info) ?
		    which_dynamic(t, ELF64_R_SYM(rela.r_info), &sym) :
		    which_hidden(f, t, type, &rela.r_addend);
		s = k < 0 ? NULL : &f->symbols[k];
		if (s && s->nr_relocs < TLS_RELOCS_MAX)
			s->relocs[s->nr_relocs++] = (struct tls_reloc){
				type, rela.r_offset, rela.r_addend,
			};
	}
}

static bool is_pie(struct bytes dynamic)
{
	Elf64_Dyn dyn;

	for (u64 i = 0; i < count_of(dynamic, sizeof(dyn)); i++) {
		memcpy(&dyn, dynamic.data + i * sizeof(dyn), sizeof(dyn));
		if (dyn.d_tag == DT_FLAGS_1)
			return dyn.d_un.d_val & DF_1_PIE;
	}
	return false;
}

static void read_segments(struct tls_file *f, const struct elf_image *img)
{
	const struct elf_load *first = img->loads.v;
	GElf_Phdr ph;

	f->page_offset = first->offset & ~(PAGE - 1);
	f->page_vaddr = first->vaddr - (first->offset - f->page_offset);
	for (int i = 0; i < img->ehdr.e_phnum && gelf_getphdr(img->elf, i, &ph); i++) {
		if (ph.p_type != PT_TLS)
			continue;
		f->tls_vaddr = ph.p_vaddr;
		f->tls_size = ph.p_memsz;
		f->tls_align = ph.p_align && !(ph.p_align & (ph.p_align - 1)) ? ph.p_align : 1;
	}
}

void tls_file__read(struct tls_file *out, int fd, const struct tls_wanted *wanted, u32 nr,
		    struct budget *bytes)
{
	struct tables t = { .wanted = wanted, .nr = min_of(nr, (u32)TLS_WANTED_MAX) };
	struct elf_image img = {};

	*out = (struct tls_file){};
	if (elf_image__open_sparse(&img, fd) || img.ehdr.e_machine != EM_X86_64 ||
	    gelf_getclass(img.elf) != ELFCLASS64 || elf_image__is_swapped(&img) || !img.loads.nr) {
		elf_image__close(&img);
		return;
	}
	out->known = true;
	read_segments(out, &img);
	t.dynsym = take_section(&img, NULL, SHT_DYNSYM, &t.dynstr, bytes);
	t.symtab = take_section(&img, NULL, SHT_SYMTAB, &t.strtab, bytes);
	out->program = img.ehdr.e_type == ET_EXEC ||
		       is_pie(take_section(&img, NULL, SHT_DYNAMIC, NULL, bytes));
	if (out->tls_size) {
		find_symbols(out, &t, t.dynsym, t.dynstr);
		find_symbols(out, &t, t.symtab, t.strtab);
	}
	find_relocs(out, &t, take_section(&img, ".rela.dyn", 0, NULL, bytes));
	find_relocs(out, &t, take_section(&img, ".rela.plt", 0, NULL, bytes));
	elf_image__close(&img);
}

bool tls_file__mentions_any(const struct tls_file *f)
{
	for (u32 i = 0; i < TLS_WANTED_MAX; i++)
		if (f->symbols[i].defined || f->symbols[i].nr_relocs)
			return true;
	return false;
}

/* As linkers and ld.so lay it out: the segment ends at the thread pointer, as far as aligned. */
s64 tls_file__program_offset(const struct tls_file *f, const struct tls_symbol *s)
{
	u64 mask = f->tls_align - 1, first = -f->tls_vaddr & mask;
	u64 block = ((f->tls_size - first + mask) & ~mask) + first;

	return s->value - block;
}
