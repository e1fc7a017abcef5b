/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples whose ip and registers are of different moments.
 *
 * Precise events (PEBS, IBS) note the ip of the instruction that caused the event; registers and
 * stack are those of the interrupt that follows, some instructions later. The ip is the leaf. What
 * was found with the registers begins with their own pc, and its callers are those of the leaf only
 * if both are in the same function, or if the function of the registers was called from where the
 * ip is. Else they are left out, and the sample says so (UNWIND_SKID): the callers of one function
 * behind the ip of another would be a stack that never was.
 */
#ifndef PERF_COMPLETE_PRECISE_H
#define PERF_COMPLETE_PRECISE_H

#include "../base/vec.h"
#include "../sample/whole-sample.h"
#include "../unwinder/unwinder.h"

/* Room for one chain. */
struct precise {
	VEC(u64) ips;
	VEC(u8) methods;
};

/* Returns: whether precise__fit() has to look at the sample, which is complete but for that. */
bool whole_sample__may_skid(const struct whole_sample *ws);

/*
 * Makes the ip of the sample the leaf of its user part.
 * @p: what @ws points to afterwards, until the next call
 * @ws: as above
 * @space: its address space; NULL: nothing is known of its code
 */
void precise__fit(struct precise *p, struct whole_sample *ws, struct unwind_space *space);

/* Frees the room; @p is empty then. */
void precise__free(struct precise *p);

#endif
