/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What functions are called in a comparison. Those with a name have it in all recordings. Those
 * without are called by where they begin, which says nothing of another build: they are known again
 * by their code, and called as in the first recording that has them.
 */
#ifndef PERF_DIFF_NAMES_H
#define PERF_DIFF_NAMES_H

#include "../base/index.h"
#include "../symbol/symbols.h"

/* A function without a name. */
struct diff_nameless {
	u64 hash;         /* of its file, and of its code, or of its build and address */
	const char *name; /* no other function has it */
	u32 pass;         /* the last one that has met it */
};

struct diff_names {
	struct arena *arena;
	VEC(struct diff_nameless) v;
	struct index by_hash, by_name;
	struct map64 of;  /* of the present recording: symbol -> name */
	u32 pass;         /* over a recording, from 1 */
};

/* Frees all names. @n: may be all zero, as it begins. */
void diff_names__free(struct diff_names *n);

/* Begins with a recording, the next one, or one that was read before. */
void diff_names__begin(struct diff_names *n);

/*
 * Returns: what to call the function @sym of @dso; @n's, or of the symbol.
 * @symbols: of the present recording
 */
const char *diff_names__of(struct diff_names *n, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym);

#endif
