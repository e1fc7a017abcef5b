/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pipeline: source -> order -> state -> complete -> sink. Every command is one of these.
 *
 * What leaves it are whole samples; other records pass by in the same time order, after the state
 * has taken them.
 */
#ifndef PERF_PIPELINE_PIPELINE_H
#define PERF_PIPELINE_PIPELINE_H

#include "../data/reader.h"
#include "../sample/account.h"
#include "../sink/sink.h"

struct pipeline_opts {
	bool keep_deferred;       /* do not merge deferred callchains */
	bool keep_copies;         /* do not unwind stack copies */
	u64 max_pending;          /* stream or live: bytes that wait for records; 0: 64 MB */
	/*
	 * Live: true when too many records wait. Then stack copies are left as they are recorded
	 * (USER_PART_KEPT), if to unwind them takes longer than to write them. NULL: never.
	 */
	bool (*backlogged)(void *ctx);
	void *backlogged_ctx;
	bool snapshots;           /* live: what comes at once may be of any time until now */
	const char *unwind;       /* backend; NULL: default */
	const struct unwind_observer *observer; /* of each walk's steps; NULL: none */
	u32 max_stack;            /* frames that are unwound from a copy; 0: 1024 */
	u32 jobs;                 /* threads that unwind copies of a file; 0: 1 */
	struct symbols_opts symbols;
	struct sink sink;         /* the first, which may name a next one */
	void (*progress)(void *ctx, u64 done, u64 total); /* bytes; NULL: none */
	void *progress_ctx;
};

struct pipeline;

int pipeline__new(struct pipeline **out, const struct recording *rec,
		  const struct pipeline_opts *opts, struct error *err);
void pipeline__free(struct pipeline *p);

/*
 * A whole file or stream, from first to last record. A file is read twice, so that order and
 * deferred callchains are exact. A stream (reader__is_stream()) is put in order by its rounds, and
 * what waits for a deferred callchain is bounded by .max_pending; samples that could not wait
 * are USER_PART_MISSING with DEFERRED_PASSED, and their records are handed on.
 *
 * What a sink returns other than 0 ends the run and is returned; else all sinks end. Damage in the
 * file is no error here: see reader__account().
 */
int pipeline__run(struct pipeline *p, struct reader *r, struct error *err);

/*
 * Live (opts.symbols.binary.live): push what the rings held in any order, say when a round over all
 * rings is done, and finish. @release is called when a pushed record is no longer needed. What
 * waits for a deferred callchain is copied and bounded as that of a stream, so nothing that was
 * pushed is needed longer than until the end of the next round.
 */
void pipeline__on_release(struct pipeline *p, void (*release)(void *ctx, struct record *rec),
			  void *ctx);
int pipeline__push(struct pipeline *p, const struct record *rec);
int pipeline__round(struct pipeline *p);
/* All that was pushed leaves within two rounds from now, whatever its time. */
void pipeline__expire_doubted(struct pipeline *p);
/* What waits for deferred callchains leaves, as at the end: a file ends here, not the data. */
int pipeline__flush_waiting(struct pipeline *p);
u64 pipeline__pending(const struct pipeline *p); /* bytes of it */
int pipeline__finish(struct pipeline *p); /* the sinks end, too */

struct machine *pipeline__machine(struct pipeline *p);
struct symbols *pipeline__symbols(struct pipeline *p);
const struct pipeline_account *pipeline__account(struct pipeline *p);

#endif
