// SPDX-License-Identifier: GPL-2.0-only
#include "elf-added.h"

#include <stdlib.h>
#include <string.h>

#include "../io/write-all.h"

#define ADDED_PHDRS 2 /* the segment, and what points at the section */
#define SECTION_ALIGN 8
/* The file grows by what its segments have in memory only; more than this is no real program. */
#define HOLE_MAX (1ULL << 32)

static bool is_linked_elf64(const struct elf_image *img)
{
	return img->elf && img->ehdr.e_ident[EI_CLASS] == ELFCLASS64 &&
	       (img->ehdr.e_type == ET_EXEC || img->ehdr.e_type == ET_DYN) &&
	       img->loads.nr && img->ehdr.e_phentsize == sizeof(Elf64_Phdr);
}

/*
 * The segment goes behind all others, and has the distance of the first one between address and
 * offset.
 */
static int added__place(struct elf_added *a, const char *path, struct error *err)
{
	const struct elf_load *first = &a->img->loads.v[0];
	u64 top = a->img->file.size, shift = first->vaddr - first->offset, end;
	u64 align = ELF_PAGE_MAX;

	for (size_t i = 0; i < a->img->loads.nr; i++) {
		const struct elf_load *l = &a->img->loads.v[i];

		align = max_of(align, l->align);
		if (!__builtin_add_overflow(l->vaddr, l->memsz, &end) && end > shift)
			top = max_of(top, end - shift);
	}
	a->offset = align_up(top, align);
	if (align & (align - 1) || shift & (ELF_PAGE_MAX - 1) || a->offset < top ||
	    a->offset - a->img->file.size > HOLE_MAX)
		return error__set(err, -ENOTSUP, "'%s': its segments leave no address for another "
						 "one after them", path);
	a->segment_vaddr = a->offset + shift;
	return 0;
}

static void phdr__move_table(struct elf_added *a, Elf64_Phdr *ph)
{
	ph->p_offset = a->offset;
	ph->p_vaddr = ph->p_paddr = a->segment_vaddr;
	ph->p_filesz = ph->p_memsz = (u64)a->ehdr.e_phnum * sizeof(*ph);
}

/* The new segment stands behind the last one, in front of all else; see added__size() for sizes. */
static bool added__make_phdrs(struct elf_added *a)
{
	u32 nr = a->img->ehdr.e_phnum, out = 0, last = 0;
	GElf_Phdr ph;

	a->phdrs = calloc(nr + ADDED_PHDRS, sizeof(*a->phdrs));
	for (u32 i = 0; i < nr; i++)
		if (gelf_getphdr(a->img->elf, i, &ph) && ph.p_type == PT_LOAD)
			last = i;
	for (u32 i = 0; a->phdrs && i < nr; i++) {
		if (!gelf_getphdr(a->img->elf, i, &ph))
			return false;
		if (ph.p_type == PT_PHDR)
			phdr__move_table(a, &ph);
		if (ph.p_type == a->kind->segment_type) /* objcopy -R leaves an empty one */
			ph.p_type = PT_NULL;
		a->phdrs[out++] = ph;
		if (i == last)
			a->phdrs[out++] = (Elf64_Phdr){
				.p_type = PT_LOAD, .p_flags = PF_R, .p_offset = a->offset,
				.p_vaddr = a->segment_vaddr, .p_paddr = a->segment_vaddr,
				.p_align = ELF_PAGE_MAX,
			};
	}
	if (a->phdrs)
		a->phdrs[out] = (Elf64_Phdr){
			.p_type = a->kind->segment_type, .p_flags = PF_R,
			.p_offset = a->vaddr - a->segment_vaddr + a->offset,
			.p_vaddr = a->vaddr, .p_paddr = a->vaddr, .p_align = SECTION_ALIGN,
		};
	return a->phdrs;
}

/* All bytes of the old names, a NUL where their last one ends without, and the new one. */
static bool added__make_names(struct elf_added *a)
{
	const Elf64_Shdr *sh = &a->shdrs[a->ehdr.e_shstrndx];
	const struct unwind_file *file = &a->img->file;
	size_t name = strlen(a->kind->name) + 1;

	if (sh->sh_type != SHT_STRTAB || !sh->sh_size || sh->sh_offset > file->size ||
	    sh->sh_size > file->size - sh->sh_offset)
		return false;
	a->names_size = sh->sh_size + 1 + name;
	a->names = malloc(a->names_size);
	if (!a->names)
		return false;
	memcpy(a->names, file->data + sh->sh_offset, sh->sh_size);
	a->names[sh->sh_size] = '\0';
	memcpy(a->names + sh->sh_size + 1, a->kind->name, name);
	return true;
}

static bool added__make_shdrs(struct elf_added *a)
{
	u32 nr = a->img->ehdr.e_shnum;
	GElf_Shdr sh;

	a->shdrs = calloc(nr + 1, sizeof(*a->shdrs));
	for (u32 i = 0; a->shdrs && i < nr; i++) {
		if (!gelf_getshdr(elf_getscn(a->img->elf, i), &sh))
			return false;
		a->shdrs[i] = sh;
	}
	if (!a->shdrs || !added__make_names(a))
		return false;
	a->shdrs[nr] = (Elf64_Shdr){
		.sh_name = a->names_size - strlen(a->kind->name) - 1,
		.sh_type = a->kind->section_type, .sh_flags = SHF_ALLOC, .sh_addr = a->vaddr,
		.sh_offset = a->vaddr - a->segment_vaddr + a->offset, .sh_addralign = SECTION_ALIGN,
	};
	return true;
}

