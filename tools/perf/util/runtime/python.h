/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPython 3.11 to 3.14, without an agent in it: as of runtime-kind.h. The frames of a sample come
 * from the program that walks stacks in the kernel, which is told here where they are; names and
 * lines are read from the living process. Internal to this room.
 *
 * A function has the addresses of its bytecode, where nothing else is ever executed. It is known by
 * what tells its code object from others (python_code__print()), which the program reads with each
 * frame: so what has its memory at the time of the look is no other function than at the time of
 * the sample, or the frame has no name.
 */
#ifndef PERF_RUNTIME_PYTHON_H
#define PERF_RUNTIME_PYTHON_H

#include "runtime-kind.h"

extern const struct runtime_kind python_kind;

#endif
