// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../base/index.h"
#include "frames.h"
#include "known-chains.h"
#include "places.h"

/* Addresses of an address space that lie in one file. */
struct near {
	u64 start, end;      /* [start, end); end 0: none */
	u64 distance;        /* what is added to an address, as symbols__locate() does */
	const struct map *map;
};

/*
 * The last chain of an address space: most outer frames of the next one are the same. It lies at
 * the end of its memory, so that these stay where they are while others come in front of them.
 */
struct chain_memory {
	u64 space, kernel_generation, epoch, serial;
	struct frame *v; /* .max of them, of which the last .nr are the chain */
	size_t nr, max;
	struct near near; /* where the last user address was found */
};

/* Addresses that stand together in a chain. The first of them is no return address. */
struct run {
	const u64 *ips;
	size_t nr;
	u8 cpumode;
	bool is_cookie;
};

/* A look-up of the place of an address. */
struct lookup {
	struct place_key key;
	const struct map *map;
	u64 hash;
};

/* Frames of a chain that comes soon: halves of hashes first, then numbers of places. */
#define SOON_MAX 32
#define SOON_CHAIN 128
struct soon {
	u32 nr, v[SOON_MAX];
};

struct resolver {
	struct symbols *symbols;
	bool inlines;
	u64 kernel_generation, epoch;
	struct places places;
	u32 nr_writers;
	struct index places_index;
	VEC(struct run) runs;       /* of the present chain, innermost first */
	VEC(struct lookup) lookups; /* of its frames that are not remembered */
	struct chain_memory memories[CHAIN_MEMORIES];
	struct near kernel;         /* where the last kernel address was found */
	u64 kernel_of;              /* .kernel_generation then */
	struct soon hashes, found;  /* of the last chain that comes soon, and of the one before */
	u64 soon_chain[SOON_CHAIN]; /* the outermost addresses of the last one, at the end */
	u64 nr_soon_chain;
	soon_places_fn fetch;
	void *fetch_ctx;
	struct known_chains known;
};

static inline struct place *place_at(const struct resolver *r, u32 nr)
{
	return places__at(&r->places, nr);
}

u32 resolver__new_writer(struct resolver *r)
{
	return ++r->nr_writers;
}

void resolver__note(struct resolver *r, u32 place, u64 note)
{
	place_at(r, place)->note = note;
}

u64 resolver__noted(const struct resolver *r, u32 place)
{
	return place_at(r, place)->note;
}

struct resolver *resolver__new(struct symbols *s)
{
	struct resolver *r = xzalloc(sizeof(*r));

	r->symbols = s;
	r->inlines = symbols__has_inlines(s);
	return r;
}

void resolver__free(struct resolver *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < CHAIN_MEMORIES; i++)
		free(r->memories[i].v);
	places__free(&r->places);
	index__free(&r->places_index);
	vec__free(&r->runs);
	vec__free(&r->lookups);
	known_chains__free(&r->known);
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

	for (size_t i = 0; symbol__is_named(sym) && i < nr; i++)
		if (sym->name[0] == names[i][0] &&
		    !strncmp(sym->name, names[i], strlen(names[i])))
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

/* A return address is looked up where its call is; the kernel's addresses change their meaning. */
static u64 kind_of(const struct resolver *r, u8 cpumode, bool is_return)
{
	return (is_kernel_mode(cpumode) ? r->kernel_generation << 4 : 0) | cpumode << 1 | is_return;
}

static bool kind__is_return(u64 kind)
{
	return kind & 1;
}

static u8 kind__cpumode(u64 kind)
{
	return kind >> 1 & ABI_MISC_CPUMODE_MASK;
}

/* Adds places for the functions that were inlined at @p. */
static void add_inlined(struct resolver *r, struct place *p)
{
	struct place inlined = *p;

	p->first_inlined = r->places.nr + 1;
	inlined.note = inlined.depth = 0;
	for (const struct inlined_call *call = inlined.innermost; call; call = call->into) {
		inlined.sym = call->sym;
		places__add(&r->places, &inlined);
		inlined.depth++;
	}
}

static void find_inlined(struct resolver *r, struct place *p)
{
	u64 addr = p->addr - kind__is_return(p->key.kind);
	u32 nr;

	p->innermost = symbols__inlined(r->symbols, p->key.dso, addr, p->sym, &nr);
	p->depth = nr;
}

