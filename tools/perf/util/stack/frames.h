/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the addresses of a whole sample to frames: each address is resolved in its thread's address
 * space, or in the kernel, as the chain's context markers say.
 *
 * A caller's address is a return address: the call in front of it is looked up (so that a call that
 * ends a function belongs to it), but the address is shown as recorded. Behind code that an
 * interrupt, an exception or a signal enters it is the address where the program was, perhaps the
 * first instruction of a function, and is looked up itself. Results are kept until the address
 * space or the kernel's map changes.
 *
 * An address in code that was inlined is several frames: one for each inlined function, and behind
 * them that of the function itself. They have the same .ip, and places of their own.
 *
 * Processes run the same code at different addresses. A *place* is what an address stands for in
 * all of them: an address in a dso, with its symbol. Frames have the number of their place, so that
 * the text of a place need be made only once.
 */
#ifndef PERF_STACK_FRAMES_H
#define PERF_STACK_FRAMES_H

#include "../sample/whole-sample.h"
#include "../symbol/symbols.h"
#include "../data/tracepoint.h"

struct frame {
	u64 ip;              /* as recorded; the cookie when .is_cookie */
	struct location loc; /* .map, .dso, .sym NULL where unknown */
	u64 note;            /* what resolver__note() has left at the place; 0: nothing yet */
	u32 place;           /* equal ones: .loc without .map, and .cpumode, are equal; 0: none */
	u8 cpumode;          /* PERF_RECORD_MISC_KERNEL, _USER, ... */
	bool starts;         /* the innermost of its mode: no return address */
	bool is_cookie;      /* a deferred chain kept as recorded: no address at all */
	bool inlined;        /* into the frames behind it, up to the next one that is not */
};

/* What resolver__chain() makes. The frames are the resolver's, until it makes the next chain. */
struct frames {
	struct {
		const struct frame *v;
		size_t nr;
	} f;                 /* innermost first */
	size_t nr_recorded;  /* the first ones, from the record; the others are a sample's .user */
	size_t nr_user;      /* addresses of a sample's .user: frames that are not inlined */
	/*
	 * The last chains of some address spaces are kept, each in a memory with a number. The
	 * outermost .nr_same frames are those of chain .serial - 1 in .memory, which this chain has
	 * replaced: so what was made of them can be used again.
	 */
	size_t nr_same;
	u64 serial;          /* from 1 */
	u32 memory;          /* less than CHAIN_MEMORIES */
	u64 number;          /* resolver__number() of it, if who counts it asked; else 0 */
};

/* A place that will be in a chain soon, and the note that was left there, or 0. */
struct soon_place {
	u32 place;
	u64 note;
};

typedef void (*soon_places_fn)(void *ctx, const struct soon_place *v, size_t nr);

#define CHAIN_MEMORIES 64

/* When there are more places than these (64 MB), all are forgotten after the chain. */
#define PLACES_MAX (1 << 20)

struct resolver;

/*
 * @s: borrowed; must outlive the resolver
 * Returns: what resolver__free() frees.
 */
struct resolver *resolver__new(struct symbols *s);

/* @r may be NULL. */
void resolver__free(struct resolver *r);

/* To be shown every record that is not a sample: some change the map of the kernel. */
void resolver__record(struct resolver *r, const struct record *rec);

/*
 * Returns: a number that grows when places are forgotten, at the beginning of a call that resolves;
 *         their numbers then start at 1 again.
 */
u64 resolver__epoch(const struct resolver *r);

/*
 * Leaves a number at a place, for the frames that will be there: who writes frames may keep there
 * where he has put what he made of one.
 * @place: frame.place, not 0
 * @note: not 0
 */
void resolver__note(struct resolver *r, u32 place, u64 note);

/* Returns: a number that no other writer has, from 1: by it he knows his own notes. */
u32 resolver__new_writer(struct resolver *r);

/* Returns: the number that was left at @place; 0: none. */
u64 resolver__noted(const struct resolver *r, u32 place);

/*
 * Resolves one address.
 * @cpumode: PERF_RECORD_MISC_KERNEL, _USER, ...
 * @ip: the address
 * @is_return: it is a return address: the call in front of it is looked up
 * @out: filled
 */
void resolver__address(struct resolver *r, const struct thread *t, u8 cpumode, u64 ip,
		       bool is_return, struct location *out);

/*
 * Names the frames that resolver__chain() would make of the sample's chain, always with the same
 * .max_stack: equal numbers, equal frames. So who has kept what he made of them need not have them
 * made.
 * Returns: a number that no other frames have, from 1; 0: it is not known.
 */
u64 resolver__number(struct resolver *r, const struct whole_sample *ws);

/*
 * Makes the frames of the sample's chain.
 * @max_stack: of at most so many addresses; 0: all
 * @out: filled
 */
void resolver__chain(struct resolver *r, const struct whole_sample *ws, u32 max_stack,
		     struct frames *out);

/*
 * The same for user addresses alone, as a CALLCHAIN_DEFERRED record has them.
 * @ips, @nr: the addresses, innermost first
 */
void resolver__user_ips(struct resolver *r, const struct thread *t, const u64 *ips, u64 nr,
			struct frames *out);

/*
 * Prefetches what the frames of a chain need that comes soon, in three steps, since each of them
 * has to wait for memory: this one's, and the next ones of the chains of the calls before. Call it
 * once for each chain, a few chains ahead. Nothing depends on it.
 * @chain, @nr: the recorded addresses, with context markers
 */
void resolver__soon(struct resolver *r, const struct thread *t, const u64 *chain, u64 nr);

/*
 * Who writes frames can prefetch the text, or whatever he keeps for a place, in the last step.
 * @fetch: called by resolver__soon(); NULL: nobody
 * @ctx: its context
 */
void resolver__on_soon(struct resolver *r, soon_places_fn fetch, void *ctx);

/*
 * For tracepoints__name_functions(): finds a function of the kernel.
 * @resolver: the context
 * @addr: an address in the function
 * Returns: false when none is known there.
 */
bool resolver__traced_function(void *resolver, u64 addr, struct traced_function *out);

#endif
