/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measures the matching of deferred callchains: a recording goes through the pipeline to a sink
 * that does nothing, once with chains left alone and once with chains joined.
 */
#ifndef PERF_BENCH_STITCH_H
#define PERF_BENCH_STITCH_H

#include "../util/pipeline/pipeline.h"

struct bench_stitch {
	u64 bytes;                 /* of the recording's data */
	u64 plain_cpu, joined_cpu; /* ns of CPU time */
	struct pipeline_account account;
};

/*
 * Measures a recording, the best of several runs each, in turns.
 * @b: filled
 * @path: the recording
 * @repeat: runs
 * @force: read recordings of other users, too
 * Returns: 0, or -errno with words.
 */
int bench_stitch__run(struct bench_stitch *b, const char *path, unsigned int repeat, bool force,
		      struct error *err);

/* Prints the result on stdout. */
void bench_stitch__print(const struct bench_stitch *b);

/*
 * Measures recordings that are made in $TMPDIR, with 10 to 20,000 threads that wait, and prints a
 * line for each.
 * @samples: of each recording
 * @repeat: runs
 * Returns: 0, or -errno with words.
 */
int bench_stitch__curve(u64 samples, unsigned int repeat, struct error *err);

#endif
