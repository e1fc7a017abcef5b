/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * An ELF file in memory: its segments, and its sections by name or type. Headers are read
 * through libelf; sizes and offsets in it are not to be believed, and what this hands out lies
 * within the file.
 */
#ifndef PERF_UNWIND_ELF_ELF_IMAGE_H
#define PERF_UNWIND_ELF_ELF_IMAGE_H

#include <gelf.h>

#include "../core/bytes.h"
#include "../core/vec.h"

struct elf_load { /* a PT_LOAD segment */
	u64 offset, vaddr, filesz, memsz, align;
	bool exec;
};

struct elf_image {
	const struct unwind_env *env;
	struct unwind_file file;
	Elf *elf; /* NULL: not opened */
	GElf_Ehdr ehdr;
	VEC(struct elf_load) loads;
	struct bytes section_names;
	u64 nr_cuts; /* of string tables, each a search through what may be the whole file */
};

/*
 * Maps an ELF file.
 * @img: to be closed by elf_image__close() in any case
 * @env: whose memory and files are used; must live longer than @img
 * @fd: stays the caller's
 * @sparse: only headers, notes or small sections will be read
 * Returns: 0; -ENOEXEC if it is not an ELF file; -ENOMEM; or another -errno of what maps files.
 */
int elf_image__map(struct elf_image *img, const struct unwind_env *env, int fd, bool sparse);

/* Also of one that is closed, or all zero. */
void elf_image__close(struct elf_image *img);

/*
 * Finds a section.
 * @name: or NULL: the first
 * @type: of this type, SHT_*; not looked at with a name
 * @shdr: out: its header
 * Returns: NULL when there is none.
 */
Elf_Scn *elf_image__section(const struct elf_image *img, const char *name, u32 type,
			    GElf_Shdr *shdr);

/*
 * Returns: a section's bytes as in the file, not decompressed; empty if they are not in the file.
 */
struct bytes elf_image__bytes(const struct elf_image *img, const GElf_Shdr *shdr);

/* Returns: the bytes of the file that are mapped from @vaddr to the end of its segment, or none. */
struct bytes elf_image__bytes_at(const struct elf_image *img, u64 vaddr);

/*
 * Returns: the string table that is section number @section, cut off after its last NUL, so that
 * every offset in it is a string; empty: there is none.
 */
struct bytes elf_image__strings(struct elf_image *img, u32 section);

/* A compressed section: what its header says, and the stream behind that. */
struct elf_packed {
	u64 type;            /* ELFCOMPRESS_*; 0: it is not compressed */
	u64 size;            /* of what it unpacks to */
	struct bytes stream; /* empty: not all of the header is there */
};

/* Returns: what ELF's own header says, or the older one of sections that are called .zdebug_*. */
struct elf_packed elf_image__packed(const struct elf_image *img, const GElf_Shdr *shdr);

/* Returns: whether the size that a section claims is possible. */
bool elf_packed__is_sane(const struct elf_packed *p);

/*
 * Unpacks a section. What it claims to unpack to is allocated at once: see elf_packed__is_sane().
 * @env: whose memory is used
 * @len: out: the size of what is returned
 * Returns: the contents, to be freed with @env; NULL: the stream is damaged, this libelf does not
 *         know its kind of compression, or out of memory.
 */
void *elf_packed__inflate(const struct elf_packed *p, const struct unwind_env *env, size_t *len);

/*
 * Returns: the string at @offset of what elf_image__strings() has returned; NULL: behind its end.
 */
static inline const char *strings__at(struct bytes strings, u64 offset)
{
	return offset < strings.len ? (const char *)strings.data + offset : NULL;
}

/* The largest unit in which a kernel maps files: arm64 and others have pages of 4, 16 or 64 kB. */
#define ELF_PAGE_MAX 65536

/*
 * Finds the segment that a mapping of a file shows. Segments of code and data can share a page of
 * the file: code goes first. As mappings begin where a page does, an offset in front of a segment,
 * but in the same page as its begin, is the segment's; pages are of 4 kB.
 * @offset: of the mapping, in the file
 * @code_page: pages of code may have so many bytes, where nothing fits with 4 kB
 * Returns: NULL when there is none.
 */
const struct elf_load *elf_image__load_at(const struct elf_image *img, u64 offset, u64 code_page);

/*
 * Translates single addresses, which lie in their segment; what may be the begin of a mapping is
 * asked of elf_image__load_at().
 * @offset: in the file
 * @vaddr: out: the address as the file was linked
 * Returns: false when it is in no segment.
 */
bool elf_image__vaddr(const struct elf_image *img, u64 offset, u64 *vaddr);

/*
 * Finds where code was linked by a file that has its debug information alone. What such a file says
 * of offsets is not true of the other one, so the segment is known by its size.
 * @len: of the mapping of the code
 * @vaddr: out: of that mapping's begin
 * Returns: false when there is no such segment, or several.
 */
bool elf_image__code_of(const struct elf_image *debug, u64 len, u64 *vaddr);

/* Returns: whether the image has the other byte order. */
bool elf_image__is_swapped(const struct elf_image *img);

#endif
