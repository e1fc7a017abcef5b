/* SPDX-License-Identifier: GPL-2.0-only */
/* /tmp/perf-PID.map: symbols that a just-in-time compiler wrote down. Internal to this room. */
#ifndef PERF_SYMBOL_PERF_MAP_H
#define PERF_SYMBOL_PERF_MAP_H

#include "symtab.h"

/*
 * Reads the symbols of a process.
 *
 * Lines of "START SIZE name", numbers in hexadecimal with or without 0x, oldest first: a later line
 * takes addresses from earlier ones. The format is that of the kernel's
 * tools/perf/Documentation/jit-interface.txt.
 * @t: symbols are added; it must not be sealed
 * @arena: for the names
 * @fd: of the file, which is closed
 * Returns: 0, or -errno.
 */
int perf_map__load(struct symtab *t, struct arena *arena, int fd);

/* Returns: whether @path is that of a perf map of the process @pid: .../perf-PID.map. */
bool perf_map__is_of(const char *path, u32 pid);

#endif