static u32 add_place(struct resolver *r, const struct lookup *look)
{
	const struct place_key *key = &look->key;
	bool is_return = kind__is_return(key->kind);
	bool kernel = is_kernel_mode(kind__cpumode(key->kind));
	struct location loc = { .dso = key->dso, .addr = key->addr + is_return };
	struct place *p;
	u32 nr;

	if (key->dso)
		symbols__resolve_in(r->symbols, key->addr, is_return, &loc);
	nr = places__add(&r->places, &(struct place){
		.key = *key, .sym = loc.sym, .addr = loc.addr,
		.interrupts = interrupts(loc.sym, kernel),
		.is_exact = is_return && !kernel &&
			    (!key->dso || is_entered_at(r, key->dso, loc.addr)),
	});
	p = place_at(r, nr);
	index__add(&r->places_index, look->hash, nr);
	if (r->inlines && symbol__is_named(loc.sym) && !p->is_exact)
		find_inlined(r, p);
	return nr;
}

/* Finds what is not near, and notes where that is. */
static u64 locate_far(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
		      struct near *near, struct location *out)
{
	u64 addr = symbols__locate(r->symbols, t, cpumode, ip, out);
	const struct map *map = out->map;

	if (map && cpumode == PERF_RECORD_MISC_KERNEL) {
		r->kernel = (struct near){ map->start, map->end, addr - ip, map };
		r->kernel_of = r->kernel_generation;
	}
	/* In the midst of an execve() those of the old program lie behind those of the new one. */
	if (map && cpumode == PERF_RECORD_MISC_USER && !thread__is_in_exec(t, ip))
		*near = (struct near){ map->start, map->end, addr - ip, map };
	return addr;
}

/* As symbols__locate(), which is asked only where neither @near nor .kernel know. */
static __always_inline u64 locate(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
			 struct near *near, struct location *out)
{
	const struct near *known = cpumode == PERF_RECORD_MISC_USER ? near : &r->kernel;

	if (likely((cpumode == PERF_RECORD_MISC_USER ||
		    (cpumode == PERF_RECORD_MISC_KERNEL && r->kernel_of == r->kernel_generation)) &&
		   ip - known->start < known->end - known->start)) {
		out->map = known->map;
		out->dso = known->map->dso;
		return ip + known->distance;
	}
	return locate_far(r, t, cpumode, ip, near, out);
}

static inline u64 hash_key(const struct place_key *key)
{
	return hash_u64(key->addr ^ (u64)(uintptr_t)key->dso << 20 ^ key->kind << 4);
}

/* The part of a look-up that depends on the present state: where @ip is mapped. */
static __always_inline void look_up(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
			   bool is_return, struct near *near, struct lookup *look)
{
	bool back = is_return && ip;
	struct location loc;

	look->key.addr = locate(r, t, cpumode, ip - back, near, &loc);
	look->key.dso = loc.dso;
	look->key.kind = kind_of(r, cpumode, back);
	look->map = loc.map;
	look->hash = hash_key(&look->key);
}

/* Returns the number of the place, which is added when it is new. */
static inline u32 find_place(struct resolver *r, const struct lookup *look)
{
	const struct place_key *key = &look->key;
	struct index_probe probe;

	for (u32 i = index__first(&r->places_index, look->hash, &probe); i;
	     i = index__next(&r->places_index, &probe)) {
		const struct place_key *k = &place_at(r, i)->key;

		if (k->addr == key->addr && k->dso == key->dso && k->kind == key->kind)
			return i;
	}
	return add_place(r, look);
}

/* Finishes a look-up. For code that was not called, the address itself is looked up. */
static inline u32 resolve(struct resolver *r, const struct thread *t, u64 ip, struct near *near,
			  struct lookup *look)
{
	u32 nr = find_place(r, look);

	if (likely(!place_at(r, nr)->is_exact))
		return nr;
	look_up(r, t, kind__cpumode(look->key.kind), ip, false, near, look);
	return find_place(r, look);
}

static void take_location(const struct resolver *r, u32 nr, const struct lookup *look,
			  struct location *out)
{
	const struct place *p = place_at(r, nr);

