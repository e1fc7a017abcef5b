// SPDX-License-Identifier: GPL-2.0-only
#include "frames.h"

#define CACHE_SLOTS 16384 /* direct-mapped; 1.2 MB */

struct cache_slot {
	u64 ip, space; /* space: address space, its generation, mode; 0: empty */
	struct location loc;
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

void resolver__address(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
		       bool is_return, struct location *out)
{
	u64 space = space_key(r, t, cpumode, is_return);
	struct cache_slot *slot = &r->cache[hash_u64(ip ^ space << 20) & (CACHE_SLOTS - 1)];

	if (slot->ip != ip || slot->space != space) {
		symbols__resolve(r->symbols, t, cpumode, ip, is_return, &slot->loc);
		slot->ip = ip;
		slot->space = space;
	}
	*out = slot->loc;
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

static struct frame *push_frame(struct frames *out, u64 ip, u8 cpumode)
{
	struct frame *f = vec__push(&out->f);

	*f = (struct frame){ .ip = ip, .cpumode = cpumode };
	return f;
}

void resolver__chain(struct resolver *r, const struct whole_sample *ws, u32 max_stack,
		     struct frames *out)
{
	u8 cpumode = PERF_RECORD_MISC_USER;
	bool is_return = false, is_cookie = false;

	out->f.nr = 0;
	for (u64 i = 0; i < ws->nr_chain; i++) {
		u64 ip = ws->chain[i];
		struct frame *f;

		if (is_cookie) {
			push_frame(out, ip, PERF_RECORD_MISC_USER)->is_cookie = true;
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
		f = push_frame(out, ip, cpumode);
		resolver__address(r, ws->thread, cpumode, ip, is_return, &f->loc);
		is_return = true;
	}
}

void resolver__user_ips(struct resolver *r, const struct thread *t, const u64 *ips, u64 nr,
			struct frames *out)
{
	out->f.nr = 0;
	for (u64 i = 0; i < nr; i++) {
		struct frame *f = push_frame(out, ips[i], PERF_RECORD_MISC_USER);

		resolver__address(r, t, PERF_RECORD_MISC_USER, ips[i], i > 0, &f->loc);
	}
}

void frames__free(struct frames *f)
{
	vec__free(&f->f);
}
