/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a recording again with what it lacks: `perf inject`.
 *
 * With .jit each function in the jitdump files of the recorded processes becomes an ELF file beside
 * the jitdump file, jitted-PID-N.so, and a mapping of that file at the time when the function was
 * made. Readers that know nothing of jitdump files then have names, rows and lines. The mapping of
 * the jitdump file itself is left out, and so are those of the compiler's memory, which would lie
 * over the functions. Samples stay as they are.
 */
#ifndef PERF_INJECT_INJECT_H
#define PERF_INJECT_INJECT_H

#include "../jit/jit-dumps.h"
#include "../pipeline/pipeline.h"

struct inject_opts {
	const char *output;     /* "-": standard output */
	bool jit;
	bool build_ids;         /* those of the binaries that samples are in go into the header */
	struct symbols_opts symbols;
	int (*progress)(void *ctx, u64 done, u64 total); /* as of a pipeline */
	void *progress_ctx;
};

struct inject_result {
	struct jit_account jit;   /* what was read */
	u64 files;                /* jitted-PID-N.so that were written */
	u64 mappings;             /* of them */
	u64 unwritten;            /* functions whose file could not be written: without a mapping */
	struct error unwritten_why; /* of the first of these */
	struct pipeline_account account;
	u64 bytes_out;
};

/* Returns: whether @path is the name of an ELF file that .jit makes (a broker_makes_fn). */
bool inject__makes(const void *ctx, const char *path);

/*
 * Runs it.
 * @r: what is read
 * @result: filled in any case
 * Returns: 0, or -errno with words. A damaged input is no error: see reader__account().
 */
int inject__run(struct reader *r, const struct inject_opts *opts, struct inject_result *result,
		struct error *err);

#endif