static bool added__is_there(const struct elf_added *a)
{
	GElf_Shdr shdr;
	GElf_Phdr ph;

	for (u32 i = 0; i < a->img->ehdr.e_phnum; i++)
		if (gelf_getphdr(a->img->elf, i, &ph) && ph.p_type == a->kind->segment_type &&
		    ph.p_filesz)
			return true;
	return elf_image__section(a->img, a->kind->name, 0, &shdr) && shdr.sh_size;
}

static int added__check(const struct elf_added *a, const char *path, struct error *err)
{
	if (!is_linked_elf64(a->img))
		return error__set(err, -ENOEXEC, "'%s' is not a linked program or library of "
				  "64 bits", path);
	if (added__is_there(a))
		return error__set(err, -EEXIST, "'%s' has a section %s already: objcopy "
				  "--remove-section removes it", path, a->kind->name);
	if (a->img->ehdr.e_phnum > PN_XNUM - 1 - ADDED_PHDRS ||
	    a->img->ehdr.e_shnum >= SHN_LORESERVE - 1 ||
	    (a->img->ehdr.e_shnum ? a->img->ehdr.e_shstrndx >= a->img->ehdr.e_shnum :
				    a->img->ehdr.e_shoff != 0))
		return error__set(err, -ENOTSUP, "'%s' has too many sections or segments for one "
				  "more", path);
	return 0;
}

int elf_added__plan(struct elf_added *a, const struct elf_image *img,
		    const struct elf_added_kind *kind, const char *path, struct error *err)
{
	int ret;

	*a = (struct elf_added){ .img = img, .kind = kind };
	ret = added__check(a, path, err) ?: added__place(a, path, err);
	if (ret)
		return ret;
	a->ehdr = img->ehdr;
	a->ehdr.e_phnum += ADDED_PHDRS;
	a->ehdr.e_phoff = a->offset;
	a->vaddr = a->segment_vaddr + (u64)a->ehdr.e_phnum * sizeof(Elf64_Phdr);
	if (added__make_phdrs(a) && (!img->ehdr.e_shnum || added__make_shdrs(a)))
		return 0;
	return error__set(err, -ENOEXEC, "'%s': its headers cannot be read", path);
}

/* Sets what depends on the size of the section. Returns: the offset of the section headers. */
static u64 added__size(struct elf_added *a, u64 size)
{
	u64 in_segment = a->vaddr - a->segment_vaddr + size, names = a->offset + in_segment;

	for (u32 i = 0; i < a->ehdr.e_phnum; i++) {
		Elf64_Phdr *ph = &a->phdrs[i];

		if (ph->p_type == PT_LOAD && ph->p_vaddr == a->segment_vaddr)
			ph->p_filesz = ph->p_memsz = in_segment;
		else if (ph->p_type == a->kind->segment_type && ph->p_vaddr == a->vaddr)
			ph->p_filesz = ph->p_memsz = size;
	}
	if (!a->shdrs)
		return 0;
	a->shdrs[a->img->ehdr.e_shnum].sh_size = size;
	a->shdrs[a->ehdr.e_shstrndx].sh_offset = names;
	a->shdrs[a->ehdr.e_shstrndx].sh_size = a->names_size;
	a->ehdr.e_shnum = a->img->ehdr.e_shnum + 1;
	a->ehdr.e_shoff = align_up(names + a->names_size, SECTION_ALIGN);
	return a->ehdr.e_shoff;
}

/* Bytes in the byte order of the file, @size of @type. Returns: 0 or -errno. */
static int put(const struct elf_added *a, int fd, const void *p, size_t size, Elf_Type type)
{
	Elf_Data to = { .d_size = size, .d_version = EV_CURRENT }, from = to;
	int ret = -ENOMEM;

	to.d_buf = malloc(size ?: 1);
	from.d_buf = (void *)p;
	from.d_type = to.d_type = type;
	if (to.d_buf && elf64_xlatetof(&to, &from, a->ehdr.e_ident[EI_DATA]))
		ret = write_all(fd, to.d_buf, size, NULL);
	free(to.d_buf);
	return ret;
}

/* A hole where the file can have one. */
static int put_zeros(int fd, u64 size)
{
	static const u8 zeros[4096];
	int ret = 0;

	if (size >= sizeof(zeros) && lseek(fd, size, SEEK_CUR) >= 0)
		return 0;
	for (; size && !ret; size -= min_of(size, (u64)sizeof(zeros)))
		ret = write_all(fd, zeros, min_of(size, (u64)sizeof(zeros)), NULL);
	return ret;
}

int elf_added__write(struct elf_added *a, int fd, struct bytes section)
{
	const struct unwind_file *file = &a->img->file;
	u64 shoff = added__size(a, section.len);
	u64 behind_names = a->offset + a->vaddr - a->segment_vaddr + section.len + a->names_size;
	int ret;

	ret = put(a, fd, &a->ehdr, sizeof(a->ehdr), ELF_T_EHDR) ?:
	      write_all(fd, file->data + sizeof(a->ehdr), file->size - sizeof(a->ehdr), NULL) ?:
	      put_zeros(fd, a->offset - file->size) ?:
	      put(a, fd, a->phdrs, a->ehdr.e_phnum * sizeof(*a->phdrs), ELF_T_PHDR) ?:
	      write_all(fd, section.data, section.len, NULL);
	if (ret || !a->shdrs)
		return ret;
	return write_all(fd, a->names, a->names_size, NULL) ?:
	       put_zeros(fd, shoff - behind_names) ?:
	       put(a, fd, a->shdrs, a->ehdr.e_shnum * sizeof(*a->shdrs), ELF_T_SHDR);
}

void elf_added__free(struct elf_added *a)
{
	free(a->phdrs);
	free(a->shdrs);
	free(a->names);
	*a = (struct elf_added){};
}
