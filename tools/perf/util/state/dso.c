// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dso.h"

struct dso_entry {
	struct dso dso;
	char *names;         /* with .forget: the block of dso.name and its other strings */
	u64 ksymbol_addr;    /* a BPF program and JIT code are identified by name and address */
	struct dso_entry *same_hash;
	u32 refs;            /* with .forget: maps of it */
	bool unused;         /* it is in the list of unused ones, between these: */
	struct dso_entry *older, *newer;
};

struct dsos {
	struct arena *arena;
	const struct recording *recording;
	struct map64 by_key;         /* hash of the identity -> struct dso_entry */
	VEC(const struct dso *) list;
	struct map64 build_ids;      /* interned path -> struct build_id, from the recording */
	size_t nr_build_ids;         /* number of the recording's that are in it */
	bool forget;
	struct dso_entry *oldest, *newest; /* the list of unused ones */
	u32 nr_unused;
	struct dso_entry *spare;           /* linked by .same_hash */
	void (*on_forget)(void *ctx, const struct dso *dso);
	void *on_forget_ctx;
};

struct dsos *dsos__new(struct arena *arena, const struct recording *recording, bool forget)
{
	struct dsos *dsos = xzalloc(sizeof(*dsos));

	dsos->arena = arena;
	dsos->recording = recording;
	dsos->forget = forget;
	return dsos;
}

void dsos__free(struct dsos *dsos)
{
	if (!dsos)
		return;
	map64__for_each(&dsos->by_key, slot)
		for (struct dso_entry *e = slot->value; e; e = e->same_hash)
			free(e->names);
	map64__free(&dsos->by_key);
	map64__free(&dsos->build_ids);
	vec__free(&dsos->list);
	free(dsos);
}

size_t dsos__nr(const struct dsos *dsos)
{
	return dsos->list.nr;
}

