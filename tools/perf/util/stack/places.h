/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places that the frames of callchains are at (see frames.h), numbered from 1 in one piece of
 * memory. Who looks for one has an index over them.
 */
#ifndef PERF_STACK_PLACES_H
#define PERF_STACK_PLACES_H

#include "../symbol/symbols.h"

/* What an address stands for, whichever process has it. */
struct place_key {
	u64 addr;            /* the address that is looked up, as map__dso_addr() returns it */
	const struct dso *dso;
	u64 kind;            /* the other things; see kind_of() of frames.c */
};

/* All of it is needed at a time: it takes one cache line. */
struct place {
	struct place_key key;
	const struct symbol *sym;
	u64 addr;            /* location.addr */
	u64 note;
	const struct inlined_call *innermost; /* of what was inlined here; NULL: nothing */
	u32 first_inlined;   /* places of that, innermost first; 0: not needed so far */
	u16 depth;           /* location.depth */
	u8 is_exact : 1;     /* a return address that was not called: see interrupts() */
	u8 interrupts : 1;   /* the next frame did not call this one */
	u8 met : 1;          /* in a chain */
} __attribute__((aligned(64)));

/* All zero is valid and empty. */
struct places {
	struct place *v;     /* [0] is not used */
	u32 nr, max;
};

/* Returns: the place with the number @nr, until another one is added. */
static inline struct place *places__at(const struct places *p, u32 nr)
{
	return &p->v[nr];
}

/* Internal: makes room for another one. */
void places__grow(struct places *p);

/* Adds a copy of @place, which must not be one of @p. Returns: its number, .nr. */
static inline u32 places__add(struct places *p, const struct place *place)
{
	if (unlikely(p->nr + 1 >= p->max))
		places__grow(p);
	p->v[++p->nr] = *place;
	return p->nr;
}

/* Frees the memory; there are none then. */
void places__free(struct places *p);

#endif
