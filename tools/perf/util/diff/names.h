/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What functions are called in a comparison. Those with a name that no other function of their
 * binary has are called that in all recordings. For others a name, or where they begin, says
 * nothing of another build. They are known again by where they begin in the same build, by their
 * file where static functions of one name have different ones, or by their code, if no other
 * function of their binary has the same; and called as in the first recording that has them. What
 * is not known again by this is never taken for another function.
 */
#ifndef PERF_DIFF_NAMES_H
#define PERF_DIFF_NAMES_H

#include "../base/index.h"
#include "../symbol/symbols.h"

/* A function that has no name of its own. */
struct diff_unsure {
	u64 identity;     /* a hash by which another build has it; 0: there is none */
	const char *name; /* no other function has it */
	u64 file;         /* the hash of its binary's name */
	u32 nr_runs;
};

struct diff_place {
	u64 build, start; /* .build: a hash */
	u32 of;           /* diff_names.v */
};

struct diff_names {
	struct arena *arena;
	VEC(struct diff_unsure) v;
	VEC(struct diff_place) places;
	struct map64 build_of; /* diff_unsure.file -> the last build */
	struct map64 differs;  /* diff_unsure.file: there are several builds */
	struct index by_place, by_identity, by_name;
	struct map64 of;  /* of the present recording: symbol -> name */
	u32 run;
	u64 work;         /* bytes of code that were read */
};

/* Frees all names. @n: may be all zero, as it begins. */
void diff_names__free(struct diff_names *n);

/* Begins with recording @run, from 0 on; it may have been read before. */
void diff_names__begin(struct diff_names *n, u32 run);

/*
 * Returns: what to call the function @sym of @dso; @n's, or of the symbol.
 * @symbols: of the present recording, with .namesakes
 */
const char *diff_names__of(struct diff_names *n, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym);

/*
 * Returns: how many functions of one build cannot be looked for in the others.
 * @example: out: one of them
 */
u32 diff_names__unmatched(const struct diff_names *n, const char **example);

#endif
