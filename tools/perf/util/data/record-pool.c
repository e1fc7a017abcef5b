// SPDX-License-Identifier: GPL-2.0-only
#include "record-pool.h"

#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"

#define BLOCK_SIZE (256 * 1024)

struct record_block {
	struct record_pool *pool;
	u32 refs;  /* records in use, and one more while the block is being filled */
	u32 used;
	_Alignas(8) u8 data[BLOCK_SIZE];
};

void record_block__get(struct record_block *b)
{
	b->refs++;
}

void record_block__put(struct record_block *b)
{
	if (--b->refs)
		return;
	b->pool->held -= sizeof(*b);
	free(b);
}

void record_pool__close(struct record_pool *p)
{
	if (p->filling)
		record_block__put(p->filling);
	p->filling = NULL;
}

static struct record_block *room_for(struct record_pool *p, size_t size)
{
	if (p->filling && BLOCK_SIZE - p->filling->used >= size)
		return p->filling;
	record_pool__close(p);
	p->filling = xmalloc(sizeof(*p->filling));
	p->filling->pool = p;
	p->filling->refs = 1;
	p->filling->used = 0;
	p->held += sizeof(*p->filling);
	return p->filling;
}

const struct perf_event_header *record_pool__add(struct record_pool *p,
						 const struct perf_event_header *hdr,
						 struct record_block **owner)
{
	size_t size = align_up(hdr->size, 8);
	struct record_block *b = room_for(p, size);
	u8 *copy = b->data + b->used;

	memcpy(copy, hdr, hdr->size);
	memset(copy + hdr->size, 0, size - hdr->size);
	b->used += size;
	b->refs++;
	*owner = b;
	return (const void *)copy;
}
