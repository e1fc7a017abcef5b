/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function does, as a number: to know one again, without a name, in another build. */
#ifndef PERF_SYMBOL_CONTENT_H
#define PERF_SYMBOL_CONTENT_H

#include "symbols.h"

/* Bytes of code for .work of a user: some seconds. */
#define CONTENT_WORK (256ULL << 20)

/*
 * Makes a hash of a function's code without the addresses in it, which another build has elsewhere:
 * those of calls and jumps out of the function, of data, and of tables.
 * @dso: has @sym
 * @work: CONTENT_WORK at first; bytes of code that may still be read
 * @hash: out
 * Returns: false when the code is not here, or of a machine whose instructions are not known, when
 *         another function of the binary has the same, or all of @work is done.
 */
bool symbols__content(struct symbols *s, const struct dso *dso, const struct symbol *sym,
		      u64 *work, u64 *hash);

#endif
