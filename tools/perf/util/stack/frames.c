// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "frames.h"

#define CACHE_SLOTS 16384 /* direct-mapped; 1.2 MB */

struct cache_slot {
	u64 ip, space; /* space: address space, its generation, mode; 0: empty */
	struct location loc;
	bool interrupts; /* the next frame did not call this one */
};

struct resolver {
	struct symbols *symbols;
	u64 kernel_generation;
	struct cache_slot *cache;
};

struct resolver *resolver__new(struct symbols *s)
{
	struct resolver *r = xzalloc(sizeof(*r));

	r->symbols = s;
	r->cache = xcalloc(CACHE_SLOTS, sizeof(*r->cache));
	return r;
}

void resolver__free(struct resolver *r)
{
	if (!r)
		return;
	free(r->cache);
	free(r);
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

/* Names the set of mappings that an address is looked up in; never 0. */
static u64 space_key(const struct resolver *r, const struct thread *t, u8 cpumode, bool is_return)
{
	u64 low = (u64)cpumode << 1 | is_return;

	if (is_kernel_mode(cpumode))
		return r->kernel_generation << 8 | 0x80 | low;
	return hash_u64((u64)maps__id(t->maps) << 32 ^ maps__generation(t->maps) << 8 ^ low) | 1;
}

/*
 * Functions that the CPU or the kernel enters in place of the next instruction: exceptions and
 * interrupts of x86 (asm_exc_page_fault), aarch64 (el1h_64_irq) and s390x, and what a signal
 * handler returns to. What the first function of a coroutine returns to was not called either:
 * makecontext() put it there.
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

static const struct cache_slot *resolve(struct resolver *r, const struct thread *t, u8 cpumode,
					u64 ip, bool is_return)
{
	u64 space = space_key(r, t, cpumode, is_return);
	bool kernel = is_kernel_mode(cpumode);
	struct cache_slot *slot = &r->cache[hash_u64(ip ^ space << 20) & (CACHE_SLOTS - 1)];

	if (slot->ip == ip && slot->space == space)
		return slot;
	symbols__resolve(r->symbols, t, cpumode, ip, false, &slot->loc);
	slot->ip = ip;
	slot->space = space;
	slot->interrupts = interrupts(slot->loc.sym, kernel);
	/* Nobody calls what these return to: its first address is the real one. */
	if (is_return && (kernel || !slot->interrupts || slot->loc.addr != slot->loc.sym->start)) {
		symbols__resolve(r->symbols, t, cpumode, ip, true, &slot->loc);
		slot->interrupts = interrupts(slot->loc.sym, kernel);
	}
	return slot;
}

void resolver__address(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
		       bool is_return, struct location *out)
{
	*out = resolve(r, t, cpumode, ip, is_return)->loc;
}

/* Adds a frame; true when the next one is its caller. */
static bool push_resolved(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
			  bool is_return, struct frames *out)
{
	const struct cache_slot *slot = resolve(r, t, cpumode, ip, is_return);

	*vec__push(&out->f) = (struct frame){ .ip = ip, .cpumode = cpumode, .loc = slot->loc };
	return !slot->interrupts;
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

/* Callers behind what is in @out, of which @max in all are wanted (0: all of them). */
static void add_user_ips(struct resolver *r, const struct thread *t, const u64 *ips, u64 nr,
			 u32 max, struct frames *out)
{
	bool is_return = false;

	for (u64 i = 0; i < nr && (!max || out->f.nr < max); i++)
		is_return = push_resolved(r, t, PERF_RECORD_MISC_USER, ips[i], is_return, out);
}

void resolver__chain(struct resolver *r, const struct whole_sample *ws, u32 max_stack,
		     struct frames *out)
{
	u8 cpumode = PERF_RECORD_MISC_USER;
	bool is_return = false, is_cookie = false;

	out->f.nr = 0;
	for (u64 i = 0; i < ws->nr_chain; i++) {
		u64 ip = ws->chain[i];

		if (is_cookie) {
			*vec__push(&out->f) = (struct frame){
				.ip = ip, .cpumode = PERF_RECORD_MISC_USER, .is_cookie = true,
			};
			is_cookie = false;
			continue;
		}
		if (ip__is_context(ip)) {
			is_cookie = ip == ABI_CONTEXT_USER_DEFERRED;
			cpumode = mode_of_context(ip, cpumode);
			is_return = false;
			continue;
		}
		if (max_stack && out->f.nr >= max_stack)
			break;
		is_return = push_resolved(r, ws->thread, cpumode, ip, is_return, out);
	}
	add_user_ips(r, ws->thread, ws->user, ws->nr_user, max_stack, out);
}

void resolver__user_ips(struct resolver *r, const struct thread *t, const u64 *ips, u64 nr,
			struct frames *out)
{
	out->f.nr = 0;
	add_user_ips(r, t, ips, nr, 0, out);
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
	/* Addresses of the table are those of the kernel's image, which may lie elsewhere. */
	out->start = addr - (loc.addr - loc.sym->start);
	out->module = loc.dso->kind == DSO_MODULE ? loc.dso->short_name : NULL;
	return true;
}

void frames__free(struct frames *f)
{
	vec__free(&f->f);
}
