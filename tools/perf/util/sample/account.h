/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of samples that are whole and that are not, and why. */
#ifndef PERF_SAMPLE_ACCOUNT_H
#define PERF_SAMPLE_ACCOUNT_H

#include "runtimes.h"
#include "whole-sample.h"

/*
 * What is whole and what is missing, and why. Every sample is in exactly one
 * class of user_part[]; those of USER_PART_UNWOUND are divided by stop[], those of
 * USER_PART_DEFERRED and USER_PART_MISSING by deferred[].
 */
struct pipeline_account {
	u64 samples;
	u64 user_part[USER_PART_NR];
	u64 kernel_alone;               /* of USER_PART_NONE: with a chain of the kernel only */
	u64 recorded_early;             /* RECORDED: whole_sample.ends_early */
	u64 deferred[DEFERRED_NR];
	u64 restored;                   /* DEFERRED: with callers that frame pointers left out */
	u64 deferred_empty;             /* MISSING: the record came, but the kernel had no frames */
	u64 stop[UNWIND_STOP_NR];       /* of unwound samples */
	u64 cut_in_code[RUNTIME_NR];    /* of stacks that end early, in code made at run time */
	u64 frames[UNWIND_METHOD_NR];   /* frames of unwound samples by method */
	u64 copies;                     /* samples with a stack copy */
	u64 copies_full;                /* of them: used up, so the stack is larger */
	u64 copy_bytes, copy_room;      /* bytes of copies that the kernel wrote, and reserved */
	u64 late;                       /* records that order could not place */
	u64 odd;                        /* records with an impossible time; see order.h */
	u64 lost;                       /* records that found no room, reported meanwhile (LOST) */
	u64 lost_samples;               /* the same, and more, reported at the end (LOST_SAMPLES) */
	u64 malformed;                  /* records whose contents do not fit; passed over */
	struct deferred_stats deferred_stats;
};

/* Counts a sample. */
void pipeline_account__add(struct pipeline_account *a, const struct whole_sample *ws);

/* Counts a stack that ends in the code of a runtime; RUNTIME_NR: it does not. */
void pipeline_account__add_cut(struct pipeline_account *a, enum runtime runtime);

/* Returns: the number of user stacks that were to be completed. */
u64 pipeline_account__wanted(const struct pipeline_account *a);

/* Returns: the number of those that are whole. */
u64 pipeline_account__whole(const struct pipeline_account *a);

/* Returns: the number of records that were lost while recording. */
u64 pipeline_account__lost(const struct pipeline_account *a);

/*
 * Says what to do so that fewer stacks are cut, where that matters: to record other than by frame
 * pointers (20 end early, and a tenth), larger copies or none (20 do not fit, and a twentieth of
 * those that were to be completed), or how to run a program that makes code in which stacks end
 * (as many).
 * @buf, @size: filled with a line, "412 stacks end in code made by java, ..."
 * Returns: false when there is nothing to say.
 */
bool pipeline_account__advice(const struct pipeline_account *a, char *buf, size_t size);

#define ACCOUNT_LINE_MAX 2048

/*
 * Writes one line for people: "10,000 samples, 8,980 whole user stacks (99.7 % of 9,000), 20 not
 * whole: 18 copy too short, 2 no unwind information; 1,000 without a user stack".
 * Returns: the length as snprintf() does, which is less than ACCOUNT_LINE_MAX.
 */
int pipeline_account__line(const struct pipeline_account *a, char *buf, size_t size);

#endif
