/* SPDX-License-Identifier: GPL-2.0-only */
/* /tmp/perf-PID.map: symbols that a just-in-time compiler wrote down. Internal to this room. */
#ifndef PERF_SYMBOL_PERF_MAP_H
#define PERF_SYMBOL_PERF_MAP_H

#include "symtab.h"

/*
 * Lines of "START SIZE name", numbers in hex with or without 0x, oldest first: a later line
 * takes the addresses over from the earlier ones. The file must belong to root or to us:
 * -EPERM. Adds to @t (not sealed), copies names into @arena. 0 or -errno.
 */
int perf_map__load(struct symtab *t, struct arena *arena, const char *path);

#endif
