/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The top of a deferred callchain, from the small stack copy of its sample.
 *
 * The kernel follows frame pointers. In a function that has not made its frame yet, or makes none,
 * the register still is that of the caller: its return address comes next, and the caller itself
 * is left out. The sample's registers and the bytes on top of its stack say who that is, by the
 * rows of the code. What they say is used only if it meets the deferred chain: a walk has to come
 * to the very place from which the kernel read its first return address, and to find the same
 * address there.
 *
 * Where no record has come (exit, exec, a loss), or where the register is used for something else
 * and so leads nowhere, the copy is all that there is: its chain is cut where the copy ends, and
 * said to be, unless that is the outermost frame.
 */
#ifndef PERF_COMPLETE_LEAF_H
#define PERF_COMPLETE_LEAF_H

#include "../sample/whole-sample.h"
#include "../unwinder/unwinder.h"

#define LEAF_LEAST 512 /* bytes that leaf__shorten() leaves, if there are as many */

/*
 * Copies a sample that waits where there is little room for that, without what is further out on
 * its stack than the first frame that frame pointers lead to. Where they lead to none, the copy is
 * all that there will be of the stack, and stays.
 * @dst: has room for hdr->size bytes
 * Returns: false when it is no sample of that kind, or not shorter; then nothing is copied.
 */
bool leaf__shorten(const struct record *rec, void *dst);

enum leaf_result {
	LEAF_UNUSED,  /* it is as before */
	LEAF_AGREES,  /* the same, and nothing is left out at its top */
	LEAF_JOINED,  /* callers are added, @ws->nr_restored of them */
	LEAF_UNWOUND, /* the chain of the walk is better than what @ws has */
};

/*
 * Walks the copy, and adds what was left out.
 * @ws: joined with its record, or without one; it has a copy
 * @chain: .ips and .methods have room for .max; when JOINED, @ws points to .ips
 * Returns: what has become of @ws.
 */
enum leaf_result leaf__walk(struct unwinder *u, struct unwind_space *space,
			    struct whole_sample *ws, struct unwind_chain *chain);

#endif
