/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stage that gives samples what the agent in their process has written: in front of the sink
 * that writes the file. Samples wait here for their record, and what comes behind them waits for
 * its turn; at a bound of bytes, the oldest sample goes on without. See
 * Documentation/design/agent.md.
 */
#ifndef PERF_AGENT_AGENT_STAGE_H
#define PERF_AGENT_AGENT_STAGE_H

#include "../sink/sink.h"
#include "agent-codes.h"
#include "agent-match.h"

struct agent_account {
	u64 results[AGENT_RESULT_NR];
	u64 agreed;        /* matched samples with which the kernel's deferred record agrees */
	u64 records;       /* of agents */
	u64 processes;     /* with an agent */
	u64 frames;        /* that were put into chains */
	u64 misplaced;     /* samples whose frames did not fit the native ones: left out */
	u64 torn;          /* records whose frames could not be read to their end */
	u64 cut;           /* records with more frames than they have room for */
	u64 unnamed;       /* frames without a name */
	u64 damaged;       /* records and rings that made no sense */
	u64 compared;      /* samples that were looked at to judge one before them */
	u64 given_up;      /* records that were in the way of others; see agent_stage__sink() */
	u64 skipped;       /* samples by timers whose record found no room */
	u64 no_ring;       /* signals of threads beyond those that have a ring */
	u64 functions;     /* that have names */
	u64 ids;           /* samples that got what their thread worked on */
	u32 took[256];     /* records whose handler took so many times AGENT_TOOK_NS, or more */
};

#define AGENT_TOOK_NS 100

/* Returns: the median time that the agent's handler took, in ns. */
u64 agent_account__median(const struct agent_account *a);

struct agent_stage;

/*
 * @max_names: bytes of names that are kept, of all processes together; frames of functions that
 * are met behind that have none; 0: 512 MB
 * Returns: what agent_stage__free() frees.
 */
struct agent_stage *agent_stage__new(u64 max_names);

/*
 * Makes the stage a sink, which takes everything in the order of time and hands it on.
 * @to: the sink behind it; copied
 * @max_pending: bytes of samples that may wait, and of records; 0: 64 MB
 * Returns: the sink.
 */
struct sink agent_stage__sink(struct agent_stage *a, const struct sink *to, u64 max_pending);

/* Frees the stage, and drops what waits. @a may be NULL. */
void agent_stage__free(struct agent_stage *a);

/*
 * Says how a process gets the mapping of its functions.
 * @map: asked before the first sample that needs it, with the range and the build-id of the file,
 *       and the number of the process among those with an agent; returns 0, or what ends the run
 */
void agent_stage__on_range(struct agent_stage *a,
			   int (*map)(void *ctx, u32 pid, u32 nr, u64 time,
				      const struct agent_codes *codes), void *ctx);

/* Bytes that the callback of agent_stage__on_ids() makes at most. */
#define AGENT_ACTIVITY_MAX 4096

/*
 * Says how the ids of a record become side data of its sample.
 * @ids: called with the process, and what the record has: enum agent_ids_kind, and bytes as the
 *       program says; writes the payload of a SIDE_ACTIVITY to its last argument, and returns its
 *       size; 0: none
 */
void agent_stage__on_ids(struct agent_stage *a,
			 u32 (*ids)(void *ctx, u32 pid, u32 kind, const u8 *data, u32 size,
				    u8 *out), void *ctx);

/*
 * Says how the records of threads that are stopped by a timer of their own become samples.
 * @stop: called with each such record, when it is taken
 * @ended: called when a thread has written its last
 */
void agent_stage__on_stop(struct agent_stage *a,
			  void (*stop)(void *ctx, u32 pid, u32 tid, const struct agent_record *rec),
			  void (*ended)(void *ctx, u32 pid, u32 tid), void *ctx);

/*
 * Visits the processes that still can write records.
 * @each: gets the memory, which stays the stage's
 */
void agent_stage__each_memory(struct agent_stage *a,
			      void (*each)(void *ctx, u32 pid, struct agent_memory *m), void *ctx);

/*
 * From now on the process @pid has an agent; what it had before, as another program, ends.
 * @time: present
 * @memory: becomes the stage's
 * @range_start, @range_size: the addresses of functions without code, as the program says
 */
void agent_stage__begin_process(struct agent_stage *a, u32 pid, u64 time,
				const struct agent_memory *memory, u64 range_start, u64 range_size);

/*
 * The process @pid has no agent any more, and is not waited for.
 * @time: present
 */
void agent_stage__end_process(struct agent_stage *a, u32 pid, u64 time);

/* Takes what agents have written. To be called when a round ends, before its samples come. */
void agent_stage__read(struct agent_stage *a);

/*
 * Visits the processes whose functions have addresses in the file.
 * @each: returns 0, or what ends the visit
 * Returns: what @each has returned last.
 */
int agent_stage__each_codes(const struct agent_stage *a,
			    int (*each)(void *ctx, u32 pid, u32 nr, const struct agent_codes *c),
			    void *ctx);

/* Returns: the account so far. */
struct agent_account agent_stage__account(const struct agent_stage *a);

/*
 * One line for people: "39870 of 40000 samples matched (99.6 %), 130 not: 100 agent blocked, ...".
 * Returns: the length as snprintf() does.
 */
int agent_account__line(const struct agent_account *a, char *buf, size_t size);

/* A user part of a chain, innermost first. */
struct agent_chain {
	u64 *ips, *sps; /* sps: the stack pointer in each frame */
	u8 *methods;
	u64 nr;
};

/*
 * Puts frames into a native chain: those that one call of the interpreter runs behind the frame of
 * that call, as its callers, so that the chain still begins with the code that was interrupted. The
 * call is known by the address of its entry.
 * @native: the native frames; .sps is needed, .methods may be NULL
 * @hit: the frames
 * @out: .ips and .methods have room for native->nr + hit->nr; a frame counts as found by the method
 *       by which the native frame was that proves its place
 * Returns: the number of frames; native->nr when none did fit. Those that do not are left out.
 */
u64 agent_stage__splice(const struct agent_chain *native, const struct agent_hit *hit,
			struct agent_chain *out);

#endif
