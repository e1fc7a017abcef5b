// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Compressed sections of ELF files. */
#include "elf-image.h"

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
 * readable. So it gets an ELF file of its own.
 */
void *elf_packed__inflate(const struct elf_packed *p, const struct unwind_env *env, size_t *len)
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
