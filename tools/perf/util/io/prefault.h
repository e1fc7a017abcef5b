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
 * Starts the thread.
 * @map: borrowed; must outlive the thread
 * Returns: NULL when the file is too small, or no thread can be created.
 */
struct prefault *prefault__start(const struct mapfile *map);

/* Ends the thread and frees @t, which may be NULL. */
void prefault__stop(struct prefault *t);

/*
 * Says how far the reader is; to be called now and then.
 * @t: may be NULL
 * @at: the byte of the file that the reader has reached
 */
void prefault__note(struct prefault *t, u64 at);

#endif
