// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Where .sframe is in an ELF file. */
#include "../elf/relocate.h"
#include "sframe.h"

/* binutils, include/elf/common.h */
#ifndef PT_GNU_SFRAME
#define PT_GNU_SFRAME 0x6474e554
#endif
#ifndef SHT_GNU_SFRAME
#define SHT_GNU_SFRAME 0x6ffffff4
#endif

#define MAX_RANGES 4096

typedef VEC(struct rows_range) range_vec;

/* Its size there may be too large (ld leaves the sum of what it merged), so it only bounds. */
static bool image__segment(const struct elf_image *img, struct sframe_input *in)
{
	size_t nr = 0;

	elf_getphdrnum(img->elf, &nr);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(img->elf, i, &mem);

		if (!ph || ph->p_type != PT_GNU_SFRAME)
			continue;
		in->vaddr = ph->p_vaddr;
		in->data = elf_image__bytes_at(img, ph->p_vaddr);
		in->data.len = min_of((u64)in->data.len, ph->p_filesz);
		return in->data.len;
	}
	return false;
}

static Elf_Scn *image__section(const struct elf_image *img, GElf_Shdr *shdr)
{
	Elf_Scn *scn = elf_image__section(img, ".sframe", 0, shdr);

	return scn ? scn : elf_image__section(img, NULL, SHT_GNU_SFRAME, shdr);
}

static void image__add_code(const struct elf_image *img, range_vec *code, u64 start, u64 size)
{
	struct rows_range *range = vec__add(img->env, code);

	if (range)
		*range = (struct rows_range){ start, start + size };
}

static void image__loaded_code(const struct elf_image *img, range_vec *code)
{
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		if (l->exec && l->filesz <= img->file.size && l->vaddr + l->filesz >= l->vaddr)
			image__add_code(img, code, l->vaddr, l->filesz);
	}
}

static void image__sections_of_code(const struct elf_image *img, range_vec *code)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (code->nr < MAX_RANGES && (scn = elf_nextscn(img->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_EXECINSTR &&
		    elf_image__bytes(img, &shdr).len)
			image__add_code(img, code, shdr.sh_offset, shdr.sh_size);
}

static struct sframe *image__open_object(const struct elf_image *img, struct sframe_input *in,
					 enum sframe_flaw *why)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image__section(img, &shdr);
	u8 *owned = scn ? elf_image__relocated(img, scn, &in->data) : NULL;
	struct sframe *s = NULL;

	if (owned) {
		in->vaddr = shdr.sh_offset;
		in->relocated = true;
		s = sframe__new(in, why);
	}
	if (s)
		s->owned = owned;
	else
		env__free(img->env, owned);
	return s;
}

static struct sframe *image__open_bytes(const struct elf_image *img,
					const struct sframe_input *in, enum sframe_flaw *why)
{
	env__fetch(img->env, &img->file, in->data.data, in->data.len);
	return sframe__new(in, why);
}

/* The program header goes first: what strip and linkers do to sections does not touch it. */
static struct sframe *image__open_loaded(const struct elf_image *img, struct sframe_input *in,
					 enum sframe_flaw *why)
{
	struct sframe *s = NULL;
	GElf_Shdr shdr;

	in->entry = img->ehdr.e_entry;
	if (image__segment(img, in))
		s = image__open_bytes(img, in, why);
	if (s || !image__section(img, &shdr))
		return s;
	in->data = elf_image__bytes(img, &shdr);
	in->vaddr = shdr.sh_addr;
	return in->data.len ? image__open_bytes(img, in, why) : NULL;
}

struct sframe *sframe__open(const struct elf_image *img, const struct unwind_arch_info *arch,
			    enum sframe_flaw *why)
{
	struct sframe_input in = {
		.env = img->env, .arch = arch,
		.big_endian = img->ehdr.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	bool object = img->ehdr.e_type == ET_REL;
	range_vec code = {};
	struct sframe *s;

	if (why)
		*why = SFRAME_ABSENT;
	if (img->ehdr.e_ident[EI_CLASS] != ELFCLASS64 || img->ehdr.e_machine != arch->e_machine)
		return NULL;
	if (object)
		image__sections_of_code(img, &code);
	else
		image__loaded_code(img, &code);
	in.code = code.v;
	in.nr_code = code.nr;
	s = object ? image__open_object(img, &in, why) : image__open_loaded(img, &in, why);
	vec__drop(img->env, &code);
	return s;
}
