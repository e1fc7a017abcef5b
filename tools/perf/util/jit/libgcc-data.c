// SPDX-License-Identifier: GPL-2.0-only
#include "libgcc-data.h"

#include <string.h>
#include <sys/mman.h>

#include "../elf/elf-file.h"

#define LIBRARY "libgcc_s.so"
#define MAX_MAPS 4096

static bool map__is_libgcc(const struct map *map)
{
	const char *name = strrchr(map->dso->name, '/');

	return map->dso->kind == DSO_USER && map->prot & PROT_EXEC && name &&
	       !strncmp(name + 1, LIBRARY, strlen(LIBRARY));
}

/* The last segment, of the library that @map has the code of. */
static bool map__data(const struct map *map, struct binaries *binaries, u64 *addr, u64 *size)
{
	const struct elf_load *code = NULL, *last = NULL;
	int fd = binaries__fd(binaries, map->dso);
	struct elf_image img = {};
	bool found;

	if (fd >= 0 && !elf_image__open_sparse(&img, fd))
		code = elf_image__load_at(&img, map->pgoff, 4096);
	for (size_t i = 0; i < img.loads.nr; i++)
		if (!last || img.loads.v[i].vaddr > last->vaddr)
			last = &img.loads.v[i];
	found = code && last && !last->exec;
	if (found) {
		*addr = align_up(last->vaddr, 8) + map->start - map->pgoff + code->offset -
			code->vaddr;
		*size = last->memsz & -8ULL;
	}
	elf_image__close(&img);
	return found;
}

bool libgcc_data__find(const struct maps *maps, struct binaries *binaries, u64 *addr, u64 *size)
{
	const struct map *m = maps__next(maps, 0);

	for (u32 i = 0; m && i < MAX_MAPS; i++, m = maps__next(maps, m->end))
		if (map__is_libgcc(m))
			return map__data(m, binaries, addr, size);
	return false;
}
