// SPDX-License-Identifier: GPL-2.0-only
#include "gdb-jit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/budget.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../elf/elf-file.h"
#include "../io/procfile.h"
#include "gdb-object.h"
#include "jit-dir.h"

#define DESCRIPTOR "__jit_debug_descriptor"
#define LOOK_AGAIN 10000000   /* ns */
#define MAX_OBJECT (64u << 20)
#define MAX_OBJECTS 100000    /* of a process */
#define MAX_READ (2ull << 30) /* bytes, of all processes that run */

/* As the interface has them, on machines of 64 bits. */
struct descriptor {
	u32 version, action;
	u64 relevant, first;
};

struct entry {
	u64 next, prev, object, size;
};

struct process {
	u32 pid, maps;        /* maps__id() */
	u64 generation;       /* of the maps that were looked through */
	u64 looked;           /* CLOCK_MONOTONIC */
	u64 time;             /* of the record then */
	u64 descriptor;       /* its address; 0: none so far */
	int mem;              /* /proc/PID/mem; -1: not opened, or not ours */
	bool given_up;
	u64 relevant, first;  /* when it was looked at last */
	struct map64 seen;    /* hashes of entries */
	u64 bytes;            /* of objects that were read */
	struct jitdump_out out;
};

struct gdb_jit {
	struct gdb_jit_opts opts;
	struct map64 by_pid;  /* -> struct process */
	struct map64 by_dso;  /* dso.id -> vaddr of the descriptor + 2; 1: it has none */
	struct budget bytes;
};

struct gdb_jit *gdb_jit__new(const struct gdb_jit_opts *opts)
{
	struct gdb_jit *g = xzalloc(sizeof(*g));

	g->opts = *opts;
	g->bytes.left = MAX_READ;
	return g;
}

static void gdb_jit__drop(struct gdb_jit *g, struct process *p)
{
	budget__give_back(&g->bytes, p->bytes);
	if (p->mem >= 0)
		close(p->mem);
	if (p->out.fd >= 0)
		close(p->out.fd);
	map64__free(&p->seen);
	free(p);
}

void gdb_jit__free(struct gdb_jit *g)
{
	if (!g)
		return;
	map64__for_each(&g->by_pid, slot)
		gdb_jit__drop(g, slot->value);
	map64__free(&g->by_pid);
	map64__free(&g->by_dso);
	free(g);
}

void gdb_jit__exit(struct gdb_jit *g, u32 pid)
{
	struct process *p = map64__del(&g->by_pid, pid);

	if (p)
		gdb_jit__drop(g, p);
}

void gdb_jit__forget(struct gdb_jit *g, const struct dso *dso)
{
	map64__del(&g->by_dso, dso->id);
}

static bool section__finds(struct elf_image *img, u32 type, u64 *vaddr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_image__section(img, NULL, type, &shdr);
	struct bytes names = scn ? elf_image__strings(img, shdr.sh_link) : (struct bytes){};
	Elf_Data *data;

	if (!names.len || !memmem(names.data, names.len, DESCRIPTOR, strlen(DESCRIPTOR)))
		return false;
	data = shdr.sh_entsize ? elf_getdata(scn, NULL) : NULL;
	for (size_t i = 1; data && i < data->d_size / shdr.sh_entsize; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF)
			continue;
		name = strings__at(names, sym.st_name);
		if (name && !strcmp(name, DESCRIPTOR)) {
			*vaddr = sym.st_value;
			return true;
		}
	}
	return false;
}

/* The vaddr of the descriptor in @dso; each is looked into once. */
static bool gdb_jit__in_dso(struct gdb_jit *g, const struct dso *dso, u64 *vaddr)
{
	u64 known = (uintptr_t)map64__get(&g->by_dso, dso->id);
	struct elf_image img = {};
	bool found = false;
	int fd;

	if (!known) {
		fd = binaries__fd(g->opts.binaries, dso);
		if (fd >= 0 && !elf_image__open_sparse(&img, fd))
			found = section__finds(&img, SHT_DYNSYM, vaddr) ||
				section__finds(&img, SHT_SYMTAB, vaddr);
		elf_image__close(&img);
		known = found ? *vaddr + 2 : 1;
		map64__set(&g->by_dso, dso->id, (void *)(uintptr_t)known);
	}
	*vaddr = known - 2;
	return known > 1;
}

/* The address of what is at @vaddr of the file that @map shows. */
static bool gdb_jit__address(struct gdb_jit *g, const struct map *map, u64 vaddr, u64 *addr)
{
	struct elf_image img = {};
	const struct elf_load *load = NULL;
	int fd = binaries__fd(g->opts.binaries, map->dso);

	if (fd >= 0 && !elf_image__open_sparse(&img, fd))
		load = elf_image__load_at(&img, map->pgoff, 4096);
	if (load)
		*addr = map->start - map->pgoff + load->offset - load->vaddr + vaddr;
	elf_image__close(&img);
	return load;
}

static void gdb_jit__find(struct gdb_jit *g, struct process *p, const struct maps *maps)
{
	u64 vaddr;

	if (p->generation == maps__generation(maps))
		return;
	p->generation = maps__generation(maps);
	for (const struct map *m = maps__next(maps, 0); m; m = maps__next(maps, m->end))
		if (m->dso->kind == DSO_USER && m->prot & PROT_EXEC &&
		    gdb_jit__in_dso(g, m->dso, &vaddr) &&
		    gdb_jit__address(g, m, vaddr, &p->descriptor))
			return;
}

