/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of Go programs. Go's runtime walks stacks itself, by a table that is always there,
 * .gopclntab: for each function how far SP is below the return address, at each instruction. So it
 * helps where `go build -ldflags=-w`, or strip, have taken .debug_frame away; and it tells of the
 * functions that go to another stack, of which .debug_frame has rows as if they did not. The form
 * is that of Go 1.18 and later, on x86-64.
 */
#ifndef PERF_UNWIND_GOPCLNTAB_H
#define PERF_UNWIND_GOPCLNTAB_H

#include "../base/elf-image.h"
#include "rows.h"

struct gopclntab;

/* NULL: there is none, or none of a known form. @img must outlive it. */
struct gopclntab *gopclntab__open(const struct elf_image *img,
				  const struct unwind_arch_info *arch);

/*
 * The same of the section's bytes alone. @text: where .text begins, @entry: the program's entry;
 * they count where the table does not say where the code is, as in programs that are position
 * independent.
 */
struct gopclntab *gopclntab__new(struct bytes table, u64 text, u64 entry,
				 const struct unwind_arch_info *arch);
void gopclntab__free(struct gopclntab *g);
struct rows_source gopclntab__source(struct gopclntab *g);

#endif
