/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chains of wakers: a thread waited, and was woken by one that had waited itself in that time until
 * another one woke it, and so on. Each link was woken within the wait at the head of the chain, so
 * a chain is what that wait was for.
 */
#ifndef PERF_OFF_CPU_WAKERS_H
#define PERF_OFF_CPU_WAKERS_H

#include "off-cpu.h"

#define WAKERS_MAX 16            /* links of a chain */
#define WAKER_INTERRUPT (NO_ID - 1) /* in place of a thread: an interrupt, a timer */

struct wakers;

/* Returns: what wakers__free() frees. */
struct wakers *wakers__new(void);

/* @w may be NULL. */
void wakers__free(struct wakers *w);

/*
 * Follows a wait back, and remembers it for those that come later; to be called once for each
 * sample of `offcpu-time`, in their order.
 * @tids: out: who woke the thread, who woke that one, ..; has WAKERS_MAX items
 * Returns: the number of links; 0: it is not known who woke it.
 */
u32 wakers__chain(struct wakers *w, const struct whole_sample *ws, u32 *tids);

#endif
