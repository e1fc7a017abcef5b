/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Rows of procedure linkage tables, for binaries whose linker has made none: GNU ld on aarch64 and
 * of programs on s390x, LLD everywhere. What their entries do is known from their first bytes.
 */
#ifndef PERF_UNWIND_SOURCE_PLT_H
#define PERF_UNWIND_SOURCE_PLT_H

#include "../elf/module.h"
#include "../rows/rows.h"

struct plt;

/*
 * Opens those of @m, which must live longer. Returns: NULL when there are none, or out of memory.
 */
struct plt *plt__open(const struct module *m, const struct unwind_arch_info *arch);

/* NULL is fine. */
void plt__free(struct plt *p);

/* Returns: a source of rows, of which @p is not a part. */
struct rows_source plt__source(struct plt *p);

#endif
