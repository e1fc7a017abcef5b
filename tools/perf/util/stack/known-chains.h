/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recognizes chains that have been there before, by their recorded addresses, so that what was made
 * of one need not be made again. The latest ones are kept, KNOWN_CHAINS at most. Where chains are
 * seldom the same again, it stops for a while.
 */
#ifndef PERF_STACK_KNOWN_CHAINS_H
#define PERF_STACK_KNOWN_CHAINS_H

#include "../base/vec.h"
#include "../sample/whole-sample.h"

#define KNOWN_CHAINS (1u << 15)

/* What addresses stand for: where this is equal, equal ones are looked up alike. */
struct chain_space {
	u64 user;   /* the address space, with its mappings */
	u64 kernel; /* what is mapped there */
	u64 epoch;  /* all else */
};

struct known_chain {
	struct chain_space in;
	u64 hash, number;
	u32 nr_chain, nr_user;
	VEC(u64) ips; /* of both */
};

/* All zero: none yet. */
struct known_chains {
	struct known_chain *v; /* NULL: not begun, or given up for now */
	u64 numbers;           /* that were given out */
	u32 asked, found;      /* since it was last judged */
	u32 rest;              /* chains that are not looked at */
};

/*
 * Finds the number of a sample's chain: equal ones have the same, as long as they are kept.
 * @in: where its addresses are
 * Returns: it, from 1; 0: it is not looked at.
 */
u64 known_chains__number(struct known_chains *k, const struct whole_sample *ws,
			 const struct chain_space *in);

/* Frees what is kept. Numbers that were given out are not given out again. */
void known_chains__free(struct known_chains *k);

#endif
