/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a process has the data of its libgcc_s.so. Internal to this room. */
#ifndef PERF_JIT_LIBGCC_DATA_H
#define PERF_JIT_LIBGCC_DATA_H

#include "../binary/binaries.h"
#include "../state/machine.h"

/*
 * @maps: of the process
 * @addr, @size: set
 * Returns: false when it has no such library among its first 4,096 mappings of code.
 */
bool libgcc_data__find(const struct maps *maps, struct binaries *binaries, u64 *addr, u64 *size);

#endif
