// SPDX-License-Identifier: GPL-2.0-only
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/elf/relocate.h"
#include "../../util/elf/elf-file.h"
#include "../test.h"

enum { SYMTAB = 1, TARGET, FIRST_RELA, MAX_RELA = 4 };

/* An object file whose second word in TARGET is to become the distance to the third. */
struct object {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[FIRST_RELA + MAX_RELA];
	Elf64_Sym symbols[2];
	u64 target[3];
	Elf64_Rela none[100], rela;
};

static Elf64_Shdr rela_section(u64 offset, u64 size)
{
	return (Elf64_Shdr){ .sh_type = SHT_RELA, .sh_link = SYMTAB, .sh_info = TARGET,
			     .sh_offset = offset, .sh_size = size,
			     .sh_entsize = sizeof(Elf64_Rela) };
}

/* @before: sections of relocations of no type in front of the one that counts. */
static struct object make_object(u32 before)
{
	struct object o = {
		.eh = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_REL, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf64_Ehdr), .e_shoff = offsetof(struct object, sh),
			.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = FIRST_RELA + before + 1 },
		.symbols = { {}, { .st_shndx = TARGET, .st_value = 16 } },
		.target = { 1, 2, 3 },
		.rela = { .r_offset = 8, .r_info = ELF64_R_INFO(1, R_X86_64_PC64) },
	};

	o.sh[SYMTAB] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_size = sizeof(o.symbols),
				     .sh_offset = offsetof(struct object, symbols),
				     .sh_entsize = sizeof(Elf64_Sym) };
	o.sh[TARGET] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_size = sizeof(o.target),
				     .sh_offset = offsetof(struct object, target) };
	for (u32 i = 0; i < before; i++)
		o.sh[FIRST_RELA + i] = rela_section(offsetof(struct object, none), sizeof(o.none));
	o.sh[FIRST_RELA + before] = rela_section(offsetof(struct object, rela), sizeof(o.rela));
	return o;
}

static u64 relocated_word(u32 before)
{
	struct object o = make_object(before);
	int fd = memfd_create("object", MFD_CLOEXEC);
	struct elf_image img;
	struct bytes out = {};
	u8 *bytes;
	u64 word;

	TEST_EQ(write(fd, &o, sizeof(o)), sizeof(o));
	TEST_EQ(elf_image__open(&img, fd), 0);
	bytes = elf_image__relocated(&img, elf_getscn(img.elf, TARGET), &out);
	TEST_EQ(out.len, sizeof(o.target));
	memcpy(&word, bytes + 8, sizeof(word));
	free(bytes);
	elf_image__close(&img);
	close(fd);
	return word;
}

TEST(relocate, "unwind: an object's relocations are applied, as many as the file has room for")
{
	TEST_EQ(relocated_word(0), 8);
	TEST_EQ(relocated_word(1), 8);
	/* Sections that share their bytes: what is beyond the file's size is left. */
	TEST_EQ(relocated_word(3), 2);
}
