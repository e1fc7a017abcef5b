/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Rows of the trampolines that signal handlers return to on x86-64, for C libraries that say
 * nothing of theirs (musl) or the wrong thing (Go): they are known by their instructions. On other
 * architectures the walk knows them, see arch.h.
 */
#ifndef PERF_UNWIND_SOURCE_TRAMPOLINE_H
#define PERF_UNWIND_SOURCE_TRAMPOLINE_H

#include "../elf/module.h"
#include "../rows/rows.h"

/*
 * Makes a source of rows of @m, which must live longer. Returns: false when this architecture has
 * none.
 */
bool trampoline__source(const struct module *m, const struct unwind_arch_info *arch,
			struct rows_source *source);

#endif
