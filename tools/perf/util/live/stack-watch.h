/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a part of a thread's stack has stood still, without stopping the thread.
 *
 * What a thread has left for a while, the stack below a signal handler that has its own, can be
 * read at any time; but the sample that it is read for was taken at another, and in between the
 * handler may have returned, and another one, which looks the same, interrupted another caller. So
 * the return address of the frame that was left is watched, by a data breakpoint that counts for
 * the thread, takes no sample, and is off after one hit. For its callers to be others, that frame
 * must be left and entered again, and the call writes to that word.
 *
 * When the frame is left nothing is written, and its callers go on: what is read then is no
 * stack of the frame's. So it is read before the sample: where the frame is there in a sample, and
 * the word was not written to since the watch began, the frame was there all the time in between,
 * and the callers' stack was at any moment of that time what it is in the sample.
 *
 * The first samples of a handler, until one of them has led to a watch, are not helped by that, nor
 * those of handlers that take less time than this. A thread whose watches were in vain is watched
 * less and less often.
 */
#ifndef PERF_LIVE_STACK_WATCH_H
#define PERF_LIVE_STACK_WATCH_H

#include "../data/record.h"

struct stack_watches;

/* Returns: for stack_watches__free(). Nothing is opened yet. */
struct stack_watches *stack_watches__new(void);

/* Ends all watches. @w may be NULL. */
void stack_watches__free(struct stack_watches *w);

/*
 * The return address of the frame that was left in @s is at @addr: that is watched from now on, if
 * it is not yet.
 * @passes: passes over the rings that have begun by now (rings__passes())
 * Returns: whether stack_watches__read() reads this thread's stack, until this is called again, and
 *         stack_watches__stood() tells whether that was true of @s.
 */
bool stack_watches__reads(struct stack_watches *w, const struct sample *s, u64 addr, u64 passes);

/*
 * Tells that all records have been pushed that pass @pass has found, and the passes before it.
 * @newest: the highest time of a record so far
 */
void stack_watches__passed(struct stack_watches *w, u64 pass, u64 newest);

/*
 * Reads @size bytes at @addr to @to: as they were when they were first asked for while this word is
 * watched. Returns: false when they cannot be read.
 */
bool stack_watches__read(struct stack_watches *w, u64 addr, void *to, size_t size);

/*
 * Returns: whether all that was read for the sample was read before it was taken, and nobody has
 * written to the watched word.
 */
bool stack_watches__stood(struct stack_watches *w);

/* Returns: how many watches have been begun; the thread of a further one is worth a hurry. */
u64 stack_watches__nr_begun(const struct stack_watches *w);

#endif
