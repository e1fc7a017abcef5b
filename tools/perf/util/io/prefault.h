/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that takes half of the page faults of who reads a mapped file from its beginning to
 * its end: it touches every second stretch of it, some way ahead. No fault is taken twice, so
 * that this costs no more than to read alone, and less time where a CPU is free.
 */
#ifndef PERF_IO_PREFAULT_H
#define PERF_IO_PREFAULT_H

#include "mapfile.h"

struct prefault;

/* NULL: the file is too small for it, or there is no thread to be had. @map must live longer. */
struct prefault *prefault__start(const struct mapfile *map);
void prefault__stop(struct prefault *t); /* NULL is fine */

/* The reader has come to byte @at of the file; to be called now and then. NULL is fine. */
void prefault__note(struct prefault *t, u64 at);

#endif
