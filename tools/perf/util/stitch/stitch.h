/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf stitch: a recording in, the same recording with whole callchains out.
 *
 * reader -> pipeline -> writer. Deferred callchains and stacks unwound from copies become part of
 * the callchains; all other records, the features and the build-ids are kept; records are written
 * in time order, so that stitching the result again changes nothing.
 *
 * A regular file is written under a temporary name beside it and takes its place when it is
 * complete, so the output may be the input: after a crash, a signal or on a full disk the input is
 * unchanged. The input is kept as FILE.old if the result lacks something that it has; a second
 * stitch of the same file keeps the FILE.old of the first one.
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
	u32 jobs;                /* the same */
	const char *unwind;      /* backend; NULL: default */
	struct symbols_opts symbols;
	/* Whether a sample is written; NULL: all are. */
	bool (*wanted)(void *ctx, const struct whole_sample *ws);
	void *wanted_ctx;
	/* Sinks that get all samples, written or not; NULL: none. */
	const struct sink *also;
	int (*progress)(void *ctx, u64 done, u64 total);
	void *progress_ctx;
};

struct stitch_result {
	struct pipeline_account total;  /* of the samples that were wanted */
	struct pipeline_account *events; /* by evsel.idx: .samples and their classes only */
	size_t nr_events;
	u64 filtered;                   /* samples that were not wanted */
	u64 dropped;                    /* left out because they are incomplete */
	u64 written;                    /* samples */
	u64 misfits;                    /* samples that cannot be written: not written */
	u64 bytes_in, bytes_out;
	char *old;                      /* FILE.old, when the input was replaced and kept */
	struct pipeline *pipeline;      /* that was run; NULL: none was */
};

/* Frees what the result points to. To be called before the reader is closed. */
void stitch_result__free(struct stitch_result *r);

/*
 * Says where the result goes when the user does not.
 * @input: the path of the recording
 * Returns: @input, to be replaced; "-" (stdout) when that is a pipe; NULL with words for a
 *         directory.
 */
const char *stitch__default_output(const char *input, struct error *err);

/*
 * Stitches a recording.
 * @result: filled in any case; for stitch_result__free()
 * Returns: 0, or -errno with words. A damaged input is no error, see reader__account(), unless it
 *         would be replaced by what could be read: -EBADMSG. The same when stack copies would be
 *         lost because the binaries that they need are not here.
 */
int stitch__run(struct reader *r, const struct stitch_opts *opts, struct stitch_result *result,
		struct error *err);

#endif
