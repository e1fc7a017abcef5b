/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* The callchain of a walk (struct unwind_chain), as the walk fills it. */
#ifndef PERF_UNWIND_CORE_CHAIN_H
#define PERF_UNWIND_CORE_CHAIN_H

#include <perf/unwind.h>

#include "types.h"

/*
 * Adds a frame.
 * @ip: its address
 * Returns: false when the limit is reached, or when @ip would read as a marker in a callchain,
 * which no address of a user is; chain->stop says so.
 */
bool unwind_chain__add(struct unwind_chain *c, u64 ip, enum unwind_method method);

/* Takes the last frame away again. */
void unwind_chain__drop(struct unwind_chain *c);

#endif
