// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dso.h"
#include "maps.h"
#include "thread.h"

struct machine {
	const struct recording *recording;
	struct arena *arena;
	struct dsos *dsos;
	struct map_pool pool;
	struct threads threads;
	u64 max_around;
	u64 around;                /* maps that may be looked at: see machine__insert() */
	u64 nr_covered;            /* mappings of memory that were made over functions */
	struct maps *modules;      /* and BPF programs: outside of the kernel's own text */
	struct map kernel;         /* end 0: the recording did not say where it is */
	struct map any_kernel;     /* is used instead of it then */
	struct map gap;            /* of CALLCHAIN_GAP; without .dso until one was met */
	bool saw_hidden;
	void (*on_map)(void *ctx, const struct thread *t, const struct map *map);
	void *on_map_ctx;
};

/* Maps that are looked at for functions in memory: in all, and for each mapping more. */
#define MAX_AROUND (64u << 20)
#define MORE_AROUND 1024

#define KERNEL_START (1ULL << 63)

/* Recorders announce the kernel up to _etext; the idle tasks' callers are in .init.text. */
#define KERNEL_BEHIND_TEXT (64 * 1024 * 1024)

struct machine *machine__new(const struct machine_opts *opts)
{
	struct machine *m = xzalloc(sizeof(*m));

	m->recording = opts->recording;
	m->arena = arena__new();
	m->max_around = opts->max_around ?: MAX_AROUND;
	m->around = m->max_around;
	m->dsos = dsos__new(m->arena, m->recording, opts->forget);
	m->pool = (struct map_pool){
		.arena = m->arena, .dsos = opts->forget ? m->dsos : NULL, .forget = opts->forget,
	};
	threads__init(&m->threads, m->arena, &m->pool);
	m->modules = maps__new(&m->pool, m->threads.next_maps_id++);
	return m;
}

void machine__free(struct machine *m)
{
	if (!m)
		return;
	m->pool.forget = false; /* the arena frees all of it at once */
	threads__free(&m->threads);
	maps__put(m->modules);
	dsos__free(m->dsos);
	arena__free(m->arena);
	free(m);
}

struct thread *machine__thread(struct machine *m, u32 pid, u32 tid)
{
	return threads__findnew(&m->threads, pid, tid);
}

struct thread *machine__find_thread(struct machine *m, u32 tid)
{
	return map64__get(&m->threads.by_tid, tid);
}

int machine__for_each_thread(struct machine *m, int (*fn)(void *ctx, const struct thread *t),
			     void *ctx)
{
	map64__for_each(&m->threads.by_tid, slot) {
		int ret = fn(ctx, slot->value);

		if (ret)
			return ret;
	}
	return 0;
}

size_t machine__nr_dsos(const struct machine *m)
{
	return dsos__nr(m->dsos);
}

const struct dso *machine__dso(const struct machine *m, u32 id)
{
	return dsos__at(m->dsos, id);
}

size_t machine__bytes(const struct machine *m)
{
	return arena__bytes(m->arena);
}

const struct recording *machine__recording(const struct machine *m)
{
	return m->recording;
}

const struct map *machine__kernel_map(const struct machine *m)
{
	return m->kernel.end ? &m->kernel : NULL;
}

void machine__on_map(struct machine *m, void (*fn)(void *ctx, const struct thread *t,
						   const struct map *map), void *ctx)
{
	m->on_map = fn;
	m->on_map_ctx = ctx;
}

bool machine__saw_hidden(const struct machine *m)
{
	return m->saw_hidden;
}

void machine__on_forget(struct machine *m, void (*fn)(void *ctx, const struct dso *dso), void *ctx)
{
	dsos__on_forget(m->dsos, fn, ctx);
}

bool machine__forget_dso(struct machine *m, const struct dso *but)
{
	return dsos__forget_one(m->dsos, but);
}

u64 map__dso_addr(const struct map *map, u64 ip)
{
	if (map->dso->kind == DSO_USER || map->dso->kind == DSO_VDSO)
		return ip - map->start + map->pgoff;
	return ip;
}

static const struct map *machine__find_kernel_map(struct machine *m, u64 ip)
{
	const struct map *map = maps__find(m->modules, ip);
	struct mmap_record anywhere = { .filename = "[kernel.kallsyms]" };

	if (map)
		return map;
	if (ip__is_context(ip))
		return NULL;
	if (m->kernel.end)
		return ip >= m->kernel.start && (ip < m->kernel.end ||
						 ip - m->kernel.end < KERNEL_BEHIND_TEXT) ?
		       &m->kernel : NULL;
	if (ip < KERNEL_START)
		return NULL;
	if (!m->any_kernel.dso)
		m->any_kernel = (struct map){ .start = KERNEL_START, .end = ABI_CONTEXT_MAX,
					      .prot = PROT_EXEC,
					      .dso = dsos__for_kernel(m->dsos, &anywhere) };
	return &m->any_kernel;
}

