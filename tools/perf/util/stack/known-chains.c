// SPDX-License-Identifier: GPL-2.0-only
#include "known-chains.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash-bytes.h"
#include "../base/hash.h"

/* So many are asked for before it is judged whether that is worth it, and left out if not. */
#define JUDGED_AFTER 8192
#define REST 65536
#define LEAST_FOUND (JUDGED_AFTER / 4)

#define LONGEST 512 /* addresses of a chain: they take 128 MB at most */

/*
 * Two words at a time: what is found by it is compared, so that it need not be better. Its seed is
 * another one in each process.
 */
static u64 hash_ips(u64 h, const u64 *ips, u64 nr)
{
	unsigned __int128 p;

	for (u64 i = 0; i < nr; i += 2) {
		p = (unsigned __int128)(ips[i] ^ 0x9e3779b97f4a7c15ull ^ hash_seed) *
		    ((i + 1 < nr ? ips[i + 1] : 0) ^ h);
		h = (u64)p ^ (u64)(p >> 64);
	}
	return h;
}

static bool are_equal(const u64 *a, const u64 *b, u64 nr)
{
	return !nr || !memcmp(a, b, nr * sizeof(*a));
}

static bool is_same(const struct known_chain *c, const struct whole_sample *ws,
		    const struct chain_space *in, u64 hash)
{
	return c->hash == hash && c->number && !memcmp(&c->in, in, sizeof(*in)) &&
	       c->nr_chain == ws->nr_chain && c->nr_user == ws->nr_user &&
	       are_equal(c->ips.v, ws->chain, c->nr_chain) &&
	       are_equal(c->ips.v + c->nr_chain, ws->user, c->nr_user);
}

static void put(struct known_chain *c, const struct whole_sample *ws,
		const struct chain_space *in, u64 hash)
{
	c->hash = hash;
	c->in = *in;
	c->nr_chain = ws->nr_chain;
	c->nr_user = ws->nr_user;
	vec__reserve(&c->ips, ws->nr_chain + ws->nr_user);
	if (ws->nr_chain)
		memcpy(c->ips.v, ws->chain, ws->nr_chain * sizeof(u64));
	if (ws->nr_user)
		memcpy(c->ips.v + ws->nr_chain, ws->user, ws->nr_user * sizeof(u64));
}

static void forget(struct known_chains *k)
{
	for (u32 i = 0; k->v && i < KNOWN_CHAINS; i++)
		vec__free(&k->v[i].ips);
	zfree(&k->v);
}

/* Returns false when chains are not to be looked at now. */
static bool is_worth_it(struct known_chains *k)
{
	if (k->rest) {
		k->rest--;
		return false;
	}
	if (k->asked++ < JUDGED_AFTER)
		return true;
	k->rest = k->found < LEAST_FOUND ? REST : 0;
	k->asked = k->found = 0;
	if (k->rest)
		forget(k);
	return !k->rest;
}

u64 known_chains__number(struct known_chains *k, const struct whole_sample *ws,
			 const struct chain_space *in)
{
	u64 nr = ws->nr_chain + ws->nr_user, hash;
	struct known_chain *c;

	if (!nr || nr > LONGEST || !is_worth_it(k))
		return 0;
	if (!k->v)
		k->v = xcalloc(KNOWN_CHAINS, sizeof(*k->v));
	hash = hash_ips(hash_u64(in->user), ws->chain, ws->nr_chain);
	hash = hash_u64(hash_ips(hash, ws->user, ws->nr_user));
	c = &k->v[hash % KNOWN_CHAINS];
	if (is_same(c, ws, in, hash)) {
		k->found++;
		return c->number;
	}
	put(c, ws, in, hash);
	c->number = ++k->numbers;
	return c->number;
}

void known_chains__free(struct known_chains *k)
{
	forget(k);
}
