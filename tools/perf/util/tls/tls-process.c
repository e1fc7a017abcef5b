// SPDX-License-Identifier: GPL-2.0-only
#include "tls-process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/hash.h"
#include "../base/vec.h"
#include "../io/proc-maps.h"
#include "../io/process-memory.h"
#include "../io/procfile.h"
#include "../io/side-process.h"

#define FILES_MAX 65536          /* that are remembered */
#define MODULES_MAX 4096         /* of a process */
#define BYTES_MAX (4ull << 30)   /* of symbols and relocations that are read in all */
#define OFFSET_MAX (1ll << 30)   /* of a variable from the thread pointer: far more than is used */
#define MODULE_MAX 65535

struct known_file {
	u64 ino;
	u32 maj, min;
	struct tls_file file;
};

struct tls_processes {
	const struct tls_wanted *wanted;
	u32 nr;
	struct map64 files; /* hash of device and inode -> struct known_file */
	u32 nr_files;
	struct arena *arena;
	struct mounts *mounts;
	struct side_process *reader; /* of memory */
	struct budget bytes;
};

/* A file that a process has mapped. */
struct module {
	u64 bias; /* address = as linked + bias */
	const struct tls_file *file;
};

struct process {
	struct tls_processes *all;
	u32 pid;
	bool musl;
	VEC(struct module) modules;
};

struct tls_processes *tls_processes__new(const struct tls_wanted *wanted, u32 nr)
{
	struct tls_processes *t = xzalloc(sizeof(*t));

	t->wanted = wanted;
	t->nr = min_of(nr, (u32)TLS_WANTED_MAX);
	t->arena = arena__new();
	t->mounts = mounts__new();
	t->reader = process_memory__reader();
	t->bytes.left = BYTES_MAX;
	return t;
}

void tls_processes__free(struct tls_processes *t)
{
	if (!t)
		return;
	map64__free(&t->files);
	arena__free(t->arena);
	mounts__free(t->mounts);
	side_process__free(t->reader);
	free(t);
}

bool tls_processes__read(struct tls_processes *t, u32 pid, u64 addr, void *to, size_t size)
{
	for (size_t done = 0, n; done < size; done += n) {
		n = min_of(size - done, (size_t)PROCESS_MEMORY_MAX);
		if (process_memory__read(t->reader, pid, addr + done, (u8 *)to + done, n) !=
		    (ssize_t)n)
			return false;
	}
	return true;
}

/* Returns NULL when it cannot be opened: another process may permit it. */
static const struct tls_file *file_of(struct tls_processes *t, u32 pid, const struct maps_line *m)
{
	u64 id[3] = { m->ino, m->maj, m->min };
	u64 key = hash_bytes(id, sizeof(id));
	struct known_file *k = map64__get(&t->files, key);
	int fd;

	if (k)
		return k->ino == m->ino && k->maj == m->maj && k->min == m->min ? &k->file : NULL;
	if (t->nr_files >= FILES_MAX)
		return NULL;
	fd = maps_line__open(m, pid, t->mounts);
	if (fd < 0)
		return NULL;
	k = arena__alloc(t->arena, sizeof(*k));
	*k = (struct known_file){ .ino = m->ino, .maj = m->maj, .min = m->min };
	tls_file__read(&k->file, fd, t->wanted, t->nr, &t->bytes);
	close(fd);
	map64__set(&t->files, key, k);
	t->nr_files++;
	return &k->file;
}

static void add_module(struct tls_processes *t, struct process *p, const struct maps_line *m)
{
	const struct tls_file *f;

	if (!m->ino || m->name[0] != '/' || p->modules.nr >= MODULES_MAX)
		return;
	p->musl |= strstr(m->name, "/ld-musl-") != NULL;
	f = file_of(t, p->pid, m);
	if (!f || !f->known || m->pgoff != f->page_offset || !tls_file__mentions_any(f))
		return;
	/* A small file is mapped from there again, for its data. */
	for (size_t i = 0; i < p->modules.nr; i++)
		if (p->modules.v[i].file == f)
			return;
	*vec__push(&p->modules) = (struct module){ m->start - f->page_vaddr, f };
}

