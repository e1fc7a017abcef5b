/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which record of the agent belongs to a sample: the rule of Documentation/design/agent.md. Samples
 * and records of a thread both come in the order of time.
 */
#ifndef PERF_AGENT_AGENT_MATCH_H
#define PERF_AGENT_AGENT_MATCH_H

#include "../../../lib/unwind/core/types.h"
#include "../base/vec.h"

/* What became of a sample. */
enum agent_result {
	AGENT_MATCHED,
	AGENT_NONE,       /* its process has no agent */
	AGENT_IS_BLOCKED, /* the signal came later: the thread blocks SIGTRAP */
	AGENT_LOST,       /* the record that would be its own is missing: the ring was full */
	AGENT_INSIDE,     /* it was taken in the agent's own handler */
	AGENT_ELSEWHERE,  /* another signal's handler ran first, or the record is another one's */
	AGENT_DISAGREES,  /* the kernel defers, and its record does not say what the agent's says */
	AGENT_EXITED,     /* the thread has ended, or its program was replaced */
	AGENT_WAITS,      /* it did not return from the kernel until the end, or for too long */
	AGENT_NO_STACK,   /* its stack was not walked, so that there is no place for frames */
	AGENT_RESULT_NR
};

/* Returns: words for the account, such as "agent blocked". */
const char *agent_result__name(enum agent_result r);

/* A frame of a record, with the address by which it is in the file. */
struct agent_place {
	u64 address; /* 0: its name is not known */
	u64 entry;   /* as of struct agent_frame */
	bool outermost; /* of its walk: the next one begins anew */
};

/* A record, checked. */
struct agent_hit {
	u64 seq, t_start, t_end, ip, sp;
	bool blocked;
	bool clocked;  /* by a timer: the sample was made of it, and has its time */
	u32 nr;
	u32 ids_size;  /* bytes behind the places: what goes into side data */
	struct agent_place places[];
};

/* Returns: where they are. */
static inline const u8 *agent_hit__ids(const struct agent_hit *hit)
{
	return (const u8 *)(hit->places + hit->nr);
}

/* The records of a thread that may still belong to a sample, and one before them. */
struct agent_thread {
	VEC(struct agent_hit *) hits; /* owned */
	size_t first;                 /* that is still there */
	u64 bytes;                    /* that they take */
	bool ended;                   /* no more will come */
	u64 seq;                      /* of the last one that has come */
};

/* Adds a record, which then is the thread's. */
void agent_thread__add(struct agent_thread *t, struct agent_hit *hit);

/*
 * Gives up the oldest record: a sample that it belongs to finds a gap, and no record.
 * Returns: false: there is none.
 */
bool agent_thread__drop_oldest(struct agent_thread *t);

/* Frees all records. */
void agent_thread__free(struct agent_thread *t);

/* What of a sample matters here. */
struct agent_sample {
	u64 time, ip, sp; /* where user code stood, by its registers */
	u64 cookie;       /* of the kernel entry, where the kernel defers; 0: it does not */
	bool disagrees;   /* the record with that cookie is missing, or begins elsewhere */
};

/*
 * Finds the first record that was begun at @time or later.
 * Returns: its index in .hits; .hits.nr: there is none yet.
 */
size_t agent_thread__after(const struct agent_thread *t, u64 time);

/*
 * Judges a sample by the record @at, and the one before that.
 * @s: the sample
 * @moved: a later sample of the thread, from before the record, was taken where other user code
 *         ran, or in another stay in the kernel
 * Returns: AGENT_MATCHED, or the reason why it is not its own.
 */
enum agent_result agent_thread__judge(const struct agent_thread *t, size_t at,
				      const struct agent_sample *s, bool moved);

/*
 * No sample before @time will be asked for any more: frees records that are of no use. Who asks for
 * the oldest sample's record should do that first, so that agent_thread__after() has no more than
 * two to look at, however many a program has made up.
 */
void agent_thread__forget(struct agent_thread *t, u64 time);

#endif
