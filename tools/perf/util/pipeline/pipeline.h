/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pipeline: source -> order -> state -> complete -> sink. Every command is one of these.
 *
 * It delivers whole samples, and all other records in the same time order, after the state was
 * updated by them.
 */
#ifndef PERF_PIPELINE_PIPELINE_H
#define PERF_PIPELINE_PIPELINE_H

#include "../complete/kernel-walk.h"
#include "../complete/live-code.h"
#include "../complete/live-stack.h"
#include "../complete/waiting-stacks.h"
#include "../data/reader.h"
#include "../off-cpu/off-cpu.h"
#include "../sample/account.h"
#include "../sink/sink.h"

struct jit_dir;
struct jit_dumps;
struct jit_load;

struct pipeline_opts {
	bool keep_deferred;       /* do not merge deferred callchains */
	bool keep_copies;         /* do not unwind stack copies */
	bool keep_switches;       /* make no samples of the time off the CPU */
	const struct time_within *times_within; /* see struct off_cpu_opts */
	u64 max_pending;          /* stream or live: bytes that wait for records; 0: 64 MB */
	/*
	 * Live: returns true when too many records wait. Stack copies are then left as recorded
	 * (USER_PART_KEPT), if unwinding takes longer than writing them. NULL: never.
	 */
	bool (*backlogged)(void *ctx);
	void *backlogged_ctx;
	struct kernel_walk kernel_walk; /* live: who has walked stacks already; zeros: nobody */
	struct live_stack live_stack; /* live: what is in no copy; zeros: that is not read */
	struct live_code live_code;   /* live: code without a file; zeros otherwise */
	bool snapshots;           /* live: records of a round may be of any time until now */
	const char *unwind;       /* backend; NULL: default */
	const struct unwind_observer *observer; /* of each walk's steps; NULL: none */
	u32 max_stack;            /* frames that are unwound from a copy; 0: 8,192 */
	bool want_sps;            /* samples have .sps, where they are unwound */
	u32 jobs;                 /* threads that unwind copies of a file; 0: 1 */
	struct symbols_opts symbols;
	struct sink sink;         /* the first, which may name a next one */
	/* Called now and then, with bytes. Returns 0; anything else ends the run. NULL: none. */
	int (*progress)(void *ctx, u64 done, u64 total);
	void *progress_ctx;
	/*
	 * Told of each piece of code of jitdump files when its time comes (jit/jit-dumps.h), which
	 * then is not mapped. Returns 0; anything else ends the run. NULL: it is mapped.
	 */
	int (*on_code)(void *ctx, const struct jit_load *load);
	void *on_code_ctx;
	/*
	 * Live: the directory where code that programs register for debuggers is written
	 * (jit/gdb-jit.h), and perf maps of containers (jit/map-copies.h); and what is told of each
	 * file. NULL: neither is looked for. .now returns the time of a record that would be made
	 * now; NULL: that is not known, and what programs register is not looked for.
	 */
	struct jit_dir *jit_dir;
	const char *runtimes;     /* live: which are looked for (runtime/runtime.h); NULL: all */
	u64 (*now)(void *ctx);
	int (*on_jit_file)(void *ctx, u32 pid, const char *path, u64 time);
	int (*on_map_copy)(void *ctx, u32 pid, const char *path, u64 time);
	/*
	 * Live: told of code of files that programs have moved to memory (jit/moved-text.h), which
	 * then should be mapped, by pipeline__insert(). NULL: it is not looked for.
	 */
	int (*on_moved_text)(void *ctx, u32 pid, const struct map *map, u64 time);
	void *on_jit_file_ctx;
};

#define OPT_UNWIND_SOURCES(list)                                                              \
	OPT_STRING(0, "unwind", &(list), "list",                                              \
		   "sources for unwinding: sframe,eh_frame,fp (default), or libdw")

struct pipeline;

/*
 * @out: for pipeline__free()
 * @rec: borrowed
 * @opts: copied; what it points to is borrowed
 * Returns: 0, or -errno with words. The sinks have begun.
 */