static int read_modules(struct tls_processes *t, struct process *p)
{
	char path[64], *text, *next, *line;
	struct maps_line m;
	int ret;

	snprintf(path, sizeof(path), "/proc/%u/maps", p->pid);
	ret = procfile__read(path, &text, NULL);
	if (ret)
		return ret;
	next = text;
	while ((line = strsep(&next, "\n")))
		if (maps_line__parse(line, &m))
			add_module(t, p, &m);
	free(text);
	return 0;
}

static bool is_near(s64 offset)
{
	return offset < 0 && offset > -OFFSET_MAX;
}

static void found_static(struct tls_place *out, s64 offset)
{
	out->where = TLS_STATIC;
	out->offset = offset;
}

static void found_dynamic(struct tls_place *out, u64 module, s64 offset)
{
	out->where = TLS_DYNAMIC;
	out->module = module;
	out->offset = offset;
}

/* What ld.so has made of a descriptor: an offset, or the address of {module, offset, ...}. */
static bool from_descriptor(const struct process *p, u64 at, s64 addend,
			    const struct tls_symbol *s, struct tls_place *out)
{
	u64 desc[2], arg[2];

	if (!tls_processes__read(p->all, p->pid, at, desc, sizeof(desc)) || !desc[0])
		return false;
	if (is_near((s64)desc[1] - addend)) {
		found_static(out, (s64)desc[1] - addend);
		return true;
	}
	if (!tls_processes__read(p->all, p->pid, desc[1], arg, sizeof(arg)) || !arg[0] ||
	    arg[0] > MODULE_MAX || arg[1] != s->value + addend)
		return false;
	found_dynamic(out, arg[0], s->value);
	return true;
}

/* @def: the symbol where it is defined. Returns false when nothing is there yet. */
static bool from_reloc(const struct process *p, const struct module *m, const struct tls_reloc *r,
		       const struct tls_symbol *def, struct tls_place *out)
{
	u64 at = m->bias + r->offset, v;

	if (r->type == R_X86_64_TLSDESC)
		return from_descriptor(p, at, r->addend, def, out);
	if (!tls_processes__read(p->all, p->pid, at, &v, sizeof(v)))
		return false;
	if (r->type == R_X86_64_TPOFF64 && is_near((s64)v - r->addend)) {
		found_static(out, (s64)v - r->addend);
		return true;
	}
	if (r->type == R_X86_64_DTPMOD64 && v && v <= MODULE_MAX) {
		found_dynamic(out, v, def->value);
		return true;
	}
	return false;
}

static const struct module *defining(const struct process *p, u32 wanted)
{
	for (size_t i = 0; i < p->modules.nr; i++)
		if (p->modules.v[i].file->symbols[wanted].defined)
			return &p->modules.v[i];
	return NULL;
}

/* A variable in the block of a module has its place there. */
static bool is_in_block(const struct tls_file *f, const struct tls_symbol *s)
{
	return f->tls_size < (u64)OFFSET_MAX && f->tls_align < (u64)OFFSET_MAX &&
	       s->value < f->tls_size;
}

static bool find_one(const struct process *p, u32 wanted, struct tls_place *out)
{
	const struct module *def = defining(p, wanted);
	const struct tls_symbol *s = def ? &def->file->symbols[wanted] : NULL;

	if (!s || !is_in_block(def->file, s))
		return false;
	*out = (struct tls_place){
		.where = TLS_NOT_YET, .wanted = wanted, .size = min_of(s->size, (u64)UINT32_MAX),
		.stride = p->musl ? 8 : 16,
	};
	if (def->file->program) {
		found_static(out, tls_file__program_offset(def->file, s));
		return true;
	}
	for (size_t i = 0; i < p->modules.nr; i++) {
		const struct tls_symbol *use = &p->modules.v[i].file->symbols[wanted];

		for (u32 k = 0; k < use->nr_relocs; k++)
			if (from_reloc(p, &p->modules.v[i], &use->relocs[k], s, out))
				return true;
	}
	return true;
}

int tls_processes__find(struct tls_processes *t, u32 pid, struct tls_place *out)
{
	struct process p = { .all = t, .pid = pid };
	int ret = read_modules(t, &p);

	*out = (struct tls_place){};
	for (u32 i = 0; !ret && i < t->nr; i++)
		if (find_one(&p, i, out))
			break;
	vec__free(&p.modules);
	return ret;
}
