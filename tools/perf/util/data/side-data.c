// SPDX-License-Identifier: GPL-2.0-only
#include "side-data.h"

#include <errno.h>
#include <string.h>

#define RECORD_SIZE_MAX 65528
#define OFF_CPU_MAGIC 0x6f666670u /* of off-cpu/wait.h, which is in front of all items */
#define OFF_CPU_SIZE 32

struct item {
	u32 kind, size;
};
_Static_assert(sizeof(struct item) == SIDE_ITEM_HEADER, "it has no padding");

bool attr__has_side_data(const struct perf_event_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_AUX && !attr->aux_sample_size;
}

void attr__add_side_data(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_AUX;
}

static int append(struct perf_event_header *hdr, size_t max, const void *bytes, size_t size,
		  size_t zeros)
{
	u8 *end = (u8 *)hdr + hdr->size;

	if (hdr->size + size + zeros > min_of(max, (size_t)RECORD_SIZE_MAX))
		return -ENOSPC;
	if (size)
		memcpy(end, bytes, size);
	memset(end + size, 0, zeros);
	hdr->size += size + zeros;
	return hdr->size;
}

int side_data__begin(struct perf_event_header *hdr, size_t max)
{
	static const u64 nothing;

	return append(hdr, max, &nothing, sizeof(nothing), 0);
}

int side_data__add(struct perf_event_header *hdr, size_t max, u64 at, enum side_kind kind,
		   const void *payload, u32 size)
{
	const struct item item = { SIDE_DATA_MAGIC << 16 | kind, size };
	size_t all = side_data__item_size(size);
	u64 now = at + all;
	u8 *count;

	if (at + sizeof(now) + sizeof(*hdr) > hdr->size || all > RECORD_SIZE_MAX ||
	    hdr->size + all > min_of(max, (size_t)RECORD_SIZE_MAX))
		return -ENOSPC;
	count = (u8 *)hdr + hdr->size - at - sizeof(now);
	append(hdr, max, &item, sizeof(item), 0);
	append(hdr, max, payload, size, all - sizeof(item) - size);
	memcpy(count, &now, sizeof(now));
	return hdr->size;
}

/* Moves on behind what samples of offcpu-time have in front. */
static void skip_wait(struct cursor *c)
{
	struct cursor peek = *c;
	u32 magic = cursor__u32(&peek);

	if (magic == OFF_CPU_MAGIC || magic == __builtin_bswap32(OFF_CPU_MAGIC))
		cursor__take(c, OFF_CPU_SIZE);
}

bool side_data__find(const struct sample *s, enum side_kind kind, struct cursor *out)
{
	struct cursor c = cursor__init(s->aux, s->aux_size, false);
	const void *payload;
	u32 found, size;

	skip_wait(&c);
	while (cursor__left(&c) >= SIDE_ITEM_HEADER) {
		found = cursor__u32(&c);
		if (found >> 16 != SIDE_DATA_MAGIC) {
			found = __builtin_bswap32(found);
			c.swap = !c.swap;
		}
		size = cursor__u32(&c);
		if (found >> 16 != SIDE_DATA_MAGIC || size > cursor__left(&c))
			return false;
		payload = cursor__take(&c, size);
		if ((found & 0xffff) == kind) {
			*out = cursor__init(payload, size, c.swap);
			return true;
		}
		cursor__take(&c, -size & 7);
	}
	return false;
}
