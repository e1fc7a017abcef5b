// SPDX-License-Identifier: GPL-2.0-only
#include "module.h"

#include <gelf.h>
#include <string.h>

#define MAX_LOADS 64
#define MAX_ADDR (1ULL << 56)

static bool load__is_sane(const GElf_Phdr *ph, u64 file_size)
{
	return ph->p_vaddr < MAX_ADDR && ph->p_memsz < MAX_ADDR && ph->p_offset <= file_size &&
	       ph->p_filesz <= file_size - ph->p_offset && ph->p_filesz <= ph->p_memsz;
}

/* Where the dynamic linker starts to map: the page, or larger unit, of the first segment. */
static u64 first_vaddr(const GElf_Phdr *ph)
{
	u64 align = ph->p_align;

	if (align < 2 || align & (align - 1) || align > 1ULL << 32)
		return ph->p_vaddr;
	return ph->p_vaddr & -align;
}

static int module__read_loads(struct module *m)
{
	size_t nr;

	if (elf_getphdrnum(m->elf, &nr))
		return -EINVAL;
	for (size_t i = 0; i < nr && m->loads.nr < MAX_LOADS; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(m->elf, i, &mem);

		if (!ph || ph->p_type != PT_LOAD)
			continue;
		if (!load__is_sane(ph, m->image.size))
			return -EINVAL;
		if (!m->loads.nr)
			m->low = first_vaddr(ph);
		m->high = max_of(m->high, ph->p_vaddr + ph->p_memsz);
		*vec__push(&m->loads) = (struct module_load){
			.vaddr = ph->p_vaddr, .offset = ph->p_offset, .filesz = ph->p_filesz,
			.memsz = ph->p_memsz, .exec = ph->p_flags & PF_X,
		};
	}
	return m->loads.nr && m->low < m->high ? 0 : -EINVAL;
}

static int module__open(struct module *m, int fd, u16 machine)
{
	GElf_Ehdr mem, *eh;

	if (fd < 0 || mapfile__map(&m->image, fd))
		return -EINVAL;
	if (!m->image.data)
		return -EINVAL;
	/* libelf's interface lacks the const; it does not write to an image that is only read. */
	m->elf = elf_memory((char *)(uintptr_t)m->image.data, m->image.size);
	if (!m->elf || elf_kind(m->elf) != ELF_K_ELF || gelf_getclass(m->elf) != ELFCLASS64)
		return -EINVAL;
	eh = gelf_getehdr(m->elf, &mem);
	if (!eh || (machine != EM_NONE && eh->e_machine != machine) ||
	    (eh->e_type != ET_EXEC && eh->e_type != ET_DYN))
		return -EINVAL;
	m->machine = eh->e_machine;
	m->entry = eh->e_entry;
	return module__read_loads(m);
}

struct module *module__new(u32 id, int fd, u16 machine)
{
	struct module *m = xzalloc(sizeof(*m));

	m->id = id;
	m->image.slot = -1;
	elf_version(EV_CURRENT);
	m->bad = module__open(m, fd, machine) != 0;
	return m;
}

void module__free(struct module *m)
{
	if (!m)
		return;
	elf_end(m->elf);
	if (m->image.data)
		mapfile__unmap(&m->image);
	vec__free(&m->loads);
	free(m);
}

int module__bias(const struct module *m, const struct unwind_mapping *map, u64 *bias)
{
	/*
	 * Data segments of one page can share a file page with the code's, so code goes first.
	 * 64 kB: arm64 and others with large pages map from a multiple of theirs.
	 */
	static const struct { bool exec; u64 page; } passes[] = {
		{ true, 4096 }, { true, 65536 }, { false, 4096 },
	};

	for (size_t p = 0; p < ARRAY_SIZE(passes); p++) {
		for (size_t i = 0; i < m->loads.nr; i++) {
			const struct module_load *l = &m->loads.v[i];

			if (l->exec != passes[p].exec || map->pgoff >= l->offset + l->filesz ||
			    map->pgoff < (l->offset & -passes[p].page))
				continue;
			*bias = map->start - map->pgoff - (l->vaddr - l->offset);
			return 0;
		}
	}
	return -ENOENT;
}
