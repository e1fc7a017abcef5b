// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../base/index.h"
#include "frames.h"

struct place {
	struct location loc; /* without .map, which depends on the thread */
	u64 addr;            /* the address that is looked up, as map__dso_addr() returns it */
	u64 generation;      /* of the kernel's map; 0 for user space */
	u8 cpumode;
	bool is_return;      /* .loc.addr is behind .addr, the call */
	bool is_exact;       /* but it was not called: see interrupts() */
	bool interrupts;     /* the next frame did not call this one */
};

/*
 * The last chain of an address space, outermost frame first: most frames of the next one are the
 * same.
 */
struct chain_memory {
	u64 space, kernel_generation, epoch, serial;
	VEC(struct frame) f;
};

/* A look-up of the place of an address. */
struct lookup {
	struct place key;
	const struct map *map;
	u64 hash;
};

struct resolver {
	struct symbols *symbols;
	u64 kernel_generation, epoch;
	VEC(struct place) places; /* by number - 1 */
	struct index places_index;
	VEC(struct lookup) lookups; /* of the present chain */
	struct chain_memory memories[CHAIN_MEMORIES];
};

struct resolver *resolver__new(struct symbols *s)
{
	struct resolver *r = xzalloc(sizeof(*r));

	r->symbols = s;
	return r;
}

void resolver__free(struct resolver *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < CHAIN_MEMORIES; i++)
		vec__free(&r->memories[i].f);
	vec__free(&r->places);
	index__free(&r->places_index);
	vec__free(&r->lookups);
	free(r);
}

u64 resolver__epoch(const struct resolver *r)
{
	return r->epoch;
}

