/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes recordings with deferred callchains, of any size: one busy thread on each of four CPUs
 * that enters the kernel again and again, and threads that sleep in it, each with a sample that
 * waits for its record. Now and then one of them wakes up, brings its record, and sleeps again.
 * The CPUs' buffers lie in the file as a recorder drains them, in rounds.
 */
#ifndef PERF_BENCH_DEFERRED_FILE_H
#define PERF_BENCH_DEFERRED_FILE_H

#include "../util/data/writer.h"

struct deferred_file {
	u32 sleepers;  /* threads whose sample waits at any time */
	u64 samples;
	u32 wake_every; /* samples of busy threads for each sleeper that wakes; 0: 16 */
};

/* Writes such a recording to @path. Returns 0, or -errno with words. */
int deferred_file__write(const struct deferred_file *f, const char *path, struct error *err);

#endif
