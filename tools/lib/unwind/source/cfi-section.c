// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Where the sections of call frame information are in an ELF file. */
#include <dwarf.h>
#include <gelf.h>

#include "cfi.h"

static u64 section__vaddr(const struct elf_image *img, const char *name)
{
	GElf_Shdr shdr;

	return elf_image__section(img, name, 0, &shdr) ? shdr.sh_addr : 0;
}

static bool find_eh_frame_hdr(const struct elf_image *img, u64 *vaddr, struct bytes *hdr)
{
	size_t nr = 0;

	elf_getphdrnum(img->elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(img->elf, i, &mem);

		if (!ph || ph->p_type != PT_GNU_EH_FRAME)
			continue;
		*vaddr = ph->p_vaddr;
		*hdr = elf_image__bytes_at(img, ph->p_vaddr);
		hdr->len = min_of(hdr->len, (size_t)ph->p_memsz);
		return hdr->data != NULL;
	}
	return false;
}

/*
 * The address of .eh_frame, 0 when the header does not say it, and the search table, when it has
 * the one form that linkers make. Of @at the bases of relative addresses are set.
 */
static u64 cfi__read_hdr(struct cfi *at, u64 vaddr, struct bytes hdr, struct bytes *table)
{
	struct cursor cur = cursor__init(hdr.data, hdr.len, at->swap);
	u8 version = cursor__u8(&cur), frame = cursor__u8(&cur), count = cursor__u8(&cur);
	u8 encoding = cursor__u8(&cur);
	u64 eh_frame, nr;

	at->vaddr = at->got = vaddr;
	if (version != 1 || frame == DW_EH_PE_omit || frame & DW_EH_PE_indirect)
		return 0;
	eh_frame = cfi__read_encoded(at, &cur, frame);
	if (cur.bad)
		return 0;
	if (count == DW_EH_PE_omit || encoding != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return eh_frame;
	nr = cfi__read_encoded(at, &cur, count);
	if (!cur.bad && nr && nr <= cursor__left(&cur) / 8)
		*table = (struct bytes){ cur.data + cur.pos, nr * 8 };
	return eh_frame;
}

struct cfi *cfi__open_eh_frame(const struct elf_image *img, const struct unwind_arch_info *arch)
{
	struct bytes hdr, table = {}, section = {};
	struct cfi *c = cfi__new(img->env, section, 0, false, arch);
	u64 hdr_vaddr = 0, vaddr = 0;
	GElf_Shdr shdr;

	if (!c)
		return NULL;
	if (find_eh_frame_hdr(img, &hdr_vaddr, &hdr))
		vaddr = cfi__read_hdr(c, hdr_vaddr, hdr, &table);
	if (elf_image__section(img, ".eh_frame", 0, &shdr))
		section = elf_image__bytes(img, &shdr);
	if (section.data && (!vaddr || shdr.sh_addr == vaddr)) {
		vaddr = shdr.sh_addr;
		env__fetch(img->env, &img->file, section.data, section.len);
	} else {
		/* Without section headers it may be as long as the segment. */
		section = vaddr ? elf_image__bytes_at(img, vaddr) : section;
	}
	if (!section.data || !section.len) {
		cfi__free(c);
		return NULL;
	}
	env__fetch(img->env, &img->file, table.data, table.len);
	c->section = section;
	c->vaddr = vaddr;
	c->code = img;
	c->table = table;
	c->table_base = hdr_vaddr;
	c->text = section__vaddr(img, ".text");
	c->got = section__vaddr(img, ".got");
	return c;
}

static void cfi__inflate(struct cfi *c, const struct elf_packed *packed)
{
	c->section = (struct bytes){};
	if (!elf_packed__is_sane(packed) || !cfi__take(c, packed->size))
		return;
	c->owned = elf_packed__inflate(packed, c->env, &c->section.len);
	c->section.data = c->owned;
}

struct cfi *cfi__open_debug_frame(const struct elf_image *img,
				  const struct unwind_arch_info *arch, struct budget *memory)
{
	struct cfi *c = img->env ? cfi__new(img->env, (struct bytes){}, 0, true, arch) : NULL;
	struct elf_packed packed = {};
	GElf_Shdr shdr = {};

	if (!c)
		return NULL;
	c->memory = memory;
	if (elf_image__section(img, ".debug_frame", 0, &shdr)) {
		c->section = elf_image__bytes(img, &shdr);
		env__fetch(img->env, &img->file, c->section.data, c->section.len);
		packed = elf_image__packed(img, &shdr);
	} else if (elf_image__section(img, ".zdebug_frame", 0, &shdr)) {
		packed = elf_image__packed(img, &shdr);
	}
	if (packed.type)
		cfi__inflate(c, &packed);
	if (!c->section.data || !c->section.len) {
		cfi__free(c);
		return NULL;
	}
	c->text = section__vaddr(img, ".text");
	return c;
}