	*out = (struct location){
		look->map, p->key.dso, p->sym, p->addr, kind__is_return(p->key.kind), p->depth,
	};
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

/*
 * Adds the addresses of a run, up to @max frames in all (0: all of them).
 * Returns: whether all of them have a place in the chain.
 */
static bool add_run(struct resolver *r, const u64 *ips, u64 nr, u8 cpumode, u32 max, size_t *total)
{
	u64 room = !max ? nr : max > *total ? max - *total : 0;
	u64 taken = min_of(nr, room);

	if (taken)
		*vec__push(&r->runs) = (struct run){ ips, taken, cpumode, false };
	*total += taken;
	return taken == nr;
}

/* Takes a chain apart at its markers. Returns the number of frames. */
static size_t add_recorded(struct resolver *r, const u64 *chain, u64 nr, u32 max)
{
	u8 cpumode = PERF_RECORD_MISC_USER;
	size_t total = 0;
	u64 start = 0;

	for (u64 i = 0; i < nr; i++) {
		if (likely(!ip__is_context(chain[i])))
			continue;
		if (!add_run(r, chain + start, i - start, cpumode, max, &total))
			return total;
		cpumode = mode_of_context(chain[i], cpumode);
		if (chain[i] == ABI_CONTEXT_USER_DEFERRED && i + 1 < nr) {
			*vec__push(&r->runs) = (struct run){ chain + ++i, 1,
							     PERF_RECORD_MISC_USER, true };
			total++;
		}
		start = i + 1;
	}
	add_run(r, chain + start, nr - start, cpumode, max, &total);
	return total;
}

/* Of the process and its present mappings. */
static inline u64 space_of(const struct thread *t)
{
	return (u64)maps__id(t->maps) << 32 | (u32)maps__generation(t->maps);
}

static inline struct chain_memory *memory_at(struct resolver *r, u64 space)
{
	return &r->memories[hash_u64(space) % CHAIN_MEMORIES];
}

/* Returns the remembered chain of @t's address space; an empty one if the mappings have changed. */
static struct chain_memory *memory_of(struct resolver *r, const struct thread *t)
{
	u64 space = space_of(t);
	struct chain_memory *m = memory_at(r, space);

	if (m->space != space || m->kernel_generation != r->kernel_generation ||
	    m->epoch != r->epoch) {
		m->nr = 0;
		m->near.end = m->near.start = 0;
		m->space = space;
		m->kernel_generation = r->kernel_generation;
		m->epoch = r->epoch;
	}
	return m;
}

void resolver__address(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
		       bool is_return, struct location *out)
{
	struct near none = {}, *near = &none;
	struct lookup look;

	bound_places(r);
	if (cpumode == PERF_RECORD_MISC_USER && t)
		near = &memory_of(r, t)->near;
	look_up(r, t, cpumode, ip, is_return, near, &look);
	take_location(r, resolve(r, t, ip, near, &look), &look, out);
	out->depth = 0; /* its line is that of what was inlined there */
}

/* A place in the remembered chain: the frames from there on, of so many addresses. */
struct remembered {
	const struct frame *f;
	size_t nr;
};

/* Moves inwards from @end, over a frame and what was inlined into it. */
static inline const struct frame *inwards(const struct frame *first, const struct frame *end)
{
	for (end--; end > first && end[-1].inlined; end--)
		;
	return end;
}

/* Moves @at over the frames of a run, from its outermost one on. Returns whether all are there. */
static bool recall_run(const struct chain_memory *m, const struct run *run, struct remembered *at,
		       struct remembered *before)
{
	const struct frame *first = m->v + m->max - m->nr, *end = at->f, *last = before->f, *f;
	const u64 *ip = run->ips + run->nr, *outermost = ip;

	while (ip > run->ips && end > first) {
		f = end - 1;
		if (f->ip != *--ip || f->cpumode != run->cpumode ||
		    f->is_cookie != run->is_cookie || f->starts != (ip == run->ips)) {
			ip++;
			break;
		}
		last = end;
		end = inwards(first, end);
	}
	if (ip < outermost)
		*before = (struct remembered){ last, at->nr + (outermost - ip) - 1 };
	*at = (struct remembered){ end, at->nr + (outermost - ip) };
	return ip == run->ips;
}

/*
 * Returns how much of the remembered chain are the outermost frames of the present one, which has
 * @nr addresses.
 */
static struct remembered recall(const struct resolver *r, const struct chain_memory *m, size_t nr)
{
	struct remembered at = { .f = m->v + m->max }, before = at;

	for (size_t i = r->runs.nr; i-- > 0 && recall_run(m, &r->runs.v[i], &at, &before);)
		;
	/* Whether it was called depends on the frame that it called. */
	if (at.nr && at.nr < nr && !before.f[-1].starts)
		return before;
	return at;
}

/* Keeps @same frames, and makes room for so many that there are @nr. Returns the innermost one. */
static struct frame *make_room(struct chain_memory *m, size_t same, size_t nr)
{
	size_t max = max_of(m->max * 2, nr + 64);
	struct frame *v;

