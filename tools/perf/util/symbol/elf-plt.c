// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for the entries of procedure linkage tables, which have no symbols.
 *
 * On x86 each entry jumps through a slot of the global offset table, and the relocation of that
 * slot names the function. The entry is decoded to find the slot, which works for .plt, .plt.sec
 * and .plt.got. On other architectures the entries of .plt are in the order of .rela.plt.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf-symbols.h"

struct got_slot { /* of the global offset table */
	u64 addr;
	const char *name; /* NULL: an indirect function, at @ifunc */
	u64 ifunc;
};

struct plt_reader {
	struct elf_image *img;
	struct symtab *t;
	struct arena *arena;
	VEC(struct got_slot) slots; /* in the order of the relocations, then sorted by addr */
};

#define MAX_NAME 16384

static void plt_reader__add(struct plt_reader *p, u64 addr, u64 size, const struct got_slot *slot)
{
	struct raw_symbol raw = { .start = addr, .end = addr + size, .rank = SYMBOL_GLOBAL,
				  .is_code = true };
	const char *name = slot->name;
	char *buf;

	if (!name)
		name = symtab__name_at(p->t, slot->ifunc);
	if (!name)
		return;
	if (p->t->demangle_into && !p->t->keep_mangled)
		name = symbol_name__demangle(p->arena, name, p->t->demangler);
	buf = xasprintf("%.*s@plt", MAX_NAME, name);
	raw.name = arena__intern(p->arena, buf);
	free(buf);
	symtab__add(p->t, &raw);
}

/* Finds for each slot the symbol of its relocation, in one section of relocations. */
static void plt_reader__read_relocations(struct plt_reader *p, const char *section)
{
	GElf_Shdr shdr, sym_shdr = {};
	Elf_Scn *scn = elf_image__section(p->img, section, 0, &shdr);
	Elf_Data *data, *syms = NULL;
	struct bytes names = {};
	size_t nr;

	data = scn && shdr.sh_type == SHT_RELA ? elf_getdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return;
	scn = shdr.sh_link ? elf_getscn(p->img->elf, shdr.sh_link) : NULL;
	if (scn && gelf_getshdr(scn, &sym_shdr) &&
	    (sym_shdr.sh_type == SHT_DYNSYM || sym_shdr.sh_type == SHT_SYMTAB)) {
		syms = elf_getdata(scn, NULL);
		names = elf_image__strings(p->img, sym_shdr.sh_link);
	}
	nr = data->d_size / gelf_fsize(p->img->elf, ELF_T_RELA, 1, EV_CURRENT);
	for (size_t i = 0; i < nr && i <= INT32_MAX; i++) {
		struct got_slot slot = {};
		GElf_Rela rela;
		GElf_Sym sym;

		if (!gelf_getrela(data, i, &rela))
			break;
		slot.addr = rela.r_offset;
		if (p->img->ehdr.e_machine == EM_X86_64 &&
		    GELF_R_TYPE(rela.r_info) == R_X86_64_IRELATIVE)
			slot.ifunc = rela.r_addend;
		else if (syms && GELF_R_SYM(rela.r_info) &&
			 gelf_getsym(syms, GELF_R_SYM(rela.r_info), &sym) && sym.st_name)
			slot.name = strings__at(names, sym.st_name);
		if (slot.name || slot.ifunc)
			*vec__push(&p->slots) = slot;
	}
}

static int by_addr(const void *va, const void *vb)
{
	const struct got_slot *a = va, *b = vb;

	return compare_of(a->addr, b->addr);
}

/* The slot through which the x86-64 code at @code, of address @addr, jumps; 0: it does not. */
static u64 x86_slot_addr(const u8 *code, u64 size, u64 addr)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u64 i = 0;
	s32 disp;

	if (size >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64)))
		i += sizeof(endbr64);
	if (i < size && code[i] == 0xf2) /* bnd */
		i++;
	if (i + 6 > size || code[i] != 0xff || code[i + 1] != 0x25) /* jmp *disp(%rip) */
		return 0;
	memcpy(&disp, code + i + 2, sizeof(disp));
	return addr + i + 6 + disp;
}

static void plt_reader__decode_x86(struct plt_reader *p, const char *section)
{
	struct raw_symbol header = { .name = section, .rank = SYMBOL_GLOBAL, .is_code = true };
	GElf_Shdr shdr;
	struct bytes code;
	u64 step;
	bool named = false;

	if (!elf_image__section(p->img, section, 0, &shdr))
		return;
	code = elf_image__bytes(p->img, &shdr);
	step = shdr.sh_entsize == 8 || shdr.sh_entsize == 16 ? shdr.sh_entsize :
	       shdr.sh_addralign == 8 ? 8 : 16;
	header.start = shdr.sh_addr;
	header.end = shdr.sh_addr + code.len;
	for (u64 i = 0; i + step <= code.len; i += step) {
		u64 addr = shdr.sh_addr + i;
		struct got_slot key = { .addr = x86_slot_addr(code.data + i, step, addr) };
		struct got_slot *slot = key.addr && p->slots.nr ?
			bsearch(&key, p->slots.v, p->slots.nr, sizeof(key), by_addr) : NULL;

		if (!slot)
			continue;
		if (!named)
			header.end = addr;
		named = true;
		plt_reader__add(p, addr, step, slot);
	}
	if (header.end > header.start)
		symtab__add(p->t, &header);
}

/* Sizes of the head and of an entry, as the ABI supplements lay them out. */
static void plt_reader__number(struct plt_reader *p, u64 head, u64 step)
{
	struct raw_symbol header = { .name = ".plt", .rank = SYMBOL_GLOBAL, .is_code = true };
	GElf_Shdr shdr;

	if (!elf_image__section(p->img, ".plt", 0, &shdr) || shdr.sh_size < head)
		return;
	header.start = shdr.sh_addr;
	header.end = shdr.sh_addr + head;
	symtab__add(p->t, &header);
	for (size_t i = 0; i < p->slots.nr && head + (i + 1) * step <= shdr.sh_size; i++)
		plt_reader__add(p, shdr.sh_addr + head + i * step, step, &p->slots.v[i]);
}

void elf_image__add_plt(struct elf_image *img, struct symtab *t, struct arena *arena)
{
	struct plt_reader p = { .img = img, .t = t, .arena = arena };

	symtab__sort(t);
	plt_reader__read_relocations(&p, ".rela.plt");
	switch (img->ehdr.e_machine) {
	case EM_X86_64:
		plt_reader__read_relocations(&p, ".rela.dyn");
		if (p.slots.nr)
			qsort(p.slots.v, p.slots.nr, sizeof(*p.slots.v), by_addr);
		plt_reader__decode_x86(&p, ".plt");
		plt_reader__decode_x86(&p, ".plt.sec");
		plt_reader__decode_x86(&p, ".plt.got");
		break;
	case EM_AARCH64:
		plt_reader__number(&p, 32, 16);
		break;
	case EM_S390:
		plt_reader__number(&p, 32, 32);
		break;
	}
	vec__free(&p.slots);
}
