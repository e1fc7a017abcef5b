/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measures the unwinding of a recording's stack copies: reader, state, walk, and nothing behind
 * them. A run begins with no table made, as a process would, and with none on disk. The same is
 * done once more with tables on disk, in a directory of its own.
 */
#ifndef PERF_BENCH_UNWIND_H
#define PERF_BENCH_UNWIND_H

#include "../util/pipeline/pipeline.h"

/* What a run took, in ns. */
struct bench_run {
	u64 user, sys, elapsed;        /* user and sys: of CPU time */
	u64 began;                     /* when the first record came out of the pipeline */
	u64 first;                     /* from then until the first stack; 0: there is none */
};

struct bench_unwind {
	u64 bytes;                     /* of the recording's data */
	u64 read_cpu;                  /* ns of CPU time for reading all records and no more */
	struct bench_run run;          /* without tables on disk */
	struct bench_run kept;         /* with all of them; 0: not by tables */
	u64 kept_files, kept_bytes;
	u64 frames;                    /* user frames of unwound samples */
	struct pipeline_account account;
};

/*
 * Measures a recording, in one run.
 * @b: filled
 * @path: the recording
 * @unwind: the backend; NULL: the default
 * @force: read recordings of other users, too
 * Returns: 0, or -errno with words.
 */
int bench_unwind__run(struct bench_unwind *b, const char *path, const char *unwind, bool force,
		      struct error *err);

/* Prints the result on stdout. */
void bench_unwind__print(const struct bench_unwind *b);

#endif