/* Frames that were left out have a name, as functions of BPF programs have: without a file. */
static const struct map *machine__gap(struct machine *m)
{
	const struct ksymbol_record words = {
		.addr = CALLCHAIN_GAP - 1, .len = 2, .name = "[frames left out]",
	};

	if (!m->gap.dso) {
		m->gap = (struct map){
			.start = words.addr, .end = words.addr + words.len, .pgoff = words.addr,
			.dso = dsos__for_ksymbol(m->dsos, &words),
		};
		dsos__get(m->dsos, m->gap.dso);
	}
	return &m->gap;
}

const struct map *machine__find_map(struct machine *m, const struct thread *t, u8 cpumode, u64 ip)
{
	const struct map *map;

	if (cpumode == PERF_RECORD_MISC_KERNEL)
		return machine__find_kernel_map(m, ip);
	if (cpumode != PERF_RECORD_MISC_USER || !t)
		return NULL;
	map = maps__find(t->maps, ip);
	if (unlikely(!map && ip__is_gap(ip)))
		return machine__gap(m);
	return map || !maps__before(t->maps) ? map : maps__find(maps__before(t->maps), ip);
}

bool thread__is_in_exec(const struct thread *t, u64 ip)
{
	return maps__before(t->maps) && !maps__find(t->maps, ip);
}

struct maps *thread__maps_before_exec(const struct thread *t, bool said)
{
	struct maps *before = maps__before(t->maps);

	return before && (said || !maps__nr(t->maps)) ? before : t->maps;
}

bool machine__process_ended(struct machine *m, u32 pid)
{
	const struct thread *leader = machine__find_thread(m, pid);

	return leader && leader->exited && leader->maps == m->threads.none;
}

static void machine__map_kernel(struct machine *m, const struct mmap_record *mmap,
				struct map *map)
{
	if (!strncmp(mmap->filename, "[guest.", 7))
		return;
	map->dso = dsos__for_kernel(m->dsos, mmap);
	if (map->dso->kind == DSO_KERNEL)
		m->kernel = *map;
	else
		maps__insert(m->modules, map);
}

/* Maps [@start, @end) of what is mapped at @map. Returns: the map in the set; NULL: it is empty. */
static const struct map *map__insert_part(struct maps *maps, const struct map *map, u64 start,
					  u64 end)
{
	struct map part = *map;

	if (start >= end)
		return NULL;
	part.pgoff += start - map->start;
	part.start = start;
	part.end = end;
	return maps__insert(maps, &part);
}

/*
 * Maps memory without a file around the functions of a JIT compiler that lie in it. A program that
 * is made for it could make that take forever: beyond MAX_AROUND they are mapped over. Each mapping
 * adds to what is left, so that a compiler which maps its memory again and again, for some hundred
 * functions each time, does not come to that end in days.
 */
static const struct map *machine__insert(struct machine *m, struct maps *maps,
					 const struct map *map)
{
	struct map gap = *map;

	if (map->dso->kind != DSO_ANON)
		return maps__insert(maps, map);
	m->around = min_of(m->around + MORE_AROUND, m->max_around);
	while (m->around) {
		const struct map *code = maps__next(maps, gap.start);

		while (code && code->start < map->end && code->dso->kind != DSO_JIT) {
			m->around -= !!m->around;
			code = maps__next(maps, code->end);
		}
		if (!code || code->start >= map->end)
			break;
		m->around -= !!m->around;
		gap.end = max_of(code->start, gap.start);
		map__insert_part(maps, map, gap.start, gap.end);
		gap.start = code->end;
	}
	m->nr_covered += !m->around;
	return map__insert_part(maps, map, gap.start, map->end);
}

u64 machine__nr_covered(const struct machine *m)
{
	return m->nr_covered;
}

const struct dso *machine__map_code(struct machine *m, struct thread *t,
				    const struct code_mapping *code)
{
	struct map map = {
		.start = code->start, .end = code->end, .pgoff = code->pgoff, .prot = PROT_EXEC,
		.dso = dsos__for_code(m->dsos, code, t->pid),
	};

	threads__need_maps(&m->threads, t);
	if (map.start < map.end)
		maps__insert(t->maps, &map);
	return map.dso;
}

