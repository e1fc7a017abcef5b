// SPDX-License-Identifier: GPL-2.0-only
#include "elf-builder.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../test.h"

#define HOST_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static u64 order(const struct elf_build *b, u64 v, int size)
{
	if (b->big_endian == HOST_BIG)
		return v;
	return __builtin_bswap64(v) >> (64 - 8 * size);
}

static void put(struct elf_build *b, u64 v, int size)
{
	u64 bytes = order(b, v, size);

	TEST_TRUE(b->frame_len + size <= sizeof(b->frame));
	memcpy(b->frame + b->frame_len, (u8 *)&bytes + (HOST_BIG ? 8 - size : 0), size);
	b->frame_len += size;
}

static void put_bytes(struct elf_build *b, const u8 *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		put(b, bytes[i], 1);
	while (b->frame_len % 8 != 4)
		put(b, 0, 1); /* DW_CFA_nop */
}

/* Fills in the length of the entry at @begin. */
static void finish(struct elf_build *b, size_t begin)
{
	size_t end = b->frame_len;

	b->frame_len = begin;
	put(b, end - begin - 4, 4);
	b->frame_len = end;
}

static void put_cie(struct elf_build *b, const char *augmentation, const u8 *cfi, size_t len)
{
	size_t begin = b->frame_len;

	put(b, 0, 4);
	put(b, 0, 4); /* a CIE */
	put(b, 1, 1); /* version */
	for (const char *c = augmentation; *c; c++)
		put(b, *c, 1);
	put(b, 0, 1);
	put(b, 1, 1); /* code alignment */
	put(b, 0x78, 1); /* data alignment: -8 */
	put(b, b->ra, 1);
	if (*augmentation) {
		put(b, 1, 1);
		put(b, 0, 1); /* absolute addresses, as without augmentation */
	}
	put_bytes(b, cfi, len);
	finish(b, begin);
}

static void put_fde(struct elf_build *b, size_t cie, u64 start, u64 size, bool augmented,
		    const u8 *cfi, size_t len)
{
	size_t begin = b->frame_len;

	put(b, 0, 4);
	put(b, begin + 4 - cie, 4); /* back to the CIE */
	put(b, start, 8);
	put(b, size, 8);
	if (augmented)
		put(b, 0, 1);
	put_bytes(b, cfi, len);
	finish(b, begin);
}

void elf_build__init(struct elf_build *b, u16 machine, bool big_endian, u8 ra, const u8 *cfi,
		     size_t len)
{
	memset(b, 0, sizeof(*b));
	b->machine = machine;
	b->big_endian = big_endian;
	b->ra = ra;
	put_cie(b, "", cfi, len);
}

void elf_build__add(struct elf_build *b, u64 start, u64 size, const u8 *cfi, size_t len)
{
	put_fde(b, 0, start, size, false, cfi, len);
}

void elf_build__add_signal(struct elf_build *b, u64 start, u64 size, const u8 *cfi, size_t len)
{
	size_t cie = b->frame_len;

	put_cie(b, "zRS", cfi, len);
	put_fde(b, cie, start, size, true, NULL, 0);
}

#define SET(b, field, v) ((field) = (__typeof__(field))order(b, v, sizeof(field)))

int elf_build__fd(const struct elf_build *b)
{
	static const char names[] = "\0.text\0.eh_frame\0.shstrtab\0.plt\0.gopclntab";
	static u8 file[ELF_EH_FRAME + sizeof(b->frame) + sizeof(names) + 4 * sizeof(Elf64_Shdr) +
		       64];
	u64 frame_size = b->frame_len + 4, names_at = ELF_EH_FRAME + frame_size;
	u64 sections_at = align_up(names_at + sizeof(names), 8);
	u64 size = sections_at + 4 * sizeof(Elf64_Shdr);
	Elf64_Ehdr *eh = (Elf64_Ehdr *)file;
	Elf64_Phdr *ph = (Elf64_Phdr *)(file + sizeof(*eh));
	Elf64_Shdr *sh = (Elf64_Shdr *)(file + sections_at);
	int fd = memfd_create("elf", MFD_CLOEXEC);

	TEST_TRUE(size <= sizeof(file));
	memset(file, 0, sizeof(file));
	memcpy(file + ELF_TEXT, b->code, sizeof(b->code));
	memcpy(eh->e_ident, ELFMAG, SELFMAG);
	eh->e_ident[EI_CLASS] = ELFCLASS64;
	eh->e_ident[EI_DATA] = b->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	eh->e_ident[EI_VERSION] = EV_CURRENT;
	SET(b, eh->e_type, ET_DYN);
	SET(b, eh->e_machine, b->machine);
	SET(b, eh->e_version, EV_CURRENT);
	SET(b, eh->e_entry, b->entry);
	SET(b, eh->e_phoff, sizeof(*eh));
	SET(b, eh->e_shoff, sections_at);
	SET(b, eh->e_ehsize, sizeof(*eh));
	SET(b, eh->e_phentsize, sizeof(*ph));
	SET(b, eh->e_phnum, 1);
	SET(b, eh->e_shentsize, sizeof(*sh));
	SET(b, eh->e_shnum, 4);
	SET(b, eh->e_shstrndx, 3);
	SET(b, ph->p_type, PT_LOAD);
	SET(b, ph->p_flags, PF_R | PF_X);
	SET(b, ph->p_filesz, size);
	SET(b, ph->p_memsz, size);
	SET(b, ph->p_align, 0x1000);

	SET(b, sh[1].sh_name, b->plt ? 27 : 1);
	SET(b, sh[1].sh_type, SHT_PROGBITS);
	SET(b, sh[1].sh_flags, SHF_ALLOC | SHF_EXECINSTR);
	SET(b, sh[1].sh_addr, ELF_TEXT);
	SET(b, sh[1].sh_offset, ELF_TEXT);
	SET(b, sh[1].sh_size, b->plt ? b->plt : ELF_TEXT_SIZE);
	SET(b, sh[2].sh_name, b->gopclntab ? 32 : 7);
	SET(b, sh[2].sh_type, SHT_PROGBITS);
	SET(b, sh[2].sh_flags, SHF_ALLOC);
	SET(b, sh[2].sh_addr, ELF_EH_FRAME);
	SET(b, sh[2].sh_offset, ELF_EH_FRAME);
	SET(b, sh[2].sh_size, frame_size);
	SET(b, sh[3].sh_name, 17);
	SET(b, sh[3].sh_type, SHT_STRTAB);
	SET(b, sh[3].sh_offset, names_at);
	SET(b, sh[3].sh_size, sizeof(names));

	memcpy(file + ELF_EH_FRAME, b->frame, b->frame_len);
	memcpy(file + names_at, names, sizeof(names));
	TEST_EQ(write(fd, file, size), size);
	return fd;
}
