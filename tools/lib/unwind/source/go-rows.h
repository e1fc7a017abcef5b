/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Rows of programs of Go on x86-64, from the table by which Go's runtime walks stacks itself: for
 * each function how far SP is below the return address, at each instruction. So it helps where
 * `go build -ldflags=-w`, or strip, have taken .debug_frame away; and it tells of the functions
 * that go to another stack, of which .debug_frame has rows as if they did not.
 */
#ifndef PERF_UNWIND_SOURCE_GO_ROWS_H
#define PERF_UNWIND_SOURCE_GO_ROWS_H

#include "../elf/elf-image.h"
#include "../rows/rows.h"

struct go_rows;

/*
 * Opens the table of @img, which must live longer. Returns: NULL when there is none, or none of a
 * known form; or out of memory.
 */
struct go_rows *go_rows__open(const struct elf_image *img, const struct unwind_arch_info *arch);

/* Returns: whether the file @fd, which stays the caller's, is a program with such a table. */
bool go_rows__are_in(const struct unwind_env *env, int fd);

/* NULL is fine. */
void go_rows__free(struct go_rows *g);

/* Returns: a source of rows, of which @g is not a part. */
struct rows_source go_rows__source(struct go_rows *g);

#endif
