// SPDX-License-Identifier: GPL-2.0-only
#include "debug-file.h"

#include <elf.h>
#include <string.h>

#include "../../util/base/log.h"
#include "../../util/base/mem.h"
#include "../../util/base/vec.h"

#define SECTIONS_MAX 64

typedef VEC(u8) blob;

static void put(blob *b, const void *p, size_t size)
{
	vec__reserve(b, b->nr + size);
	if (size)
		memcpy(b->v + b->nr, p, size);
	b->nr += size;
}

static void add(blob *file, blob *names, Elf64_Shdr *shdr, const struct debug_section *s)
{
	static const u8 zeros[8];

	shdr->sh_name = names->nr;
	put(names, s->name, strlen(s->name) + 1);
	put(file, zeros, -file->nr % 8);
	shdr->sh_offset = file->nr;
	shdr->sh_size = s->size;
	shdr->sh_addralign = 1;
	if (s->compressed)
		shdr->sh_flags |= SHF_COMPRESSED;
	put(file, s->data, s->size);
}

u8 *debug_file__make(const struct debug_section *sections, size_t nr, size_t *size)
{
	static const u8 code[DEBUG_TEXT_SIZE];
	Elf64_Shdr shdrs[SECTIONS_MAX + 3] = {};
	Elf64_Phdr load = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = DEBUG_TEXT,
		.p_filesz = DEBUG_TEXT_SIZE, .p_memsz = DEBUG_TEXT_SIZE,
	};
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(head), .e_phoff = sizeof(head), .e_phentsize = sizeof(load),
		.e_phnum = 1, .e_shentsize = sizeof(shdrs[0]), .e_shnum = nr + 3,
		.e_shstrndx = nr + 2,
	};
	blob file = {}, names = {};

	BUG_ON(nr > SECTIONS_MAX);
	put(&file, &head, sizeof(head));
	put(&file, &load, sizeof(load));
	put(&names, "", 1);
	shdrs[1] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				 .sh_addr = DEBUG_TEXT };
	add(&file, &names, &shdrs[1],
	    &(struct debug_section){ ".text", code, sizeof(code), false });
	load.p_offset = shdrs[1].sh_offset;
	for (size_t i = 0; i < nr; i++) {
		shdrs[i + 2].sh_type = SHT_PROGBITS;
		add(&file, &names, &shdrs[i + 2], &sections[i]);
	}
	shdrs[nr + 2] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_size = names.nr,
				      .sh_offset = file.nr };
	put(&file, names.v, names.nr);
	head.e_shoff = file.nr;
	put(&file, shdrs, (nr + 3) * sizeof(shdrs[0]));
	memcpy(file.v, &head, sizeof(head));
	memcpy(file.v + sizeof(head), &load, sizeof(load));
	vec__free(&names);
	*size = file.nr;
	return file.v;
}
