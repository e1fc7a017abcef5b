/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The set of maps of one address space: sorted, without overlaps, the newest mapping wins.
 *
 * Kept in a tree (core/tree64.h). A copy shares all of its nodes, and after a change all but those
 * on the way from the root to the change: a fork costs next to nothing, and a change as much with
 * thousands of maps as with few. Internal to this room; what others may call is in machine.h.
 */
#ifndef PERF_STATE_MAPS_H
#define PERF_STATE_MAPS_H

#include "../../../lib/unwind/core/tree64.h"
#include "dso.h"

/* Where maps are taken from, and return to when no set holds them any more, if .forget. */
struct map_pool {
	struct arena *arena;
	struct dsos *dsos;     /* told of maps that come and go; NULL: nobody is told */
	struct held_map *spare;
	struct tree64_ops nodes; /* internal */
	bool forget; /* else they live as long as the arena: pointers to them may be kept */
};

/*
 * @pool: borrowed; must outlive the set
 * @id: what maps__id() returns
 * Returns: an empty set with one reference.
 */
struct maps *maps__new(struct map_pool *pool, u32 id);

/*
 * @from: the set to be copied
 * @id: what maps__id() of the copy returns
 * Returns: a copy with one reference. It shares the tree with @from until one of them changes.
 */
struct maps *maps__clone(const struct maps *from, u32 id);

/* Takes a reference. Returns @maps. */
struct maps *maps__get(struct maps *maps);

/* Returns: whether several threads have the set. */
bool maps__is_shared(const struct maps *maps);

/*
 * After an execve() the kernel's samples still show where the old program called it, until the new
 * one runs: until then what is not found in the new maps is looked for in those of the old one.
 * @before: the old ones; a reference is taken. Their own old ones are dropped.
 */
void maps__set_before(struct maps *maps, struct maps *before);

/* Returns: the maps of the program before the execve(), or NULL. Without a reference. */
struct maps *maps__before(const struct maps *maps);

/*
 * Copies @map into the set, and cuts what it overlaps.
 * Returns: the map in the set.
 */
const struct map *maps__insert(struct maps *maps, const struct map *map);

/* Takes the range [@start, @end) out of the set. */
void maps__remove(struct maps *maps, u64 start, u64 end);

/* Returns: the map that holds @ip, or NULL. */
const struct map *maps__find(const struct maps *maps, u64 ip);

#endif
