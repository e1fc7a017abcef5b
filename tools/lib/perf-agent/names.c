// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The names of functions that were written into the memory, by their fingerprints. Handlers of
 * several threads use the table at the same time, without locks: entries are taken, never freed.
 */
#include <sys/mman.h>

#include "priv.h"

#define NAMES (1u << 17)
#define PROBES 16

struct name {
	uint64_t print; /* 0: free */
	uint32_t code;  /* 0: not written yet, or never, when there was no room */
};

static struct name *names;

bool agent__make_names(void)
{
	void *p;

	if (names)
		return true;
	p = mmap(NULL, NAMES * sizeof(*names), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	names = p == MAP_FAILED ? NULL : p;
	return names;
}

void agent__forget_names(void)
{
	if (names)
		madvise(names, NAMES * sizeof(*names), MADV_DONTNEED);
}

struct agent_code *agent__take_name(size_t size, uint32_t *number)
{
	struct agent_header *h = (struct agent_header *)agent.memory;
	uint64_t at;

	size = (size + 7) & ~7ull;
	if (__atomic_load_n(&h->names_used, __ATOMIC_RELAXED) + size > AGENT_NAMES_SIZE)
		return NULL;
	at = __atomic_fetch_add(&h->names_used, size, __ATOMIC_RELAXED);
	if (at + size > AGENT_NAMES_SIZE)
		return NULL;
	*number = at / 8 + 1;
	return (struct agent_code *)(agent.memory + AGENT_NAMES_AT + at);
}

/* Takes the entry for @print. Returns what was there: 0: it is the caller's now, to be filled. */
static uint64_t take(struct name *n, uint64_t print)
{
	/* Mostly it is there: then the line stays with all CPUs whose threads look at it. */
	uint64_t was = __atomic_load_n(&n->print, __ATOMIC_ACQUIRE);

	if (!was)
		__atomic_compare_exchange_n(&n->print, &was, print, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE);
	return was;
}

uint32_t agent__name(uint64_t print, uint32_t (*write)(void *ctx), void *ctx)
{
	for (uint32_t i = 0; names && i < PROBES; i++) {
		struct name *n = &names[(print + i) % NAMES];
		uint64_t was = take(n, print);
		uint32_t number;

		if (!was) {
			number = write(ctx);
			__atomic_store_n(&n->code, number, __ATOMIC_RELEASE);
			return number;
		}
		if (was != print)
			continue;
		number = __atomic_load_n(&n->code, __ATOMIC_ACQUIRE);
		/* Another thread is writing it, or it found no room or no memory. */
		return number ? number : write(ctx);
	}
	return 0;
}

uint64_t agent__print(uint64_t h, const uint64_t *v, size_t nr)
{
	h ^= 0x9e3779b97f4a7c15ull;
	for (size_t i = 0; i < nr; i++) {
		h = (h ^ v[i]) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return h ? h : 1;
}
