/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of what an agent writes: its memory, and records in it. */
#ifndef PERF_TESTS_LIB_AGENT_FIXTURE_H
#define PERF_TESTS_LIB_AGENT_FIXTURE_H

#include "../../util/agent/agent-memory.h"
#include "../test.h"

/* Returns: memory as the recorder makes it. */
static inline struct agent_memory new_memory(void)
{
	struct agent_memory m;
	struct error err = {};

	TEST_EQ(agent_memory__new(&m, &err), 0);
	return m;
}

/* Returns: a ring, which is the last one that is in use. */
static inline struct agent_ring *ring_of(struct agent_memory *m, u32 i)
{
	((struct agent_header *)m->base)->rings_used = i + 1;
	return (struct agent_ring *)(m->base + AGENT_CONTROL_AT) + i;
}

/* Writes a record with @nr frames into the ring @i, as its program would. Returns: the record. */
static inline struct agent_record *put(struct agent_memory *m, u32 i, u32 size, u16 nr)
{
	struct agent_ring *r = ring_of(m, i);
	struct agent_record *rec = (struct agent_record *)
		(m->base + AGENT_DATA_AT + i * (u64)AGENT_RING_SIZE + r->head % AGENT_RING_SIZE);

	r->tid = 100 + i;
	*rec = (struct agent_record){ .size = size, .nr = nr, .seq = ++r->seq };
	r->head += size;
	return rec;
}

#endif
