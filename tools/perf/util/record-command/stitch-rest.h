/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The second pass over a recording: samples that could not wait for their deferred callchain, and
 * stack copies that there was no time to unwind, are completed when nothing is recorded any more.
 */
#ifndef PERF_RECORD_COMMAND_STITCH_REST_H
#define PERF_RECORD_COMMAND_STITCH_REST_H

#include <stdbool.h>

struct stitch_rest {
	const char *file;
	int comp_level;       /* as stitch_opts, so are the next two */
	const char *unwind;
	bool no_unwind_cache;
	bool quiet;           /* errors only are printed */
};

/*
 * Runs `perf stitch` in a process of its own: it needs none of the recorder's privileges, and ^C
 * ends it and leaves the recording as it is.
 * Returns: whether the file was replaced by a complete one; else words were printed.
 */
bool stitch_rest__run(const struct stitch_rest *s);

#endif