void resolver__record(struct resolver *r, const struct record *rec)
{
	u32 type = rec->hdr->type;
	bool is_map = type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2;

	if (type == PERF_RECORD_KSYMBOL ||
	    (is_map && (rec->hdr->misc & ABI_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER))
		r->kernel_generation++;
}

static bool is_kernel_mode(u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL || cpumode == PERF_RECORD_MISC_GUEST_KERNEL ||
	       cpumode == PERF_RECORD_MISC_HYPERVISOR;
}

/*
 * Whether the next outer frame did not call this function. That is so when the CPU or the kernel
 * enters it in place of the next instruction: exceptions and interrupts of x86
 * (asm_exc_page_fault), aarch64 (el1h_64_irq) and s390x, and the code that a signal handler returns
 * to. It is also so for the code that the first function of a coroutine returns to, whose address
 * makecontext() has put there.
 */
static bool interrupts(const struct symbol *sym, bool kernel)
{
	static const char *const kernel_names[] = {
		"asm_", "el0", "el1", "ext_int_handler", "io_int_handler", "pgm_check_handler",
		"mcck_int_handler", "common_interrupt", "ret_from_intr", "apic_timer_interrupt",
	};
	static const char *const user_names[] = {
		"__restore_rt", "__kernel_rt_sigreturn", "__default_rt_sa_restorer",
		"runtime.sigreturn", "__start_context", "__startcontext",
	};
	const char *const *names = kernel ? kernel_names : user_names;
	size_t nr = kernel ? ARRAY_SIZE(kernel_names) : ARRAY_SIZE(user_names);

	for (size_t i = 0; sym && i < nr; i++)
		if (!strncmp(sym->name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Called between chains only: all frames of a chain have numbers of one epoch. */
static void bound_places(struct resolver *r)
{
	if (likely(r->places.nr < PLACES_MAX))
		return;
	r->epoch++;
	r->places.nr = 0;
	index__clear(&r->places_index);
}

/* Whether a function begins at @addr of the table that is never called, but returned to. */
static bool is_entered_at(struct resolver *r, const struct dso *dso, u64 addr)
{
	const struct symbol *sym = symbols__find(r->symbols, dso, addr);

	return sym && sym->start == addr && interrupts(sym, false);
}

static u32 add_place(struct resolver *r, const struct lookup *look)
{
	struct place *p = vec__push(&r->places);
	bool kernel;

	*p = look->key;
	kernel = is_kernel_mode(p->cpumode);
	if (p->loc.dso)
		symbols__resolve_in(r->symbols, p->addr, p->is_return, &p->loc);
	p->interrupts = interrupts(p->loc.sym, kernel);
	p->is_exact = p->is_return && !kernel &&
		      (!p->loc.dso || is_entered_at(r, p->loc.dso, p->loc.addr));
	index__add(&r->places_index, look->hash, r->places.nr);
	return r->places.nr;
}

/* The part of a look-up that depends on the present state: where @ip is mapped. */
static void look_up(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip, bool is_return,
		    struct lookup *look)
{
	struct place *key = &look->key;

	*key = (struct place){ .cpumode = cpumode, .is_return = is_return && ip, .loc.addr = ip };
	key->generation = is_kernel_mode(cpumode) ? r->kernel_generation : 0;
	key->addr = symbols__locate(r->symbols, t, cpumode, ip - key->is_return, &key->loc);
	look->map = key->loc.map;
	key->loc.map = NULL;
	look->hash = hash_u64(key->addr ^ (u64)(uintptr_t)key->loc.dso << 20 ^
			      key->generation << 8 ^ key->is_return ^ cpumode << 1);
}

/* Returns the number of the place, which is added when it is new. */
static u32 find_place(struct resolver *r, const struct lookup *look)
{
	const struct place *key = &look->key;
	struct index_probe probe;

	for (u32 i = index__first(&r->places_index, look->hash, &probe); i;
	     i = index__next(&r->places_index, &probe)) {
		const struct place *p = &r->places.v[i - 1];

		if (p->addr == key->addr && p->loc.dso == key->loc.dso &&
		    p->generation == key->generation && p->cpumode == key->cpumode &&
		    p->is_return == key->is_return)
			return i;
	}
	return add_place(r, look);
}

/* Finishes a look-up. For code that was not called, the address itself is looked up. */
static u32 resolve(struct resolver *r, const struct thread *t, u64 ip, struct lookup *look)
{
	u32 nr = find_place(r, look);

	if (likely(!r->places.v[nr - 1].is_exact))
		return nr;
	look_up(r, t, look->key.cpumode, ip, false, look);
	return find_place(r, look);
}

void resolver__address(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
		       bool is_return, struct location *out)
{
	struct lookup look;
	u32 nr;

	bound_places(r);
	look_up(r, t, cpumode, ip, is_return, &look);
	nr = resolve(r, t, ip, &look);
	*out = r->places.v[nr - 1].loc;
	out->map = look.map;
}

static u8 mode_of_context(u64 marker, u8 now)
{
	switch (marker) {
	case ABI_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case ABI_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case ABI_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case ABI_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case ABI_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return now;
	}
}

/* Appends callers to @out, up to @max frames in all (0: all of them). */
static void add_user_ips(const u64 *ips, u64 nr, u32 max, struct frames *out)
{
	out->nr_recorded = out->f.nr;
	for (u64 i = 0; i < nr && (!max || out->f.nr < max); i++)
		*vec__push(&out->f) = (struct frame){
			.ip = ips[i], .cpumode = PERF_RECORD_MISC_USER, .starts = !i,
		};
}

static void add_recorded(const u64 *chain, u64 nr, u32 max, struct frames *out)
{
	u8 cpumode = PERF_RECORD_MISC_USER;
	bool starts = true, is_cookie = false;

	for (u64 i = 0; i < nr; i++) {
		u64 ip = chain[i];

		if (!is_cookie && ip__is_context(ip)) {
			is_cookie = ip == ABI_CONTEXT_USER_DEFERRED;
			cpumode = mode_of_context(ip, cpumode);
			starts = true;
			continue;
		}
		if (!is_cookie && max && out->f.nr >= max)
			break;
		*vec__push(&out->f) = (struct frame){
			.ip = ip, .cpumode = is_cookie ? PERF_RECORD_MISC_USER : cpumode,
			.starts = starts, .is_cookie = is_cookie,
		};
		starts = is_cookie && starts;
		is_cookie = false;
	}
}

static bool is_same(const struct frame *a, const struct frame *b)
{
	return a->ip == b->ip && a->cpumode == b->cpumode && a->starts == b->starts &&
	       a->is_cookie == b->is_cookie;
}

/* Returns the remembered chain of @t's address space; an empty one if the mappings have changed. */
static struct chain_memory *memory_of(struct resolver *r, const struct thread *t)
{
	u64 space = (u64)maps__id(t->maps) << 32 | (u32)maps__generation(t->maps);
	struct chain_memory *m = &r->memories[hash_u64(space) % CHAIN_MEMORIES];

	if (m->space != space || m->kernel_generation != r->kernel_generation ||
	    m->epoch != r->epoch) {
		m->f.nr = 0;
		m->space = space;
		m->kernel_generation = r->kernel_generation;
		m->epoch = r->epoch;
	}
	return m;
}

/* Copies equal outermost frames from the remembered chain; returns the number of the others. */
static size_t recall(struct chain_memory *m, struct frames *out)
{
	size_t nr = out->f.nr, same = 0;

	while (same < nr && same < m->f.nr && is_same(&out->f.v[nr - 1 - same], &m->f.v[same])) {
		out->f.v[nr - 1 - same] = m->f.v[same];
		same++;
	}
	/* Whether it was called depends on the frame that it called. */
	if (same && same < nr && !m->f.v[same - 1].starts)
		same--;
	m->f.nr = same;
	return nr - same;
}

/*
 * Prefetches the places of the first @nr frames, all at the same time, since they are in different
 * cache lines. Whether a frame is a caller is known later: mostly it is.
 */
static void fetch_places(struct resolver *r, const struct thread *t, const struct frames *out,
			 size_t nr)
{
	const struct index *idx = &r->places_index;

	vec__reserve(&r->lookups, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct frame *f = &out->f.v[i];
		struct lookup *look = &r->lookups.v[i];

		look_up(r, t, f->cpumode, f->ip, !f->starts, look);
		if (idx->max)
			__builtin_prefetch(&idx->slots[(u32)look->hash & (idx->max - 1)]);
	}
	for (size_t i = 0; i < nr && idx->max; i++) {
		u32 item = idx->slots[(u32)r->lookups.v[i].hash & (idx->max - 1)].item;

		if (item)
			__builtin_prefetch(&r->places.v[item - 1]);
	}
}

static void resolve_frames(struct resolver *r, const struct thread *t, struct frames *out)
{
	struct chain_memory *m = memory_of(r, t);
	size_t nr = recall(m, out);
	bool called = false;

	out->memory = m - r->memories;
	out->nr_same = out->f.nr - nr;
	out->serial = ++m->serial;
	fetch_places(r, t, out, nr);
	for (size_t i = 0; i < nr; i++) {
		struct lookup *look = &r->lookups.v[i];
		struct frame *f = &out->f.v[i];
		const struct place *p;

		if (f->is_cookie)
			continue;
		if (unlikely(!f->starts && !called))
			look_up(r, t, f->cpumode, f->ip, false, look);
		f->place = resolve(r, t, f->ip, look);
		p = &r->places.v[f->place - 1];
		f->loc = p->loc;
		f->loc.map = look->map;
		called = !p->interrupts;
	}
	for (size_t i = nr; i > 0; i--)
		*vec__push(&m->f) = out->f.v[i - 1];
}

void resolver__chain(struct resolver *r, const struct whole_sample *ws, u32 max_stack,
		     struct frames *out)
{
	bound_places(r);
	out->f.nr = 0;
	add_recorded(ws->chain, ws->nr_chain, max_stack, out);
	add_user_ips(ws->user, ws->nr_user, max_stack, out);
	resolve_frames(r, ws->thread, out);
}

void resolver__user_ips(struct resolver *r, const struct thread *t, const u64 *ips, u64 nr,
			struct frames *out)
{
	bound_places(r);
	out->f.nr = 0;
	add_user_ips(ips, nr, 0, out);
	resolve_frames(r, t, out);
}

bool resolver__traced_function(void *resolver, u64 addr, struct traced_function *out)
{
	struct resolver *r = resolver;
	struct location loc;

	if (!addr) {
		symbols__load_kernel(r->symbols);
		return false;
	}
	symbols__resolve(r->symbols, NULL, PERF_RECORD_MISC_KERNEL, addr, false, &loc);
	if (!loc.sym)
		return false;
	out->name = loc.sym->name;
	/* Addresses of the table are those of the kernel's image, which may be loaded elsewhere. */
	out->start = addr - (loc.addr - loc.sym->start);
	out->module = loc.dso->kind == DSO_MODULE ? loc.dso->short_name : NULL;
	return true;
}

void frames__free(struct frames *f)
{
	vec__free(&f->f);
}
