// SPDX-License-Identifier: GPL-2.0-only
#include "exported.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../base/hash.h"
#include "../elf/elf-file.h"

/*
 * Looking through the mappings of processes takes a tenth of the time at most: each is paid by so
 * many ns in which none are looked through, up to a credit. Others' processes can have 65,000 each,
 * and change one of them all the time.
 */
#define MAP_NS 1000
#define MAP_CREDIT_NS 10000000

struct exported {
	struct binaries *binaries;
	const char *symbol, *library;
	struct map64 by_dso; /* dso.id -> vaddr of the variable + 2; 1: it has none */
	u64 paid_until;      /* of the recording's clock: looking through mappings */
	u64 nr_maps;         /* that were looked at */
};

struct exported *exported__new(struct binaries *binaries, const char *symbol, const char *library)
{
	struct exported *x = xzalloc(sizeof(*x));

	x->binaries = binaries;
	x->symbol = symbol;
	x->library = library;
	return x;
}

void exported__free(struct exported *x)
{
	if (!x)
		return;
	map64__free(&x->by_dso);
	free(x);
}

void exported__forget(struct exported *x, const struct dso *dso)
{
	map64__del(&x->by_dso, dso->id);
}

/*
 * Calls @on for each symbol that is there, until it returns true, if names of the section have
 * @part in them. Returns: whether it did.
 */
static bool section__visit(struct elf_image *img, u32 type, const char *part,
			   bool (*on)(void *ctx, const char *name, u64 vaddr), void *ctx)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_image__section(img, NULL, type, &shdr);
	struct bytes names = scn ? elf_image__strings(img, shdr.sh_link) : (struct bytes){};
	Elf_Data *data;

	if (!names.len || !memmem(names.data, names.len, part, strlen(part)))
		return false;
	data = shdr.sh_entsize ? elf_getdata(scn, NULL) : NULL;
	for (size_t i = 1; data && i < data->d_size / shdr.sh_entsize; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF)
			continue;
		name = strings__at(names, sym.st_name);
		if (name && on(ctx, name, sym.st_value))
			return true;
	}
	return false;
}

struct wanted {
	const char *symbol;
	u64 vaddr;
};

static bool is_wanted(void *ctx, const char *name, u64 vaddr)
{
	struct wanted *w = ctx;

	w->vaddr = vaddr;
	return !strcmp(name, w->symbol);
}

static bool exported__may_be_in(const struct exported *x, const struct dso *dso)
{
	const char *slash = strrchr(dso->name, '/');

	return !x->library || strstr(slash ? slash + 1 : dso->name, x->library);
}

/* The vaddr of the variable in @dso; each is looked into once. */
static bool exported__in_dso(struct exported *x, const struct dso *dso, u64 *vaddr)
{
	u64 known = (uintptr_t)map64__get(&x->by_dso, dso->id);
	struct wanted w = { .symbol = x->symbol };
	struct elf_image img = {};
	bool found = false;
	int fd;

	if (!known) {
		fd = binaries__fd(x->binaries, dso);
		if (fd >= 0 && !elf_image__open_sparse(&img, fd))
			found = section__visit(&img, SHT_DYNSYM, x->symbol, is_wanted, &w) ||
				section__visit(&img, SHT_SYMTAB, x->symbol, is_wanted, &w);
		elf_image__close(&img);
		known = found ? w.vaddr + 2 : 1;
		map64__set(&x->by_dso, dso->id, (void *)(uintptr_t)known);
	}
	*vaddr = known - 2;
	return known > 1;
}

/* Returns: the address of what is at @vaddr of the file that @map shows; 0: it does not show it. */
static u64 exported__address(struct exported *x, const struct map *map, u64 vaddr)
{
	struct elf_image img = {};
	const struct elf_load *load = NULL;
	int fd = binaries__fd(x->binaries, map->dso);
	u64 addr = 0;

	if (fd >= 0 && !elf_image__open_sparse(&img, fd))
		load = elf_image__load_at(&img, map->pgoff, 4096);
	if (load)
		addr = map->start - map->pgoff + load->offset - load->vaddr + vaddr;
	elf_image__close(&img);
	return addr;
}

u64 exported__find(struct exported *x, const struct maps *maps, u64 *generation, u64 now)
{
	u64 before = x->nr_maps, vaddr, addr = 0;

	if (*generation == maps__generation(maps) || now + MAP_CREDIT_NS < x->paid_until)
		return 0;
	*generation = maps__generation(maps);
	for (const struct map *m = maps__next(maps, 0); m && !addr;
	     m = maps__next(maps, m->end), x->nr_maps++)
		if (m->dso->kind == DSO_USER && m->prot & PROT_EXEC &&
		    exported__may_be_in(x, m->dso) && exported__in_dso(x, m->dso, &vaddr))
			addr = exported__address(x, m, vaddr);
	x->paid_until = max_of(x->paid_until, now) + (x->nr_maps - before) * MAP_NS;
	return addr;
}

struct visit {
	const char *prefix;
	u64 delta;
	void (*on)(void *ctx, const char *name, u64 addr);
	void *ctx;
};

static bool visit__symbol(void *ctx, const char *name, u64 vaddr)
{
	const struct visit *v = ctx;
	size_t len = strlen(v->prefix);

	if (!strncmp(name, v->prefix, len))
		v->on(v->ctx, name + len, vaddr + v->delta);
	return false;
}

void exported__each(struct exported *x, const struct maps *maps, u64 addr, const char *prefix,
		    void (*on)(void *ctx, const char *name, u64 addr), void *ctx)
{
	struct visit v = { .prefix = prefix, .on = on, .ctx = ctx };

	for (const struct map *m = maps__next(maps, 0); m; m = maps__next(maps, m->end)) {
		struct elf_image img = {};
		u64 vaddr;
		int fd;

		if (m->dso->kind != DSO_USER || !(m->prot & PROT_EXEC) ||
		    !exported__may_be_in(x, m->dso) || !exported__in_dso(x, m->dso, &vaddr) ||
		    exported__address(x, m, vaddr) != addr)
			continue;
		fd = binaries__fd(x->binaries, m->dso);
		v.delta = addr - vaddr;
		if (fd >= 0 && !elf_image__open_sparse(&img, fd))
			section__visit(&img, SHT_DYNSYM, prefix, visit__symbol, &v);
		elf_image__close(&img);
		return;
	}
}

u64 exported__nr_maps(const struct exported *x)
{
	return x->nr_maps;
}
