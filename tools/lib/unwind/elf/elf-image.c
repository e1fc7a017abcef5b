// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <string.h>

#include "elf-image.h"

#define MAX_LOADS 256
#define MAX_HEADERS 65536 /* of sections, and of segments: libelf keeps 200 bytes of each */
#define PAGE 4096ULL
/* Deflate makes at most 1032 bytes of one. */
#define MAX_INFLATION 1040

/* False: out of memory. */
static bool elf_image__read_loads(struct elf_image *img)
{
	struct elf_load *load;
	size_t nr;

	if (elf_getphdrnum(img->elf, &nr))
		return true;
	for (size_t i = 0; i < nr && img->loads.nr < MAX_LOADS; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(img->elf, i, &mem);

		if (!ph || ph->p_type != PT_LOAD)
			continue;
		load = vec__add(img->env, &img->loads);
		if (!load)
			return false;
		*load = (struct elf_load){
			.offset = ph->p_offset, .vaddr = ph->p_vaddr, .filesz = ph->p_filesz,
			.memsz = ph->p_memsz, .align = ph->p_align, .exec = ph->p_flags & PF_X,
		};
	}
	return true;
}

/* Checked only once: elf_strptr() would search for the last NUL with each call. */
struct bytes elf_image__strings(struct elf_image *img, u32 section)
{
	Elf_Scn *scn = elf_getscn(img->elf, section);
	GElf_Shdr shdr;
	struct bytes b = {};

	if (scn && gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_STRTAB)
		b = elf_image__bytes(img, &shdr);
	img->nr_cuts++;
	while (b.len && b.data[b.len - 1])
		b.len--;
	return b;
}

/*
 * Numbers of headers that do not fit into the ELF header are in section 0 (System V ABI,
 * "Sections": e_shnum of 0, PN_XNUM). A sparse file may claim billions of headers, and libelf would
 * allocate memory for each.
 */
static bool has_sane_tables(struct bytes file)
{
	bool big = file.len > EI_DATA && file.data[EI_DATA] == ELFDATA2MSB;
	bool wide = file.len > EI_CLASS && file.data[EI_CLASS] == ELFCLASS64;
	struct cursor c = cursor__init(file.data, file.len,
				       big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	u64 off, nr_sections;
	u32 nr_segments;

	c.pos = min_of(file.len, wide ? offsetof(Elf64_Ehdr, e_shoff) :
					offsetof(Elf32_Ehdr, e_shoff));
	off = wide ? cursor__u64(&c) : cursor__u32(&c);
	if (c.bad || off >= file.len)
		return true; /* there are no sections: what the header says fits into 16 bits */
	c.pos = off;
	cursor__take(&c, wide ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size));
	nr_sections = wide ? cursor__u64(&c) : cursor__u32(&c);
	cursor__u32(&c); /* sh_link */
	nr_segments = cursor__u32(&c);
	return c.bad || (nr_sections <= MAX_HEADERS && nr_segments <= MAX_HEADERS);
}

int elf_image__map(struct elf_image *img, const struct unwind_env *env, int fd, bool sparse)
{
	unsigned int sparsely = sparse ? UNWIND_FILE_SPARSE : 0;
	size_t names;
	int err;

	memset(img, 0, sizeof(*img));
	img->env = env;
	elf_version(EV_CURRENT);
	/* libelf would crash without: it changes headers in place when it decompresses. */
	err = env__map(env, fd, UNWIND_FILE_WRITABLE | sparsely, &img->file);
	if (err)
		return err;
	if (img->file.size && has_sane_tables((struct bytes){ img->file.data, img->file.size }))
		img->elf = elf_memory((char *)(uintptr_t)img->file.data, img->file.size);
	if (!img->elf || elf_kind(img->elf) != ELF_K_ELF || !gelf_getehdr(img->elf, &img->ehdr)) {
		elf_image__close(img);
		return -ENOEXEC;
	}
	if (!elf_image__read_loads(img)) {
		elf_image__close(img);
		return -ENOMEM;
	}
	if (!elf_getshdrstrndx(img->elf, &names))
		img->section_names = elf_image__strings(img, names);
	return 0;
}

void elf_image__close(struct elf_image *img)
{
	elf_end(img->elf);
	if (img->env) {
		env__unmap(img->env, &img->file);
		vec__drop(img->env, &img->loads);
	}
	img->elf = NULL;
}

Elf_Scn *elf_image__section(const struct elf_image *img, const char *name, u32 type,
			    GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	const char *s;

	while (img->elf && (scn = elf_nextscn(img->elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, shdr))
			continue;
		if (!name) {
			if (shdr->sh_type == type)
				return scn;
			continue;
		}
		s = strings__at(img->section_names, shdr->sh_name);
		if (s && !strcmp(s, name))
			return scn;
	}
	return NULL;
}

