/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Side data of samples: what the recorder knows of a sample and the kernel's format has no field
 * for. It is the AUX part of the sample, its last one, which readers that do not know it pass over:
 * items of
 *
 *	u32 kind, u32 size, payload of that size, zeros up to a multiple of 8 bytes
 *
 * in the byte order of the recorded machine. Several writers may add items, each of its own kind,
 * once. The kernel fills the AUX part of events with attr.aux_sample_size only: where that is 0,
 * it is ours. Samples of `offcpu-time` have what off-cpu/wait.h says in front of the items.
 */
#ifndef PERF_DATA_SIDE_DATA_H
#define PERF_DATA_SIDE_DATA_H

#include "../../../lib/unwind/core/bytes.h"
#include "record.h"

/* The upper half of each kind, by which a reader knows the byte order. */
#define SIDE_DATA_MAGIC 0x7d5eu

/* The number of a kind, and what describes its payload. */
enum side_kind {
	SIDE_ACTIVITY = 1, /* what the thread worked on: activity/activity.h */
};

#define SIDE_ITEM_HEADER 8

/* Returns: the bytes that an item with a payload of @size takes. */
static inline size_t side_data__item_size(size_t size)
{
	return SIDE_ITEM_HEADER + ((size + 7) & ~(size_t)7);
}

/* Returns: whether samples of this event have a part for side data. */
bool attr__has_side_data(const struct perf_event_attr *attr);

/* Changes @attr to describe samples that have such a part. */
void attr__add_side_data(struct perf_event_attr *attr);

/*
 * Adds an empty part to a sample that has none, as its event now says that it has one.
 * @hdr: the sample, changed
 * @max: bytes that are there
 * Returns: the new size; -ENOSPC: it is left as it was.
 */
int side_data__begin(struct perf_event_header *hdr, size_t max);

/*
 * Adds an item to a sample with a part for it.
 * @hdr: the sample, changed
 * @max: bytes that are there
 * @at: bytes of side data that it has: sample.aux_size; 0 behind side_data__begin()
 * @payload, @size: of the item
 * Returns: the new size; -ENOSPC: it is left as it was.
 */
int side_data__add(struct perf_event_header *hdr, size_t max, u64 at, enum side_kind kind,
		   const void *payload, u32 size);

/*
 * Finds an item of a decoded sample.
 * @out: at its payload, and of its size and byte order
 * Returns: false when there is none.
 */
bool side_data__find(const struct sample *s, enum side_kind kind, struct cursor *out);

#endif
