/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function does, as a number: to know one again, without a name, in another build. */
#ifndef PERF_SYMBOL_CONTENT_H
#define PERF_SYMBOL_CONTENT_H

#include "symbols.h"

/*
 * Makes a hash of a function's code without the addresses in it, which another build has elsewhere:
 * those of calls and jumps out of the function, of data, and of tables.
 * @dso: has @sym
 * @hash: out
 * Returns: false when the code is not here, or of a machine whose instructions are not known.
 */
bool symbols__content(struct symbols *s, const struct dso *dso, const struct symbol *sym,
		      u64 *hash);

#endif
