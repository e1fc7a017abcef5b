// SPDX-License-Identifier: GPL-2.0-only
#include "kernel-debug.h"

#include <string.h>

#include "../binary/recorded-kernel.h"
#include "../dwarf/relocate.h"

static u64 key_of(const char *name, u64 addr)
{
	return hash_bytes(name, strlen(name)) ^ hash_u64(addr);
}

static bool note_symbol(void *ctx, const char *name, u64 addr)
{
	struct kernel_debug *d = ctx;

	map64__set(&d->known, key_of(name, addr), d);
	return true;
}

/* Where the kernel begins: what a recording's map of it says is of one of two symbols. */
struct begin {
	const char *name;
	u64 addr;
	bool found;
};

static bool find_begin(void *ctx, const char *name, u64 addr)
{
	struct begin *b = ctx;

	b->found = !strcmp(name, b->name);
	b->addr = addr;
	return !b->found;
}

static int read_file(struct kernel_debug *d, struct begin *begin)
{
	struct elf_layout layout;
	struct elf_image img;
	int err = elf_image__open(&img, d->file.fd);

	if (!err) {
		elf_layout__init(&layout, &img);
		if (d->is_module)
			elf_layout__symbols(&layout, &img, note_symbol, d);
		else
			elf_layout__symbols(&layout, &img, find_begin, begin);
		elf_layout__free(&layout);
	}
	elf_image__close(&img);
	return err;
}

static int open_kernel(struct kernel_debug *d, struct kernel_symbols *k, struct binaries *b,
		       const struct dso *dso)
{
	const struct recording *r = machine__recording(k->machine);
	const struct map *map = machine__kernel_map(k->machine);
	struct build_id id = machine__kernel_build_id(k->machine);
	struct begin begin = {};
	int err;

	err = k->opts->vmlinux && k->vmlinux.elf ?
	      dwarf_file__open_path(k->opts->vmlinux, &d->file) :
	      dwarf_file__open_kernel(b, dso, &id, r ? r->osrelease : NULL, &d->file);
	/* The table is of the very same build, linked for the same addresses. */
	if (err || k->vmlinux.elf)
		return err;
	begin.name = map && strstr(map->dso->path, "_stext") ? "_stext" : "_text";
	err = read_file(d, &begin);
	if (err || !map || !map->pgoff || !begin.found)
		return err ?: -ENOENT;
	d->distance = k->shift - map->pgoff + begin.addr;
	return 0;
}

static int open_module(struct kernel_debug *d, struct kernel_symbols *k, struct binaries *b,
		       const struct dso *dso)
{
	const struct recording *r = machine__recording(k->machine);
	int err;

	d->is_module = true;
	err = dwarf_file__open_kernel(b, dso, &dso->build_id, r ? r->osrelease : NULL, &d->file);
	return err ?: read_file(d, NULL);
}

int kernel_debug__open(struct kernel_debug *d, struct kernel_symbols *k, struct binaries *b,
		       const struct dso *dso)
{
	int err;

	*d = (struct kernel_debug){ .file.fd = -ENOENT, .machine = k->machine };
	kernel_symbols__load(k);
	if (k->err)
		return -ENOENT;
	err = dso->kind == DSO_KERNEL ? open_kernel(d, k, b, dso) : open_module(d, k, b, dso);
	if (err)
		dwarf_file__close(&d->file);
	d->is_there = !err;
	return err;
}

void kernel_debug__free(struct kernel_debug *d)
{
	map64__free(&d->known);
}

bool kernel_debug__addr(const struct kernel_debug *d, const struct dso *dso,
			const struct symbol *symbol, u64 *addr)
{
	const struct map *map;

	if (!d->is_there)
		return false;
	if (!d->is_module) {
		*addr += d->distance;
		return true;
	}
	map = machine__find_map(d->machine, NULL, PERF_RECORD_MISC_KERNEL, *addr);
	if (!map || map->dso != dso || !symbol ||
	    !map64__get(&d->known, key_of(symbol->name, symbol->start - map->start)))
		return false;
	*addr -= map->start;
	return true;
}
