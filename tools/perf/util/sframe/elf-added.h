/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A copy of a linked ELF file that has one more section, which is loaded: a segment of its own and
 * a program header that points at it. Nothing of the file moves but its program headers, which
 * have no room where they are, and the section headers and their names: these are behind the
 * original bytes. The program headers lie in the new segment, at the same distance from the file's
 * first segment as in the file, so that kernels and dynamic linkers find them by either way of
 * counting.
 *
 *	elf_added__plan(&a, &img, &kind, &err)   a.vaddr is where the section will be
 *	elf_added__write(&a, fd, section, &err)
 *	elf_added__free(&a)
 *
 * Sources: the ELF specification (gABI); load_elf_binary() of Linux for where it looks for the
 * program headers.
 */
#ifndef PERF_SFRAME_ELF_ADDED_H
#define PERF_SFRAME_ELF_ADDED_H

#include "../base/error.h"
#include "../elf/elf-file.h"

/* What is added. */
struct elf_added_kind {
	const char *name;  /* of the section */
	u32 section_type;  /* SHT_* */
	u32 segment_type;  /* PT_*, of the program header that points at it */
};

struct elf_added {
	const struct elf_image *img;
	const struct elf_added_kind *kind;
	u64 vaddr;         /* of the section */
	/* The rest is its own. */
	u64 offset;        /* in the copy: of the new segment, which begins with the headers */
	u64 segment_vaddr;
	Elf64_Ehdr ehdr;   /* of the copy, as are: */
	Elf64_Phdr *phdrs; /* ehdr.e_phnum of them */
	Elf64_Shdr *shdrs; /* ehdr.e_shnum of them; NULL: it has none */
	char *names;       /* of the sections */
	size_t names_size;
};

/*
 * Finds where the section goes.
 * @a: filled; for elf_added__free(), also on failure
 * @img: of a program or library of 64 bits; must live as long as @a
 * @kind: must live as long, too
 * @path: of the file, for messages
 * Returns: 0; -errno with words: it is no such file, has such a section already, or no room.
 */
int elf_added__plan(struct elf_added *a, const struct elf_image *img,
		    const struct elf_added_kind *kind, const char *path, struct error *err);

/*
 * Writes the copy.
 * @fd: an empty file, or a pipe; stays the caller's
 * @section: what is in the section
 * Returns: 0; -errno: it cannot be written.
 */
int elf_added__write(struct elf_added *a, int fd, struct bytes section);

/* Frees what it has; what is all zero is fine. */
void elf_added__free(struct elf_added *a);

#endif
