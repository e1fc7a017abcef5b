/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measures the unwinding of a recording's stack copies: reader, state, walk, and nothing behind
 * them. A run begins with no table made, as a process would.
 */
#ifndef PERF_BENCH_UNWIND_H
#define PERF_BENCH_UNWIND_H

#include "../util/complete/pipeline.h"

struct bench_unwind {
	u64 bytes;                     /* of the recording's data */
	u64 read_cpu;                  /* ns of CPU time for reading all records and no more */
	u64 user, sys, elapsed;        /* ns of the whole run; user and sys: of CPU time */
	u64 frames;                    /* user frames of unwound samples */
	struct pipeline_account account;
};

/* One run over @path. @unwind: the backend, NULL for the default. 0 or -errno. */
int bench_unwind__run(struct bench_unwind *b, const char *path, const char *unwind, bool force,
		      struct error *err);

/* Prints one run. */
void bench_unwind__print(const struct bench_unwind *b);

#endif
