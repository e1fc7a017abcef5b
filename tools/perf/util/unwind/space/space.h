/* SPDX-License-Identifier: GPL-2.0-only */
/* Address spaces, and where the row tables of their modules are kept from run to run. */
#ifndef PERF_UNWIND_SPACE_SPACE_H
#define PERF_UNWIND_SPACE_SPACE_H

#include "../core/chain.h"

struct unwinder;       /* shared by all address spaces */
struct unwind_space;   /* one address space */

struct unwind_space *unwind_space__new(struct unwinder *u);
void unwind_space__free(struct unwind_space *s);

void unwind_space__add(struct unwind_space *s, const struct unwind_mapping *m);
/* Forgets those that begin in [start, end) or reach into it. */
void unwind_space__remove(struct unwind_space *s, u64 start, u64 end);
void unwind_space__clear(struct unwind_space *s); /* forgets all (exec) */
size_t unwind_space__nr(const struct unwind_space *s); /* of its mappings */

/*
 * Where row tables are kept from run to run; files by name, which the caller of load() closes.
 * What is kept is believed as far as the walk is safe, so nobody else may be able to write there.
 */
#define UNWIND_ID_MAX 28
struct unwind_store {
	/* What names the binary of a module for all times, its build-id; 0: it is not kept. */
	u32 (*id)(void *ctx, u32 module, u8 id[UNWIND_ID_MAX]);
	int (*load)(void *ctx, const char *name); /* a file descriptor, or -errno */
	int (*save)(void *ctx, const char *name, const void *data, size_t size);
	void *ctx;
};

/* To be called before the first walk. @store is copied. */
void unwinder__keep_rows(struct unwinder *u, const struct unwind_store *store);

/* Saves what was compiled since, together with what others have saved. */
void unwinder__save_rows(struct unwinder *u);

#endif
