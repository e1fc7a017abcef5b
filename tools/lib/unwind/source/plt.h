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

/* NULL: there is none, or out of memory. @m must outlive it. */
struct plt *plt__open(const struct module *m, const struct unwind_arch_info *arch);
void plt__free(struct plt *p);
struct rows_source plt__source(struct plt *p);

#endif