const struct dso *dsos__at(const struct dsos *dsos, u32 id)
{
	return id < dsos->list.nr ? dsos->list.v[id] : NULL;
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* A stream may bring more build-ids while it is read; the first one of a path counts. */
static const struct build_id *dsos__recorded_build_id(struct dsos *dsos, const char *path)
{
	const struct recording *r = dsos->recording;

	if (!r || !r->build_ids.nr)
		return NULL;
	for (; dsos->nr_build_ids < r->build_ids.nr; dsos->nr_build_ids++) {
		struct data_build_id *b = &r->build_ids.v[dsos->nr_build_ids];
		u64 key = (uintptr_t)arena__intern(dsos->arena, b->path);

		if (b->id.size && !map64__get(&dsos->build_ids, key))
			map64__set(&dsos->build_ids, key,
				   arena__dup(dsos->arena, &b->id, sizeof(b->id)));
	}
	path = arena__interned(dsos->arena, path);
	return path ? map64__get(&dsos->build_ids, (uintptr_t)path) : NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static bool dso_entry__is(const struct dso_entry *a, const struct dso_entry *b)
{
	const struct dso *x = &a->dso, *y = &b->dso;

	return x->kind == y->kind && x->maj == y->maj && x->min == y->min && x->ino == y->ino &&
	       x->ino_generation == y->ino_generation && a->ksymbol_addr == b->ksymbol_addr &&
	       build_id__equal(&x->build_id, &y->build_id) && !strcmp(x->name, y->name) &&
	       !strcmp(x->path, y->path) && x->code == y->code;
}

static u64 dso_entry__hash(const struct dso_entry *e)
{
	const u64 key[] = {
		hash_bytes(e->dso.name, strlen(e->dso.name)),
		hash_bytes(e->dso.path, strlen(e->dso.path)), e->dso.maj, e->dso.min,
		e->dso.ino, e->dso.ino_generation, e->ksymbol_addr, e->dso.code,
		hash_bytes(e->dso.build_id.data, e->dso.build_id.size),
	};

	return hash_bytes(key, sizeof(key));
}

/* Keeps the strings: interned, or in one block that is freed with the entry. */
static void dso_entry__keep_names(struct dso_entry *e, struct dsos *dsos)
{
	const char **names[] = {
		&e->dso.name, &e->dso.path, &e->dso.short_name, &e->dso.function,
	};
	size_t len = 0;
	char *own;

	if (!e->dso.short_name)
		e->dso.short_name = last_part(e->dso.name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		len += *names[i] ? strlen(*names[i]) + 1 : 0;
	e->names = own = dsos->forget ? xmalloc(len) : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *name = *names[i];

		if (!name)
			continue;
		*names[i] = own ?: arena__intern(dsos->arena, name);
		if (own)
			own = stpcpy(own, name) + 1;
	}
}

/* Takes the entry and the number of a forgotten dso, if there is one. */
static struct dso_entry *dsos__add(struct dsos *dsos, const struct dso_entry *want)
{
	struct dso_entry *e = dsos->spare;
	u32 id = e ? e->dso.id : dsos->list.nr;

	if (e) {
		dsos->spare = e->same_hash;
	} else {
		e = arena__alloc(dsos->arena, sizeof(*e));
		*vec__push(&dsos->list) = NULL;
	}
	*e = *want;
	e->dso.id = id;
	dso_entry__keep_names(e, dsos);
	dsos->list.v[id] = &e->dso;
	return e;
}

/* @want's strings are copied. */
static const struct dso *dsos__findnew(struct dsos *dsos, struct dso_entry *want)
{
	u64 hash;
	struct dso_entry *e, *first;
	struct dso *dso = &want->dso;
	const struct build_id *id;

	if (!dso->build_id.size) {
		id = dsos__recorded_build_id(dsos, dso->path);
		if (!id && dso->name != dso->path)
			id = dsos__recorded_build_id(dsos, dso->name);
		if (id)
			dso->build_id = *id;
	}
	hash = dso_entry__hash(want);
	first = map64__get(&dsos->by_key, hash);
	for (e = first; e; e = e->same_hash)
		if (dso_entry__is(e, want))
			return &e->dso;
	want->same_hash = first;
	e = dsos__add(dsos, want);
	map64__set(&dsos->by_key, hash, e);
	return &e->dso;
}

static void dsos__take_out(struct dsos *dsos, struct dso_entry *e)
{
	*(e->older ? &e->older->newer : &dsos->oldest) = e->newer;
	*(e->newer ? &e->newer->older : &dsos->newest) = e->older;
	e->unused = false;
	dsos->nr_unused--;
}

static void dsos__put_in(struct dsos *dsos, struct dso_entry *e)
{
	e->older = dsos->newest;
	e->newer = NULL;
	*(e->older ? &e->older->newer : &dsos->oldest) = e;
	dsos->newest = e;
	e->unused = true;
	dsos->nr_unused++;
}

static void dsos__unhash(struct dsos *dsos, struct dso_entry *e)
{
	u64 hash = dso_entry__hash(e);
	struct dso_entry *first = map64__get(&dsos->by_key, hash), **link = &first;

	while (*link != e)
		link = &(*link)->same_hash;
	*link = e->same_hash;
	if (first)
		map64__set(&dsos->by_key, hash, first);
	else
		map64__del(&dsos->by_key, hash);
}

bool dsos__forget_one(struct dsos *dsos, const struct dso *but)
{
	struct dso_entry *e = dsos->oldest;

	if (e && &e->dso == but)
		e = e->newer;
	if (!e)
		return false;
	dsos__take_out(dsos, e);
	if (dsos->on_forget)
		dsos->on_forget(dsos->on_forget_ctx, &e->dso);
	dsos__unhash(dsos, e);
	dsos->list.v[e->dso.id] = NULL;
	zfree(&e->names);
	e->same_hash = dsos->spare;
	dsos->spare = e;
	return true;
}

void dsos__on_forget(struct dsos *dsos, void (*fn)(void *ctx, const struct dso *dso), void *ctx)
{
	dsos->on_forget = fn;
	dsos->on_forget_ctx = ctx;
}

void dsos__expect(struct dsos *dsos, const struct dso *dso)
{
	struct dso_entry *e = (struct dso_entry *)dso;

	if (!dsos->forget || e->refs)
		return;
	if (e->unused)
		dsos__take_out(dsos, e);
	dsos__put_in(dsos, e);
	if (dsos->nr_unused > DSOS_UNUSED_MAX)
		dsos__forget_one(dsos, dso);
}

void dsos__get(struct dsos *dsos, const struct dso *dso)
{
	struct dso_entry *e = (struct dso_entry *)dso;

	e->refs++;
	if (e->unused)
		dsos__take_out(dsos, e);
}

void dsos__put(struct dsos *dsos, const struct dso *dso)
{
	((struct dso_entry *)dso)->refs--;
	dsos__expect(dsos, dso);
}

/* Memory without a file, by the names that the kernel gives it (perf_event_mmap_event()). */
static bool is_anon_name(const char *name)
{
	static const char *const prefixes[] = {
		"//anon", "/dev/zero", "/anon_hugepage", "[stack", "[heap]", "[anon", "/SYSV",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (starts_with(name, prefixes[i]))
			return true;
	return false;
}

/*
 * Code without a file was written by a just-in-time compiler. One dso per process stands for all
 * of it, named after the file in which such a process tells its symbols.
 */
struct jit_names {
	char path[64], short_name[64];
};

static void dso_entry__name_jit(struct dso_entry *e, struct jit_names *names, u32 pid)
{
	snprintf(names->path, sizeof(names->path), PERF_MAP_NAME "%d.map", (int)pid);
	snprintf(names->short_name, sizeof(names->short_name), "[JIT] tid %d", (int)pid);
	e->dso.name = e->dso.path = names->path;
	e->dso.short_name = names->short_name;
}

const struct dso *dsos__for_mmap(struct dsos *dsos, const struct mmap_record *mmap)
{
	struct dso_entry e = { .dso = { .kind = DSO_USER, .maj = mmap->maj, .min = mmap->min,
				    .name = mmap->filename, .path = mmap->filename,
				    .ino = mmap->ino, .ino_generation = mmap->ino_generation,
				    .build_id = mmap->build_id, .pid = mmap->pid,
				    .start = mmap->start, .end = mmap->start + mmap->len } };
	bool anon = is_anon_name(mmap->filename);
	struct jit_names jit;
	struct dso *dso;

	if (starts_with(mmap->filename, "[vdso"))
		e.dso.kind = DSO_VDSO;
	else if (anon || mmap->filename[0] == '[')
		e.dso.kind = DSO_ANON;
	if (anon && (mmap->prot & PROT_EXEC))
		dso_entry__name_jit(&e, &jit, mmap->pid);
	if (e.dso.kind != DSO_USER) {
		e.dso.maj = e.dso.min = 0;
		e.dso.ino = e.dso.ino_generation = 0;
	}
	dso = (struct dso *)dsos__findnew(dsos, &e);
	if (mmap->prot & PROT_EXEC && mmap->len > dso->code_len) {
		dso->code_pgoff = mmap->pgoff;
		dso->code_len = mmap->len;
	}
	return dso;
}

/* "/lib/modules/.../snd-pcm.ko.xz" or "[snd_pcm]" -> "[snd_pcm]" */
static const char *module_name(struct arena *arena, const char *path)
{
	const char *base = last_part(path), *ko = strstr(base, ".ko");
	size_t len = ko ? (size_t)(ko - base) : strlen(base);
	const char *name;
	char *buf;

	if (base[0] == '[' || !len)
		return arena__intern(arena, path);
	buf = xasprintf("[%.*s]", (int)min_of(len, (size_t)4096), base);
	for (char *c = buf; *c; c++)
		if (*c == '-')
			*c = '_';
	name = arena__intern(arena, buf);
	free(buf);
	return name;
}

const struct dso *dsos__for_kernel(struct dsos *dsos, const struct mmap_record *mmap)
{
	struct dso_entry e = { .dso = { .kind = DSO_MODULE, .build_id = mmap->build_id } };

	e.dso.path = mmap->filename;
	if (starts_with(mmap->filename, "[kernel.")) {
		e.dso.kind = DSO_KERNEL;
		e.dso.name = "[kernel.kallsyms]";
	} else {
		e.dso.name = module_name(dsos->arena, mmap->filename);
	}
	return dsos__findnew(dsos, &e);
}

const struct dso *dsos__for_ksymbol(struct dsos *dsos, const struct ksymbol_record *ks)
{
	struct dso_entry e = { .dso = { .kind = DSO_BPF, .start = ks->addr,
				    .end = ks->addr + ks->len }, .ksymbol_addr = ks->addr };

	e.dso.name = e.dso.path = ks->name;
	return dsos__findnew(dsos, &e);
}

const struct dso *dsos__for_code(struct dsos *dsos, const struct code_mapping *code, u32 pid)
{
	struct dso_entry e = { .dso = { .kind = DSO_JIT, .pid = pid, .start = code->start,
				    .end = code->end, .function = code->function,
				    .code = code->code, .opaque = code->opaque },
				 .ksymbol_addr = code->start };
	struct jit_names jit;

	dso_entry__name_jit(&e, &jit, pid);
	e.dso.name = e.dso.path = code->path;
	return dsos__findnew(dsos, &e);
}