int pipeline__new(struct pipeline **out, const struct recording *rec,
		  const struct pipeline_opts *opts, struct error *err);

/* Frees the pipeline, with state and symbols. @p may be NULL. */
void pipeline__free(struct pipeline *p);

/*
 * Runs a whole file or stream through the pipeline, from first to last record.
 *
 * A file is read twice, so that order and deferred callchains are exact. A stream
 * (reader__is_stream()) is put in order by its rounds, and .max_pending limits what waits for a
 * deferred callchain: samples that could not wait are USER_PART_MISSING with DEFERRED_PASSED, and
 * their records are passed on.
 * Returns: 0; what a sink has returned, which ends the run; -errno with words. Damage in the file
 *         is no error here: see reader__account().
 */
int pipeline__run(struct pipeline *p, struct reader *r, struct error *err);

/*
 * Live (opts.symbols.binary.live): the caller pushes what the rings have held in any order, says
 * when a round over all rings is done, and finishes. What waits for a deferred callchain is copied,
 * and limited as that of a stream, so nothing that was pushed is needed longer than until the end
 * of the next round.
 * @release: called when a pushed record is no longer needed
 */
void pipeline__on_release(struct pipeline *p, void (*release)(void *ctx, struct record *rec),
			  void *ctx);

/*
 * Takes a record. Its bytes must live until it is released. Returns 0, or what a sink has returned.
 */
int pipeline__push(struct pipeline *p, const struct record *rec);

/*
 * Delivers a record, which is no sample, at once. To be called only by what the pipeline calls.
 * Returns: 0, or what a sink has returned.
 */
int pipeline__insert(struct pipeline *p, const struct perf_event_header *hdr);

/* Ends a round over all rings. Returns 0, or what a sink has returned. */
int pipeline__round(struct pipeline *p);

/* Records with a doubted time (order.h) leave within two rounds from now. */
void pipeline__expire_doubted(struct pipeline *p);

/*
 * Live, shortly before the end of a file: reads the stacks of threads that are in the kernel, for
 * the samples of them that wait for a deferred callchain, which then will not come. The events that
 * bring these are still enabled; of samples that are still in the rings nothing is found. What was
 * found is used by pipeline__finish() or pipeline__flush_waiting(), two rounds later or more, if no
 * record has come after all, nor one of a loss.
 * @reader: for this call
 */
void pipeline__read_waiting(struct pipeline *p, const struct stack_reader *reader);

/*
 * Live, shortly before the end of a recording of time off the CPU: reads the stacks of threads of
 * which no record has come. If none comes until pipeline__finish(), they have slept all the time.
 * @reader: for this call
 */
void pipeline__read_slept(struct pipeline *p, const struct stack_reader *reader);

/* Forgets what was found: records may have been lost of which no record tells. */
void pipeline__forget_waiting(struct pipeline *p);

/*
 * Delivers what waits for deferred callchains, as at the end: a file ends here, not the data.
 * Returns: 0, or what a sink has returned.
 */
int pipeline__flush_waiting(struct pipeline *p);

/* Returns: the bytes that wait for deferred callchains. */
u64 pipeline__pending(const struct pipeline *p);

/* Delivers everything, and ends the sinks. Returns 0, or what a sink has returned. */
int pipeline__finish(struct pipeline *p);

/* Returns: the state; owned by the pipeline. */
struct machine *pipeline__machine(struct pipeline *p);

/* Returns: the symbols; owned by the pipeline. */
struct symbols *pipeline__symbols(struct pipeline *p);

/* Returns: the code of JIT compilers; owned by the pipeline. */
struct jit_dumps *pipeline__jit(struct pipeline *p);

/* Returns: the perf maps of containers; owned by the pipeline; NULL without .jit_dir. */
struct map_copies *pipeline__map_copies(struct pipeline *p);

/* Returns: the stage that follows threads off their CPUs; NULL: the recording is not for it. */
struct off_cpu *pipeline__off_cpu(const struct pipeline *p);

/* Returns: the account so far; owned by the pipeline. */
const struct pipeline_account *pipeline__account(struct pipeline *p);

#endif
