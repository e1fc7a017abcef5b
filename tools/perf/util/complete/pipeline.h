/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pipeline: source -> order -> state -> complete -> sink. Every command is one of these.
 *
 * What leaves it is one thing: a sample with its thread, its time and its whole callchain, plus
 * the reason when part of it is missing. A sink knows nothing of cookies, stack copies or
 * unwind tables. Other records pass by in the same time order, after the state has taken them.
 */
#ifndef PERF_COMPLETE_PIPELINE_H
#define PERF_COMPLETE_PIPELINE_H

#include "../callchain-deferred.h"
#include "../data/reader.h"
#include "../state/machine.h"
#include "../symbol/symbols.h"
#include "../unwind/unwind.h"

/* How the user part of a chain came to be. */
enum user_part {
	USER_PART_NONE,      /* there is nothing to have: kernel thread, idle, or not asked for */
	USER_PART_RECORDED,  /* the sample brought it (frame pointers), as the kernel saw it */
	USER_PART_DEFERRED,  /* from its CALLCHAIN_DEFERRED record */
	USER_PART_UNWOUND,   /* from its stack copy */
	/*
	 * Deferred, but not to be had: see .deferred. The ip of a sample taken in user mode stands
	 * for it, so that the leaf is known.
	 */
	USER_PART_MISSING,
	USER_PART_KEPT,      /* left as recorded on request (--no-merge-callchains, --no-stitch) */
	USER_PART_NR
};

struct whole_sample {
	const struct record *rec;
	const struct sample *s;         /* decoded, as recorded */
	const struct thread *thread;    /* as of the sample's time */
	/*
	 * The whole chain is in two pieces, each where it was found: what was recorded (context
	 * markers and addresses; a cookie only when .user_part is KEPT), and the user addresses
	 * that complete it. PERF_CONTEXT_USER belongs between them, if there are any.
	 */
	const u64 *chain, *user;
	u64 nr_chain, nr_user;
	enum user_part user_part;
	enum deferred_result deferred;  /* meaningful when the sample was deferred */
	enum unwind_stop stop;          /* meaningful when UNWOUND; OUTERMOST: it is whole */
	const u8 *methods;              /* when UNWOUND: how each of .user was found, */
	u32 found[UNWIND_METHOD_NR];    /* and how many by each method */
};

struct pipeline_sink {
	int (*sample)(void *ctx, const struct whole_sample *ws);
	/* Every other record, after the state took it; may be NULL. */
	int (*record)(void *ctx, const struct record *rec);
	/* Live: a dso that nobody maps any more is about to be forgotten; may be NULL. */
	void (*forget)(void *ctx, const struct dso *dso);
	void *ctx;
};

/* No program is done with so few: its main() alone has a caller, and that has one. */
#define SHORT_CHAIN 2

/*
 * The account of what is whole and what is missing, and why. Every sample is in exactly one
 * class of user_part[]; those of USER_PART_UNWOUND are divided by stop[], those of
 * USER_PART_DEFERRED and USER_PART_MISSING by deferred[].
 */
struct pipeline_account {
	u64 samples;
	u64 user_part[USER_PART_NR];
	u64 kernel_alone;               /* of USER_PART_NONE: a chain of the kernel, and no more */
	u64 recorded_short;             /* RECORDED: with SHORT_CHAIN user frames at most */
	u64 deferred[DEFERRED_NR];
	u64 deferred_empty;             /* MISSING: the record came, but the kernel had no frames */
	u64 stop[UNWIND_STOP_NR];       /* of unwound samples */
	u64 frames[UNWIND_METHOD_NR];   /* frames of unwound samples by method */
	u64 copies;                     /* samples with a stack copy */
	u64 copies_full;                /* of them: all its room was used, so the stack goes on */
	u64 copy_bytes, copy_room;      /* that the kernel wrote, and that it reserved */
	u64 late;                       /* records that order could not place */
	u64 odd;                        /* records with a time that cannot be; see order.h */
	u64 lost;                       /* records that found no room, told meanwhile (LOST) */
	u64 lost_samples;               /* the same, and more, told at the end (LOST_SAMPLES) */
	u64 malformed;                  /* records whose contents do not fit; passed over */
	struct deferred_stats deferred_stats;
};

struct pipeline_opts {
	bool keep_deferred;       /* do not merge deferred callchains */
	bool keep_copies;         /* do not unwind stack copies */
	bool drop_served;         /* the sink gets no CALLCHAIN_DEFERRED that nobody needs */
	bool carry_maps;          /* it gets a mapping before its time, too, if a sample needs it */
	bool split_reads;         /* a sample that says what a group counted is one of each event */
	u64 max_pending;          /* stream or live: bytes that wait for records; 0: 64 MB */
	/*
	 * Live: true when too many records wait. Then stack copies are left as they are recorded
	 * (USER_PART_KEPT), if to unwind them takes longer than to write them. NULL: never.
	 */
	bool (*behind)(void *ctx);
	void *behind_ctx;
	bool snapshots;           /* live: what comes at once may be of any time until now */
	const char *unwind;       /* backend; NULL: default */
	const struct unwind_observer *observer; /* of each walk's steps; NULL: none */
	u32 max_stack;            /* frames that are unwound from a copy; 0: 1024 */
	u32 jobs;                 /* threads that unwind copies of a file; 0: 1 */
	struct symbols_opts symbols;
	struct pipeline_sink sink;
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
 * What a sink returns other than 0 ends the run and is returned. Damage in the file is no error
 * here: see reader__account().
 */
int pipeline__run(struct pipeline *p, struct reader *r, struct error *err);

/*
 * Live (opts.symbols.live): push what the rings held in any order, say when a round over all rings
 * is done, and finish. @release is called when a pushed record is no longer needed. What waits for
 * a deferred callchain is copied and bounded as that of a stream, so nothing that was pushed is
 * needed longer than until the end of the next round.
 */
void pipeline__on_release(struct pipeline *p, void (*release)(void *ctx, struct record *rec),
			  void *ctx);
int pipeline__push(struct pipeline *p, const struct record *rec);
int pipeline__round(struct pipeline *p);
/* All that was pushed leaves within two rounds from now, whatever its time. */
void pipeline__hurry(struct pipeline *p);
/* What waits for deferred callchains leaves, as at the end: a file ends here, not the data. */
int pipeline__settle(struct pipeline *p);
u64 pipeline__pending(const struct pipeline *p); /* bytes of it */
int pipeline__finish(struct pipeline *p);

struct machine *pipeline__machine(struct pipeline *p);
struct symbols *pipeline__symbols(struct pipeline *p);
const struct pipeline_account *pipeline__account(struct pipeline *p);

void pipeline_account__add(struct pipeline_account *a, const struct whole_sample *ws);
u64 pipeline_account__wanted(const struct pipeline_account *a); /* user stacks to be completed */
u64 pipeline_account__whole(const struct pipeline_account *a);  /* of them: those that are */
u64 pipeline_account__lost(const struct pipeline_account *a);   /* records, while recording */

/*
 * One line for people: "10,000 samples, 8,980 whole user stacks (99.7 % of 9,000), 20 not
 * whole: 18 copy too short, 2 no unwind information; 1,000 without a user stack".
 * Returns the length as snprintf does, which is less than ACCOUNT_LINE_MAX.
 */
#define ACCOUNT_LINE_MAX 2048
int pipeline_account__line(const struct pipeline_account *a, char *buf, size_t size);

#endif
