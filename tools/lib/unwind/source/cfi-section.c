// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Where the sections of call frame information are in an ELF file. */
#include <dwarf.h>
#include <gelf.h>

#include "cfi.h"
#include "../elf/module.h"

static u64 section__vaddr(const struct elf_image *img, const char *name)
{
	GElf_Shdr shdr;

	return elf_image__section(img, name, 0, &shdr) ? shdr.sh_addr : 0;
}

static bool module__eh_frame_hdr(const struct module *m, u64 *vaddr, struct bytes *hdr)
{
	size_t nr = 0;

	elf_getphdrnum(m->image.elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(m->image.elf, i, &mem);

		if (!ph || ph->p_type != PT_GNU_EH_FRAME)
			continue;
		*vaddr = ph->p_vaddr;
		*hdr = elf_image__bytes_at(&m->image, ph->p_vaddr);
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

struct cfi *cfi__open_eh_frame(const struct module *m, const struct unwind_arch_info *arch)
{
	struct bytes hdr, table = {}, section = {};
	struct cfi *c = cfi__new(m->env, section, 0, false, arch);
	u64 hdr_vaddr = 0, vaddr = 0;
	GElf_Shdr shdr;

	if (!c)
		return NULL;
	if (module__eh_frame_hdr(m, &hdr_vaddr, &hdr))
		vaddr = cfi__read_hdr(c, hdr_vaddr, hdr, &table);
	if (elf_image__section(&m->image, ".eh_frame", 0, &shdr))
		section = elf_image__bytes(&m->image, &shdr);
	if (section.data && (!vaddr || shdr.sh_addr == vaddr)) {
		vaddr = shdr.sh_addr;
		env__fetch(m->env, &m->image.file, section.data, section.len);
	} else {
		/* Without section headers it may be as long as the segment. */
		section = vaddr ? elf_image__bytes_at(&m->image, vaddr) : section;
	}
	if (!section.data || !section.len) {
		cfi__free(c);
		return NULL;
	}
	env__fetch(m->env, &m->image.file, table.data, table.len);
	c->section = section;
	c->vaddr = vaddr;
	c->code = &m->image;
	c->table = table;
	c->table_base = hdr_vaddr;
	c->text = section__vaddr(&m->image, ".text");
	c->got = section__vaddr(&m->image, ".got");
	return c;
}

/* An ELF file that has nothing but one compressed section. */
struct carrier {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[2];
	Elf64_Chdr ch;
	u8 stream[];
};

/* NULL: out of memory. */
static struct carrier *packed__carrier(const struct unwind_env *env, const struct elf_packed *p)
{
	struct carrier *e = env__zalloc(env, sizeof(*e) + p->stream.len);
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	if (!e)
		return NULL;
	e->eh = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     big ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL, .e_version = EV_CURRENT, .e_ehsize = sizeof(e->eh),
		.e_shoff = offsetof(struct carrier, sh), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 2,
	};
	e->sh[1] = (Elf64_Shdr){
		.sh_type = SHT_PROGBITS, .sh_flags = SHF_COMPRESSED, .sh_addralign = 8,
		.sh_offset = offsetof(struct carrier, ch),
		.sh_size = sizeof(e->ch) + p->stream.len,
	};
	e->ch = (Elf64_Chdr){ .ch_type = p->type, .ch_size = p->size, .ch_addralign = 8 };
	memcpy(e->stream, p->stream.data, p->stream.len);
	return e;
}

/*
 * libelf decompresses in place, it writes to the section header, but the file's image is only
 * readable. So it gets an ELF file of its own. NULL when it cannot be done.
 */
static void *packed__inflate(const struct unwind_env *env, const struct elf_packed *p, size_t *len)
{
	struct carrier *e = packed__carrier(env, p);
	Elf_Data *data;
	Elf_Scn *scn;
	void *out = NULL;
	Elf *elf;

	if (!e)
		return NULL;
	elf = elf_memory((char *)e, sizeof(*e) + p->stream.len);
	scn = elf_getscn(elf, 1);
	if (scn && elf_compress(scn, 0, 0) >= 0) {
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf && data->d_size) {
			out = env__copy(env, data->d_buf, data->d_size);
			*len = out ? data->d_size : 0;
		}
	}
	elf_end(elf);
	env__free(env, e);
	return out;
}

static void cfi__inflate(struct cfi *c, const struct elf_packed *packed)
{
	c->section = (struct bytes){};
	if (!elf_packed__is_sane(packed) || !cfi__take(c, packed->size))
		return;
	c->owned = packed__inflate(c->env, packed, &c->section.len);
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
