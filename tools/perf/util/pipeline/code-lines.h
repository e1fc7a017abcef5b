/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where source lines of code come from that no file has: what a JIT compiler says of its functions,
 * and the kernel of BPF programs. Internal to this room.
 */
#ifndef PERF_PIPELINE_CODE_LINES_H
#define PERF_PIPELINE_CODE_LINES_H

#include "../jit/jit-dumps.h"
#include "../symbol/symbols.h"

struct code_lines;

/*
 * @recording: borrowed; of a pipe it has its features when the first line is asked for
 * @jit: borrowed
 * @symbols: asks for lines from now on
 * Returns: what code_lines__free() frees, after @symbols.
 */
struct code_lines *code_lines__new(const struct recording *recording, struct jit_dumps *jit,
				   struct symbols *symbols);

/* @l may be NULL. */
void code_lines__free(struct code_lines *l);

#endif
