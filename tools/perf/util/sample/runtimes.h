/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runtimes whose compilers make code that ends stacks, unless the program is run in a certain way:
 * so that who sees that stacks are cut off learns what to do.
 */
#ifndef PERF_SAMPLE_RUNTIMES_H
#define PERF_SAMPLE_RUNTIMES_H

#include "../base/hash.h"
#include "whole-sample.h"

enum runtime {
	RUNTIME_OTHER,
	RUNTIME_JAVA,
	RUNTIME_PYTHON,
	RUNTIME_PHP,
	RUNTIME_LUAJIT,
	RUNTIME_NR
};

/*
 * Whose code it is that a stack ends in, by the names of what its process maps.
 * @known: what is known of programs: empty at first, and only for this; for map64__free()
 * Returns: RUNTIME_NR: the stack is whole, or does not end in code that was made at run time.
 */
enum runtime runtimes__of_end(struct map64 *known, struct machine *m,
			      const struct whole_sample *ws);

/* Returns: its name, and what to do, in words; NULL for RUNTIME_OTHER. */
const char *runtime__advice(enum runtime runtime);

#endif
