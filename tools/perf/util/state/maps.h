/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The set of maps of one address space: sorted, without overlaps, the newest mapping wins.
 *
 * Kept in a tree that copies share until one of them changes, and then but for the way to what has
 * changed: a fork costs next to nothing, and a change as much with thousands of maps as with few.
 * Internal to this room; what others may call is in machine.h.
 */
#ifndef PERF_STATE_MAPS_H
#define PERF_STATE_MAPS_H

#include "../base/tree64.h"
#include "dso.h"

/* Where maps are taken from, and return to when no set holds them any more, if .forget. */
struct map_pool {
	struct arena *arena;
	struct dsos *dsos;     /* they hear of maps that come and go; NULL: nobody does */
	struct held_map *spare;
	struct tree64_ops nodes; /* internal */
	bool forget; /* else they live as long as the arena, for who keeps pointers to them */
};

/* With one reference. */
struct maps *maps__new(struct map_pool *pool, u32 id);
struct maps *maps__clone(const struct maps *from, u32 id);
struct maps *maps__get(struct maps *maps);
void maps__put(struct maps *maps);                        /* NULL is fine */
bool maps__is_shared(const struct maps *maps);            /* by several threads */

/*
 * After an execve() the kernel's samples still show where the old program called it, until the
 * new one runs: for so long what is not found in the new maps is looked for in these.
 */
void maps__set_before(struct maps *maps, struct maps *before);
const struct maps *maps__before(const struct maps *maps); /* or NULL */

/* Copies @map into the set, cutting what it overlaps. Returns the map in the set. */
const struct map *maps__insert(struct maps *maps, const struct map *map);

/* Takes [start, end) out of the set. */
void maps__remove(struct maps *maps, u64 start, u64 end);

const struct map *maps__find(const struct maps *maps, u64 ip); /* or NULL */

#endif
