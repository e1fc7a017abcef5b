/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings that are made after a sample was taken, but before its deferred user chain.
 *
 * A sample in the middle of execve() already belongs to the new program, whose mappings follow; its
 * user part is taken when the thread first enters that program. So an address in no mapping is
 * looked for in those that follow.
 */
#ifndef PERF_COMPLETE_FUTURE_MAPS_H
#define PERF_COMPLETE_FUTURE_MAPS_H

#include "../data/record.h"

struct future_maps;

/* Returns: what future_maps__free() frees. */
struct future_maps *future_maps__new(void);

/* @f may be NULL. */
void future_maps__free(struct future_maps *f);

/* First pass: takes every record, identified; it must live as long as @f. */
void future_maps__note(struct future_maps *f, const struct record *rec);

/* Ends the first pass. */
void future_maps__seal(struct future_maps *f);

/*
 * Finds the first mapping of a process that holds an address.
 * @pid: the process
 * @time: only mappings after it
 * @ip: the address
 * @out: filled: the record of the mapping
 * Returns: 0 or -ENOENT.
 */
int future_maps__find(const struct future_maps *f, u32 pid, u64 time, u64 ip, struct record *out);

#endif
