/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that takes half of the page faults for a reader that goes through a mapped file from
 * beginning to end: it touches every second stretch of the file, some distance ahead of the reader.
 * No fault is taken twice, so the total cost stays the same; the elapsed time shrinks if a CPU is
 * free.
 */
#ifndef PERF_IO_PREFAULT_H
#define PERF_IO_PREFAULT_H

#include "mapfile.h"

struct prefault;

/*
 * Starts the thread. @map must outlive it. NULL: the file is too small, or no thread can be
 * created.
 */
struct prefault *prefault__start(const struct mapfile *map);
void prefault__stop(struct prefault *t); /* NULL is fine */

/*
 * Tells that the reader has reached byte @at of the file; to be called now and then. @p may be
 * NULL.
 */
void prefault__note(struct prefault *t, u64 at);

#endif
