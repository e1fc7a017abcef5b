// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "module.h"

#define MAX_ADDR (1ULL << 56)

static bool load__is_sane(const struct elf_load *l, u64 file_size)
{
	return l->vaddr < MAX_ADDR && l->memsz < MAX_ADDR && l->offset <= file_size &&
	       l->filesz <= file_size - l->offset && l->filesz <= l->memsz;
}

/* Where the dynamic linker starts to map: the page, or larger unit, of the first segment. */
static u64 first_vaddr(const struct elf_load *l)
{
	if (l->align < 2 || l->align & (l->align - 1) || l->align > 1ULL << 32)
		return l->vaddr;
	return l->vaddr & -l->align;
}

static int module__open(struct module *m, int fd, u16 machine)
{
	const struct elf_image *img = &m->image;
	int err = fd < 0 ? -EINVAL : elf_image__map(&m->image, m->env, fd, true);

	if (err)
		return err;
	if (img->ehdr.e_ident[EI_CLASS] != ELFCLASS64 ||
	    (machine != EM_NONE && img->ehdr.e_machine != machine) ||
	    (img->ehdr.e_type != ET_EXEC && img->ehdr.e_type != ET_DYN) || !img->loads.nr)
		return -EINVAL;
	m->low = first_vaddr(&img->loads.v[0]);
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		if (!load__is_sane(l, img->file.size))
			return -EINVAL;
		m->high = max_of(m->high, l->vaddr + l->memsz);
	}
	return m->low < m->high ? 0 : -EINVAL;
}

struct module *module__new(const struct unwind_env *env, u32 id, int fd, u16 machine)
{
	struct module *m = env__zalloc(env, sizeof(*m));
	int err;

	if (!m)
		return NULL;
	m->env = env;
	m->id = id;
	err = module__open(m, fd, machine);
	m->bad = err;
	m->no_memory = err == -ENOMEM;
	return m;
}

static bool has_cfi(const struct elf_image *img)
{
	GElf_Shdr shdr;

	return elf_image__section(img, ".debug_frame", 0, &shdr) ||
	       elf_image__section(img, ".zdebug_frame", 0, &shdr);
}

void module__add_debug(struct module *m, int fd)
{
	struct elf_image *img = &m->debug;

	if (elf_image__map(img, m->env, fd, true) || img->ehdr.e_ident[EI_CLASS] != ELFCLASS64 ||
	    img->ehdr.e_machine != m->image.ehdr.e_machine || !has_cfi(img))
		elf_image__close(img);
}

void module__free(struct module *m)
{
	if (!m)
		return;
	elf_image__close(&m->debug);
	elf_image__close(&m->image);
	env__free(m->env, m);
}

int module__bias(const struct module *m, const struct unwind_mapping *map, u64 *bias)
{
	const struct elf_load *l = elf_image__load_at(&m->image, map->pgoff, ELF_PAGE_MAX);

	if (!l)
		return -ENOENT;
	*bias = map->start - map->pgoff - (l->vaddr - l->offset);
	return 0;
}
