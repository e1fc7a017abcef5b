/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the program that copies a stack which it cannot walk: from SP on, and, if the copies
 * of this thread were not enough because its callers are on another stack, some pages of that.
 */
#ifndef PERF_BPF_WALK_WALK_COPY_H
#define PERF_BPF_WALK_WALK_COPY_H

#include "walk-generator.h"

/* At the label g->copy: writes a copy, behind the chain if there is one, and ends. */
void walk_copy__write(struct generator *g);

/* The same of the program that keeps stacks: r6 = bytes of the copy, which lies in the scratch. */
void walk_copy__keep(struct generator *g);

#endif
