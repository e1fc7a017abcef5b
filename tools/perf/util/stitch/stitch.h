/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf stitch: a recording in, the same recording with whole callchains out.
 *
 * reader -> pipeline -> writer. What is deferred or copied becomes part of the callchains; every
 * other record, the features and the build-ids stay; records are written in time order, so that
 * stitching the result again changes nothing.
 *
 * A regular file is written under a temporary name beside it and takes its place when it is
 * complete, so an output may be the input: a crash, a signal or a full disk costs nothing. The
 * input is kept as FILE.old if it had more than the result has: a second stitch of the same file
 * keeps the first one's.
 */
#ifndef PERF_STITCH_STITCH_H
#define PERF_STITCH_STITCH_H

#include "../data/writer.h"
#include "../pipeline/pipeline.h"

struct stitch_opts {
	const char *output;      /* "-" is stdout; of no meaning for a dry run */
	int comp_level;          /* as writer_opts */
	bool keep_copies;        /* stack copies and registers stay in the samples */
	bool drop_incomplete;    /* samples whose user part is not whole are left out */
	bool dry_run;            /* no output at all */
	bool no_old;             /* what is replaced is not kept as FILE.old */
	u64 max_pending;         /* as pipeline_opts */
	u32 jobs;                /* likewise */
	const char *unwind;      /* backend; NULL: default */
	struct symbols_opts symbols;
	/* Which samples are taken over; NULL: all. */
	bool (*wanted)(void *ctx, const struct whole_sample *ws);
	void *wanted_ctx;
	/* Sinks that get the same, whatever is taken over; NULL: none. */
	const struct sink *also;
	void (*progress)(void *ctx, u64 done, u64 total);
	void *progress_ctx;
};

struct stitch_result {
	struct pipeline_account total;  /* of the samples that were wanted */
	struct pipeline_account *events; /* by evsel.idx; .samples and what follows from it */
	size_t nr_events;
	u64 filtered;                   /* samples that were not wanted */
	u64 dropped;                    /* left out because they are incomplete */
	u64 written;                    /* samples */
	u64 misfits;                    /* samples that cannot be written: not written */
	u64 bytes_in, bytes_out;
	char *old;                      /* where the input is now, when it was replaced and kept */
	struct pipeline *pipeline;      /* internal */
};

void stitch_result__free(struct stitch_result *r); /* before the reader is closed */

/*
 * Where the result goes when the user did not say: in place of @input, or to stdout ("-") when
 * that is a pipe. NULL and words in @err where neither is possible.
 */
const char *stitch__default_output(const char *input, struct error *err);

/*
 * 0, or -errno with words; the result is filled in both cases. A damaged input is no error, see
 * reader__account(), unless it would be replaced by what could be read: -EBADMSG. Likewise when
 * stack copies would be replaced by nothing, because the binaries are not here.
 */
int stitch__run(struct reader *r, const struct stitch_opts *opts, struct stitch_result *result,
		struct error *err);

#endif