	if (nr > m->max) {
		v = xmalloc(max * sizeof(*v));
		if (same)
			memcpy(v + max - same, m->v + m->max - same, same * sizeof(*v));
		free(m->v);
		m->v = v;
		m->max = max;
	}
	m->nr = nr;
	return m->v + m->max - nr;
}

static void put_frames(const struct resolver *r, struct frame *f, size_t nr)
{
	const struct frame *end = f + nr;

	for (const struct run *run = r->runs.v; f < end; run++)
		for (size_t i = 0; i < run->nr && f < end; i++)
			*f++ = (struct frame){
				.ip = run->ips[i], .cpumode = run->cpumode, .starts = !i,
				.is_cookie = run->is_cookie,
			};
}

/*
 * Prefetches the places of the first @nr frames, all at the same time, since they are in different
 * cache lines. Whether a frame is a caller is known later: mostly it is.
 */
static void fetch_places(struct resolver *r, const struct thread *t, const struct frame *f,
			 size_t nr, struct near *near)
{
	const struct index *idx = &r->places_index;

	vec__reserve(&r->lookups, nr);
	for (size_t i = 0; i < nr; i++) {
		struct lookup *look = &r->lookups.v[i];

		look_up(r, t, f[i].cpumode, f[i].ip, !f[i].starts, near, look);
		if (idx->max)
			__builtin_prefetch(&idx->slots[(u32)look->hash & (idx->max - 1)]);
	}
	for (size_t i = 0; i < nr && idx->max; i++) {
		u32 item = idx->slots[(u32)r->lookups.v[i].hash & (idx->max - 1)].item;

		if (item)
			__builtin_prefetch(place_at(r, item));
	}
}

/* Resolves the first @nr frames. */
static void resolve_frames(struct resolver *r, const struct thread *t, struct frame *frames,
			   size_t nr, struct near *near)
{
	bool called = false;

	fetch_places(r, t, frames, nr, near);
	for (size_t i = 0; i < nr; i++) {
		struct lookup *look = &r->lookups.v[i];
		struct frame *f = &frames[i];

		if (f->is_cookie)
			continue;
		if (unlikely(!f->starts && !called))
			look_up(r, t, f->cpumode, f->ip, false, near, look);
		f->place = resolve(r, t, f->ip, near, look);
		take_location(r, f->place, look, &f->loc);
		f->note = place_at(r, f->place)->note;
		called = !place_at(r, f->place)->interrupts;
	}
}

/*
 * Puts what was inlined into @f at @to. Most addresses of a large program are met once, so that
 * those functions have places, for the texts of their frames, only from the second time on.
 */
static void put_inlined_of(struct resolver *r, const struct frame *f, struct frame *to)
{
	struct place *p = place_at(r, f->place);

	if (p->met && !p->first_inlined) {
		add_inlined(r, p);
		p = place_at(r, f->place);
	}
	p->met = true;
	for (const struct inlined_call *call = p->innermost; call; call = call->into) {
		u32 depth = call == p->innermost ? 0 : to[-1].loc.depth + 1;

		*to = *f;
		to->place = p->first_inlined ? p->first_inlined + depth : 0;
		to->note = to->place ? place_at(r, to->place)->note : 0;
		to->loc.sym = call->sym;
		to->loc.depth = depth;
		to->inlined = true;
		to++;
	}
}

/* Puts what was inlined into the first @nr frames in front of each. Returns the innermost one. */
static struct frame *put_inlined(struct resolver *r, struct chain_memory *m, size_t nr)
{
	struct frame *v = m->v + m->max - m->nr, f;
	size_t more = 0, n = 0;

	for (size_t i = 0; i < nr && r->inlines; i++)
		more += v[i].loc.depth;
	if (!more)
		return v;
	v = make_room(m, m->nr, m->nr + more);
	for (size_t i = 0; i < nr; i++) {
		f = v[more + i];
		if (f.loc.depth)
			put_inlined_of(r, &f, v + n);
		n += f.loc.depth;
		v[n++] = f;
	}
	return v;
}

/* Returns the number of frames of the first @nr addresses of a chain. */
static size_t frames_of(const struct frames *frames, size_t nr)
{
	size_t i = 0;

	while (nr)
		nr -= !frames->f.v[i++].inlined;
	return i;
}

/* Makes the frames of the runs, which have @nr addresses, @nr_recorded of them from the record. */
static void make_chain(struct resolver *r, const struct thread *t, size_t nr, size_t nr_recorded,
		       struct frames *out)
{
	struct chain_memory *m = memory_of(r, t);
	struct remembered old = recall(r, m, nr);
	size_t same = m->v + m->max - old.f;
	struct frame *v;