void machine__unmap_code(struct machine *m, struct thread *t, u64 start, u64 end, u64 code)
{
	const struct mmap_record anon = {
		.pid = t->pid, .tid = t->pid, .start = start, .len = end - start,
		.prot = PROT_EXEC, .filename = "//anon",
	};
	struct map map = { .prot = PROT_EXEC };
	const struct map *old;

	threads__need_maps(&m->threads, t);
	for (u64 at = start; (old = maps__next(t->maps, at)) && old->start < end; at = map.end) {
		map.start = old->start;
		map.end = old->end;
		if (old->dso->kind != DSO_JIT || old->dso->code != code)
			continue;
		map.dso = dsos__for_mmap(m->dsos, &anon);
		maps__insert(t->maps, &map);
	}
}

static int machine__mmap(struct machine *m, const struct record *rec)
{
	struct mmap_record mmap;
	struct map map = {};
	struct thread *t;
	const struct map *in_set;

	if (record__mmap(rec, &mmap))
		return -EINVAL;
	if (__builtin_add_overflow(mmap.start, mmap.len, &map.end))
		map.end = (u64)-1;
	if (mmap.start >= map.end)
		return 0;
	map.start = mmap.start;
	map.pgoff = mmap.pgoff;
	map.prot = mmap.prot;
	map.flags = mmap.flags;
	if (mmap.cpumode == PERF_RECORD_MISC_KERNEL) {
		machine__map_kernel(m, &mmap, &map);
		return 0;
	}
	if (mmap.cpumode != PERF_RECORD_MISC_USER &&
	    mmap.cpumode != PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		return 0;
	t = machine__thread(m, mmap.pid, mmap.tid);
	threads__need_maps(&m->threads, t);
	map.dso = dsos__for_mmap(m->dsos, &mmap);
	in_set = machine__insert(m, t->maps, &map);
	if (m->on_map && in_set && (map.prot & PROT_EXEC))
		m->on_map(m->on_map_ctx, t, in_set);
	return 0;
}

const struct dso *machine__dso_ahead(struct machine *m, const struct mmap_record *mmap)
{
	const struct dso *dso;

	if (!mmap->len || mmap->cpumode != PERF_RECORD_MISC_USER || !(mmap->prot & PROT_EXEC))
		return NULL;
	dso = dsos__for_mmap(m->dsos, mmap);
	dsos__expect(m->dsos, dso);
	return dso;
}

static int machine__comm(struct machine *m, const struct record *rec)
{
	struct comm_record comm;
	struct thread *t;

	if (record__comm(rec, &comm))
		return -EINVAL;
	t = machine__thread(m, comm.pid, comm.tid);
	threads__name(&m->threads, t, comm.comm);
	t->comm_known = true;
	if (comm.exec)
		threads__exec(&m->threads, t);
	return 0;
}

static int machine__fork(struct machine *m, const struct record *rec)
{
	struct task_record task;

	if (record__task(rec, &task))
		return -EINVAL;
	/* The misc bit means: synthesized from /proc, and the child's own mappings follow. */
	threads__fork(&m->threads, &task, !(rec->hdr->misc & ABI_MISC_FORK_EXEC));
	return 0;
}

static int machine__exit(struct machine *m, const struct record *rec)
{
	struct task_record task;
	struct thread *t;

	if (record__task(rec, &task))
		return -EINVAL;
	t = machine__find_thread(m, task.tid);
	if (!t)
		return 0;
	m->saw_hidden |= !t->exited && t->tid == t->pid && t->nr_exec && !maps__nr(t->maps);
	threads__exit(&m->threads, t);
	return 0;
}

static int machine__ksymbol(struct machine *m, const struct record *rec)
{
	struct ksymbol_record ks;
	struct map map = { .prot = PROT_EXEC };
	const struct map *old;

	if (record__ksymbol(rec, &ks))
		return -EINVAL;
	if (__builtin_add_overflow(ks.addr, (u64)ks.len, &map.end) || !ks.len)
		return 0;
	if (ks.unregister) {
		old = maps__find(m->modules, ks.addr);
		if (old && old->start == ks.addr && !strcmp(old->dso->name, ks.name))
			maps__remove(m->modules, ks.addr, old->end);
		return 0;
	}
	map.start = map.pgoff = ks.addr;
	map.dso = dsos__for_ksymbol(m->dsos, &ks);
	maps__insert(m->modules, &map);
	return 0;
}

static int (*const process[])(struct machine *m, const struct record *rec) = {
	[PERF_RECORD_MMAP] = machine__mmap,
	[PERF_RECORD_MMAP2] = machine__mmap,
	[PERF_RECORD_COMM] = machine__comm,
	[PERF_RECORD_FORK] = machine__fork,
	[PERF_RECORD_EXIT] = machine__exit,
	[PERF_RECORD_KSYMBOL] = machine__ksymbol,
};

bool machine__uses(u32 type)
{
	return type < ARRAY_SIZE(process) && process[type];
}

int machine__process(struct machine *m, const struct record *rec)
{
	return machine__uses(rec->hdr->type) ? process[rec->hdr->type](m, rec) : 0;
}
