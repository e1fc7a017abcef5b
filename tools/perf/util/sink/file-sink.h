/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of a pipeline that is a perf.data file: writes what leaves the complete stage, in time
 * order, and notes which binaries it hits.
 *
 * With .stitch samples are rewritten: their callchain is the whole one, and registers and stack
 * copy are gone. With .keep_copies they stay, without the bytes that the kernel did not write, and
 * what was unwound from the copy stays out of the callchain: readers would add it to itself.
 * The recording that the writer was opened with must say the same: see attr__completed(). Where
 * samples may pass unmerged it says that callchains are deferred, until file_sink__describe().
 * With .parts SPLICE_EMPTY it says that samples have copies: those that the pipeline did not unwind
 * (USER_PART_KEPT) have them, and all others empty ones.
 */
#ifndef PERF_SINK_FILE_SINK_H
#define PERF_SINK_FILE_SINK_H

#include "../data/sample-splice.h"
#include "../data/writer.h"
#include "sink.h"

struct file_sink {
	struct writer *writer;      /* borrowed */
	bool stitch, keep_copies;
	enum splice_parts parts;    /* of stitched samples */
	bool live;                  /* note the binaries that are hit, for their build-ids */
	bool drop_foreign;          /* CALLCHAIN_DEFERRED records of tasks not recorded */
	u64 foreign;                /* of them: dropped */
	u64 samples;                /* written */
	u64 first_time, last_time;  /* of samples; 0: none */
	u64 unmerged;               /* deferred samples and callchains, written as recorded */
	u64 skipped;                /* samples whose parts do not fit: not written */
	struct error err;           /* of the writer; .code != 0 ended the run */

	struct machine *machine;    /* internal, like all that follows; both of the pipeline */
	struct binaries *binaries;
	u8 *buf, *trimmed;
	VEC(u8) hit;                /* cpumode of a hit by dso id, 0: none */
	VEC(struct data_build_id) build_ids; /* of those, when they are forgotten */
	struct arena *names;        /* theirs, as a forgotten dso takes its own along */
	struct map64 build_id_at;   /* hash of one -> its place there, from 1 */
};

void file_sink__init(struct file_sink *s);
void file_sink__restart(struct file_sink *s); /* for the next file: its own hits and samples */
void file_sink__free(struct file_sink *s);

/*
 * What goes into pipeline_opts.sink. With .stitch, which is set before, it wants no records that
 * are merged.
 */
struct sink file_sink__ops(struct file_sink *s);

/* Functions of it, for a sink that looks at what passes: @ctx is the file_sink. */
void file_sink__begin(void *ctx, struct machine *machine, struct symbols *symbols);
int file_sink__sample(void *ctx, const struct whole_sample *ws);
int file_sink__record(void *ctx, const struct record *rec);

/*
 * Fills what follows from the samples: build-ids of the binaries that were hit, times of the first
 * and last sample; and with .stitch, attrs that say of no deferred callchains when there are none
 * left, so that readers older than Linux 6.19 have nothing to wonder at.
 */
void file_sink__describe(struct file_sink *s, struct recording *rec);

#endif
