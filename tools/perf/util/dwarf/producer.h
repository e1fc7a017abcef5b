/* SPDX-License-Identifier: GPL-2.0-only */
/* What the name of a unit's compiler (DW_AT_producer; DWARF 5, section 3.1.1) says of its code. */
#ifndef PERF_DWARF_PRODUCER_H
#define PERF_DWARF_PRODUCER_H

#include <stdbool.h>

/*
 * gcc names its options there, unless -gno-record-gcc-switches; other compilers do not.
 * @producer: of dwarf__producer(), or NULL
 * Returns: whether it is known that the compiler was not asked to optimize.
 */
bool producer__left_unoptimized(const char *producer);

#endif
