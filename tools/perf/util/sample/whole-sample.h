/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a pipeline delivers: a sample with its thread, its time and its whole callchain, or with the
 * reason why a part of it is missing. Made by the room complete; users need to know nothing of
 * cookies, stack copies or unwind tables. What it points to belongs to the stage that made it, and
 * lives as long as the call that passes it on.
 */
#ifndef PERF_SAMPLE_WHOLE_SAMPLE_H
#define PERF_SAMPLE_WHOLE_SAMPLE_H

#include "../callchain-deferred.h"
#include "../state/machine.h"
#include <perf/unwind.h>

/* How the user part of a chain came to be. */
enum user_part {
	USER_PART_NONE,      /* none exists: kernel thread, idle task, or not asked for */
	USER_PART_RECORDED,  /* in the sample itself (frame pointers), as the kernel saw it */
	USER_PART_DEFERRED,  /* from its CALLCHAIN_DEFERRED record */
	USER_PART_UNWOUND,   /* from its stack copy; with UNWIND_SKID its ip alone */
	/*
	 * Deferred, and not found: see .deferred. A sample taken in user mode has its ip as the
	 * user part, so that the leaf is known.
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
	u64 cookie;                     /* of its kernel entry; 0: it was not deferred */
	u64 back_at;                    /* when matched: where that entry's record begins */
	enum unwind_stop stop;          /* meaningful when UNWOUND; OUTERMOST: it is whole */
	bool ends_early;                /* when RECORDED: see user_stack__ends_early() */
	bool noted;                     /* all of this is from a note: see sample-note.h */
	const u8 *methods;              /* when UNWOUND: how each of .user was found, */
	u32 found[UNWIND_METHOD_NR];    /* and how many by each method */
	u32 nr_restored;                /* when DEFERRED: callers that frame pointers left out */
	const u64 *sps;                 /* when UNWOUND: as of unwind_chain; NULL: not asked for */
};

#endif