	v = make_room(m, same, same + nr - old.nr);
	put_frames(r, v, nr - old.nr);
	resolve_frames(r, t, v, nr - old.nr, &m->near);
	out->f.v = put_inlined(r, m, nr - old.nr);
	out->f.nr = m->nr;
	out->nr_same = same;
	out->serial = ++m->serial;
	out->memory = m - r->memories;
	out->nr_user = nr - nr_recorded;
	out->number = 0;
	out->nr_recorded = m->nr == nr ? nr_recorded : frames_of(out, nr_recorded);
}

u64 resolver__number(struct resolver *r, const struct whole_sample *ws)
{
	const struct chain_space in = { space_of(ws->thread), r->kernel_generation, r->epoch };

	return known_chains__number(&r->known, ws, &in);
}

void resolver__chain(struct resolver *r, const struct whole_sample *ws, u32 max_stack,
		     struct frames *out)
{
	size_t nr, nr_recorded;

	bound_places(r);
	r->runs.nr = 0;
	nr = nr_recorded = add_recorded(r, ws->chain, ws->nr_chain, max_stack);
	add_run(r, ws->user, ws->nr_user, PERF_RECORD_MISC_USER, max_stack, &nr);
	make_chain(r, ws->thread, nr, nr_recorded, out);
}

void resolver__user_ips(struct resolver *r, const struct thread *t, const u64 *ips, u64 nr,
			struct frames *out)
{
	size_t total = 0;

	bound_places(r);
	r->runs.nr = 0;
	add_run(r, ips, nr, PERF_RECORD_MISC_USER, 0, &total);
	make_chain(r, t, total, 0, out);
}

/* The last step: prefetches what the writer has made of the places. */
static void fetch_noted(const struct resolver *r)
{
	struct soon_place v[SOON_MAX];

	for (u32 i = 0; i < r->found.nr; i++)
		v[i] = (struct soon_place){ r->found.v[i], place_at(r, r->found.v[i])->note };
	if (r->fetch && r->found.nr)
		r->fetch(r->fetch_ctx, v, r->found.nr);
}

/* The second step: prefetches the places themselves. */
static void fetch_hashed(struct resolver *r)
{
	struct index_probe probe;

	r->found.nr = 0;
	for (u32 i = 0; i < r->hashes.nr; i++) {
		u32 item = index__first(&r->places_index, r->hashes.v[i], &probe);

		if (!item)
			continue;
		__builtin_prefetch(place_at(r, item));
		r->found.v[r->found.nr++] = item;
	}
}

/* Returns how many of the innermost addresses are not those of the last chain that came soon. */
static u64 nr_new_soon(const struct resolver *r, const u64 *chain, u64 nr)
{
	const u64 *last = r->soon_chain + SOON_CHAIN;
	u64 same = 0, max = min_of(nr, r->nr_soon_chain);

	while (same < max && chain[nr - 1 - same] == last[-1 - (s64)same])
		same++;
	return nr - same;
}

/* The first step: prefetches the slots of the index. */
static void fetch_slots(struct resolver *r, const struct thread *t, const u64 *chain, u64 nr)
{
	const struct chain_memory *m = memory_at(r, space_of(t));
	const struct near *user = m->space == space_of(t) ? &m->near : NULL;
	const struct near *kernel = r->kernel_of == r->kernel_generation ? &r->kernel : NULL;
	const struct index *idx = &r->places_index;
	u8 cpumode = PERF_RECORD_MISC_USER;
	bool back = false;

	for (u64 i = 0; i < nr && r->hashes.nr < SOON_MAX; i++) {
		const struct near *near = cpumode == PERF_RECORD_MISC_USER ? user : kernel;
		u64 ip = chain[i] - back, hash;

		if (ip__is_context(chain[i])) {
			cpumode = mode_of_context(chain[i], cpumode);
			back = false;
			continue;
		}
		if (near && ip - near->start < near->end - near->start) {
			hash = hash_key(&(struct place_key){ ip + near->distance, near->map->dso,
							     kind_of(r, cpumode, back) });
			__builtin_prefetch(&idx->slots[(u32)hash & (idx->max - 1)]);
			r->hashes.v[r->hashes.nr++] = hash;
		}
		back = true;
	}
}

void resolver__soon(struct resolver *r, const struct thread *t, const u64 *chain, u64 nr)
{
	u64 kept = min_of(nr, (u64)SOON_CHAIN);

	fetch_noted(r);
	fetch_hashed(r);
	r->hashes.nr = 0;
	if (r->places_index.max)
		fetch_slots(r, t, chain, nr_new_soon(r, chain, nr));
	memcpy(r->soon_chain + SOON_CHAIN - kept, chain + nr - kept, kept * sizeof(*chain));
	r->nr_soon_chain = kept;
}

void resolver__on_soon(struct resolver *r, soon_places_fn fetch, void *ctx)
{
	r->fetch = fetch;
	r->fetch_ctx = ctx;
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
