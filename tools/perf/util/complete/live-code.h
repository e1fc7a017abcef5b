/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Live: code without a file, read from the program that runs it. Where a walk has come to such
 * code it is done again with the bytes, which are followed as those of a binary without tables. It
 * is believed only when it leads on to the outermost frame, and whole only if that code cannot have
 * been changed for a while.
 */
#ifndef PERF_COMPLETE_LIVE_CODE_H
#define PERF_COMPLETE_LIVE_CODE_H

#include "../state/machine.h"
#include "../unwinder/unwinder.h"

/* Modules from this number on are such code; .open of struct live_code opens them. */
#define LIVE_CODE_FIRST 0xf0000000

struct live_code {
	/*
	 * Finds the code around @addr as it was at the sample.
	 * @s, @t: the sample and its thread
	 * @map: of memory without a file that has @addr
	 * @out: filled: a part of @map with @addr in it, and its module
	 * Returns: false when it is not known. NULL: no code is read.
	 */
	bool (*find)(void *ctx, const struct sample *s, const struct thread *t,
		     const struct map *map, u64 addr, struct unwind_mapping *out);
	/*
	 * Returns: whether all that was found for @s is as it was found.
	 * @sure: set: whether it cannot have been something else in between
	 */
	bool (*stood)(void *ctx, const struct sample *s, bool *sure);
	/* A record has mapped [@start, @end) of process @pid. */
	void (*mapped)(void *ctx, u32 pid, u64 start, u64 end);
	/* Returns: an ELF file that stays its own, or -errno. */
	int (*open)(void *ctx, u32 module);
	void *ctx;
};

/*
 * Walks a sample's stack again with the code that its chain has come to.
 * @chain: of the walk without; its buffers are used again
 * Returns: whether @chain is what was found by that; else it is as it was.
 */
bool live_code__walk(const struct live_code *l, const struct sample *s, const struct thread *t,
		     struct unwinder *u, struct unwind_space *space, struct unwind_chain *chain);

#endif