static bool read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	const struct process *p = ctx;

	return addr <= INT64_MAX && pread(p->mem, to, size, addr) == (ssize_t)size;
}

/* Memory of this user's own processes only: see the top of the header. */
static bool process__open_memory(struct process *p)
{
	char path[64];
	int dir;

	if (p->mem >= 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%u", p->pid);
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0) {
		/* First the memory: whoever the process becomes later, it is that of before. */
		p->mem = openat(dir, "mem", O_RDONLY | O_CLOEXEC);
		if (p->mem >= 0 && !procfile__is_of_user(dir, geteuid())) {
			close(p->mem);
			p->mem = -1;
		}
		close(dir);
	}
	p->given_up = p->mem < 0;
	return !p->given_up;
}

static struct process *gdb_jit__process(struct gdb_jit *g, const struct thread *t)
{
	struct process *p = map64__get(&g->by_pid, t->pid);

	if (p && p->maps == maps__id(t->maps))
		return p;
	if (p)
		gdb_jit__drop(g, p);
	p = xzalloc(sizeof(*p));
	p->pid = t->pid;
	p->maps = maps__id(t->maps);
	p->generation = ~0ULL;
	p->mem = p->out.fd = -1;
	map64__set(&g->by_pid, t->pid, p);
	return p;
}

static int gdb_jit__begin(struct gdb_jit *g, struct process *p, const struct thread *t, u64 time)
{
	char path[PATH_MAX];
	int fd;

	p->out.pid = p->pid;
	snprintf(path, sizeof(path), "%s/jit-%u.dump", g->opts.dir, p->pid);
	p->out.fd = jit_dir__create(g->opts.dir, path);
	if (p->out.fd < 0) {
		pr_debug("%s: code of process %u is not written: %s\n", g->opts.dir, p->pid,
			 strerror(-p->out.fd));
		p->given_up = true;
		return 0;
	}
	if (jitdump_out__begin(&p->out, jit_elf__native_machine())) {
		p->given_up = true;
		return 0;
	}
	fd = fcntl(p->out.fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || jit_dumps__add_own(g->opts.dumps, t, path, fd))
		p->given_up = true;
	return p->given_up ? 0 : g->opts.on_file(g->opts.ctx, p->pid, path, time);
}

static void process__object(struct gdb_jit *g, struct process *p, const struct entry *e)
{
	const struct jit_memory memory = { read_memory, p };
	u8 *data;

	if (!e->size)
		return;
	if (e->size > MAX_OBJECT || !budget__take(&g->bytes, e->size)) {
		jit_dumps__leave_out(g->opts.dumps);
		return;
	}
	p->bytes += e->size;
	data = xmalloc(e->size);
	if (read_memory(p, e->object, data, e->size) &&
	    gdb_object__write(data, e->size, &memory, &p->out) < 0)
		pr_debug("an object of process %u is not an ELF file that can be read\n", p->pid);
	free(data);
}

/* New entries are in front of the list. Returns whether there was one; takes them, if wanted. */
static bool gdb_jit__walk(struct gdb_jit *g, struct process *p, u64 first, bool take)
{
	struct entry e;
	u64 at = first;
	int nr = 0;

	for (; at && nr < MAX_OBJECTS && read_memory(p, at, &e, sizeof(e)); at = e.next, nr++) {
		u64 key = hash_u64(at) ^ hash_u64(e.object + 1) ^ e.size;

		if (map64__get(&p->seen, key))
			break;
		if (!take)
			return true;
		map64__set(&p->seen, key, (void *)1);
		process__object(g, p, &e);
	}
	if (nr == MAX_OBJECTS)
		jit_dumps__leave_out(g->opts.dumps);
	return nr > 0;
}

/* Code that is found now may have been there since the last look. */
static int gdb_jit__read(struct gdb_jit *g, struct process *p, const struct thread *t, u64 time)
{
	struct descriptor d;
	int ret = 0;

	if (!read_memory(p, p->descriptor, &d, sizeof(d)) || d.version != 1 ||
	    (d.first == p->first && d.relevant == p->relevant))
		return 0;
	p->first = d.first;
	p->relevant = d.relevant;
	if (!gdb_jit__walk(g, p, d.first, false))
		return 0;
	p->out.time = p->out.fd < 0 ? time : p->time;
	if (p->out.fd < 0)
		ret = gdb_jit__begin(g, p, t, time);
	if (!ret && !p->given_up)
		gdb_jit__walk(g, p, d.first, true);
	jit_dumps__look_again(g->opts.dumps, p->pid);
	return ret;
}

int gdb_jit__look(struct gdb_jit *g, const struct thread *t, u64 time)
{
	u64 now = clock__now(CLOCK_MONOTONIC);
	struct process *p = gdb_jit__process(g, t);
	int ret = 0;

	if (p->given_up || (p->looked && now - p->looked < LOOK_AGAIN))
		return 0;
	p->looked = now;
	if (!p->descriptor)
		gdb_jit__find(g, p, t->maps);
	if (p->descriptor && process__open_memory(p))
		ret = gdb_jit__read(g, p, t, time);
	p->time = time;
	return ret;
}
