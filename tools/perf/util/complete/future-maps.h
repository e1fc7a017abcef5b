/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings that come after a sample but before its deferred user chain was taken.
 *
 * A sample in the middle of exec() belongs to the new program already, whose mappings follow in
 * a moment; its user part is taken when the thread first enters that program. So an address that
 * nothing holds yet is looked for in the mappings to come.
 */
#ifndef PERF_COMPLETE_FUTURE_MAPS_H
#define PERF_COMPLETE_FUTURE_MAPS_H

#include "../data/record.h"

struct future_maps;

struct future_maps *future_maps__new(void);
void future_maps__free(struct future_maps *f); /* NULL is fine */

/* First pass: every record, identified; it must live as long as @f. */
void future_maps__note(struct future_maps *f, const struct record *rec);
void future_maps__seal(struct future_maps *f);

/* The first mapping of process @pid after @time that holds @ip: 0 and @out, or -ENOENT. */
int future_maps__find(const struct future_maps *f, u32 pid, u64 time, u64 ip, struct record *out);

#endif