struct bytes elf_image__bytes(const struct elf_image *img, const GElf_Shdr *shdr)
{
	struct bytes none = {};

	if (shdr->sh_type == SHT_NOBITS || shdr->sh_offset > img->file.size ||
	    shdr->sh_size > img->file.size - shdr->sh_offset)
		return none;
	return (struct bytes){ .data = img->file.data + shdr->sh_offset, .len = shdr->sh_size };
}

/* System V ABI, "Section Compression". */
static struct elf_packed packed__read(struct bytes section, bool wide, bool swap)
{
	struct cursor c = cursor__init(section.data, section.len, swap);
	struct elf_packed p = { .type = cursor__u32(&c) };

	if (wide)
		cursor__u32(&c);
	p.size = wide ? cursor__u64(&c) : cursor__u32(&c);
	cursor__take(&c, wide ? sizeof(u64) : sizeof(u32)); /* the alignment */
	if (!c.bad)
		p.stream = (struct bytes){ c.data + c.pos, cursor__left(&c) };
	return p;
}

/* How GNU ld compressed sections before the ELF standard had a way. */
static struct elf_packed packed__read_gnu(struct bytes section)
{
	bool swap = __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__;
	struct cursor c = cursor__init(section.data, section.len, swap);
	const char *magic = cursor__take(&c, 4);
	struct elf_packed p = { .type = ELFCOMPRESS_ZLIB };

	p.size = cursor__u64(&c);
	if (!c.bad && !memcmp(magic, "ZLIB", 4))
		p.stream = (struct bytes){ c.data + c.pos, cursor__left(&c) };
	return p;
}

struct elf_packed elf_image__packed(const struct elf_image *img, const GElf_Shdr *shdr)
{
	static const char gnu[] = ".zdebug_";
	const char *name = strings__at(img->section_names, shdr->sh_name);
	struct bytes section = elf_image__bytes(img, shdr);

	if (section.data && shdr->sh_flags & SHF_COMPRESSED)
		return packed__read(section, img->ehdr.e_ident[EI_CLASS] == ELFCLASS64,
				    elf_image__is_swapped(img));
	if (section.data && name && !strncmp(name, gnu, strlen(gnu)))
		return packed__read_gnu(section);
	return (struct elf_packed){};
}

bool elf_packed__is_sane(const struct elf_packed *p)
{
	return p->stream.data && p->size && p->size <= SIZE_MAX / 2 &&
	       (p->type != ELFCOMPRESS_ZLIB || p->size / MAX_INFLATION <= p->stream.len);
}

struct bytes elf_image__bytes_at(const struct elf_image *img, u64 vaddr)
{
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];
		u64 off = vaddr - l->vaddr, len;

		if (vaddr < l->vaddr || off >= l->filesz || l->offset > img->file.size)
			continue;
		len = min_of(l->filesz, img->file.size - l->offset);
		if (off < len)
			return (struct bytes){ img->file.data + l->offset + off, len - off };
	}
	return (struct bytes){};
}

static const struct elf_load *load_at(const struct elf_image *img, u64 offset, bool exec, u64 page)
{
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		if (l->exec == exec && offset >= (l->offset & -page) &&
		    (offset < l->offset || offset - l->offset < l->filesz))
			return l;
	}
	return NULL;
}

const struct elf_load *elf_image__load_at(const struct elf_image *img, u64 offset, u64 code_page)
{
	return load_at(img, offset, true, PAGE) ?: load_at(img, offset, true, code_page) ?:
	       load_at(img, offset, false, PAGE);
}

bool elf_image__vaddr(const struct elf_image *img, u64 offset, u64 *vaddr)
{
	const struct elf_load *l = elf_image__load_at(img, offset, PAGE);

	if (l)
		*vaddr = l->vaddr + (offset - l->offset);
	return l;
}

bool elf_image__code_of(const struct elf_image *debug, u64 len, u64 *vaddr)
{
	u32 nr = 0;

	for (size_t i = 0; i < debug->loads.nr; i++) {
		const struct elf_load *l = &debug->loads.v[i];
		u64 start = l->vaddr & -PAGE;

		if (!l->exec || align_up(l->vaddr + l->memsz, PAGE) - start != align_up(len, PAGE))
			continue;
		*vaddr = start;
		nr++;
	}
	return nr == 1;
}

bool elf_image__is_swapped(const struct elf_image *img)
{
	return img->ehdr.e_ident[EI_DATA] !=
	       (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
}
