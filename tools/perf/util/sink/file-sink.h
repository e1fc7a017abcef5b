/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of a pipeline that is a perf.data file: writes what leaves the complete stage, in time
 * order, and notes which binaries it hits.
 *
 * With .stitch samples are rewritten: they get the whole callchain, and registers and stack copy
 * are left out. With .keep_copies these are kept, without the bytes that the kernel did not write,
 * and frames that were unwound from the copy are left out of the callchain: readers unwind them
 * again.
 *
 * The attrs of the recording that the writer was opened with must match: see attr__completed(). If
 * samples may pass unmerged, they must say that callchains are deferred, until
 * file_sink__describe(). With .parts SPLICE_EMPTY they must say that samples have copies: those
 * that the pipeline did not unwind (USER_PART_KEPT) have them, all others have empty ones.
 */
#ifndef PERF_SINK_FILE_SINK_H
#define PERF_SINK_FILE_SINK_H

#include "../data/sample-splice.h"
#include "../data/writer.h"
#include "dso-hits.h"
#include "sink.h"

struct file_sink {
	struct writer *writer;      /* borrowed */
	bool stitch, keep_copies;
	enum splice_parts parts;    /* of stitched samples */
	bool drop_rest;             /* what is behind a sample's parts is not to be written */
	bool notes;                 /* .written has stack_notes: samples get theirs */
	bool live;                  /* note the binaries that are hit, for their build-ids */
	bool drop_foreign;          /* CALLCHAIN_DEFERRED records of tasks not recorded */
	u64 foreign;                /* of them: dropped */
	/* Live: a binary that was hit has this build-id; called when it is noted. NULL: none. */
	void (*found)(void *ctx, const struct dso *dso, const struct build_id *id);
	void *found_ctx;
	u64 samples;                /* written */
	u64 first_time, last_time;  /* of samples; 0: none */
	u64 unmerged;               /* deferred samples and callchains, written as recorded */
	u64 skipped;                /* samples whose parts do not fit: not written */
	struct error err;           /* of the writer; its .code, if not 0, has ended the run */

	struct machine *machine;    /* internal, like all that follows; both of the pipeline */
	struct binaries *binaries;
	u8 *buf, *trimmed, *note;
	struct dso_hits hits;
	VEC(struct data_build_id) build_ids; /* of those, when they are forgotten */
	struct arena *names;        /* paths of .build_ids; those of forgotten dsos are freed */
	struct map64 build_id_at;   /* hash of a build-id -> its index there + 1 */
};

/* Initializes the internal fields. The others are set by the caller. */
void file_sink__init(struct file_sink *s);

/* To be called between two files: build-ids and counts begin anew. */
void file_sink__restart(struct file_sink *s);

/* Frees the internal fields. The writer is left alone. */
void file_sink__free(struct file_sink *s);

/*
 * Returns: what goes into pipeline_opts.sink; @s must live as long as the pipeline. With .stitch,
 *         which is set before, it wants no records that are merged.
 */
struct sink file_sink__ops(struct file_sink *s);

/*
 * The functions of file_sink__ops(), for a sink that looks at what passes. @ctx is the file_sink.
 * Return 0 or -errno, and then .err has words.
 */
void file_sink__begin(void *ctx, struct machine *machine, struct symbols *symbols);
int file_sink__sample(void *ctx, const struct whole_sample *ws);
int file_sink__record(void *ctx, const struct record *rec);

/*
 * Puts into @rec what follows from the samples: build-ids of the binaries that were hit, times of
 * the first and last sample; and with .stitch, attrs that do not claim deferred callchains when
 * there are none left, so that readers older than Linux 6.19 know all that is there.
 */
void file_sink__describe(struct file_sink *s, struct recording *rec);

#endif
