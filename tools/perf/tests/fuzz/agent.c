// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the agent of a program has written into the memory that it shares with the recorder. An
 * input is the header's and the rings' words (256 bytes), names up to the byte 512, and the data of
 * the first ring.
 */
#include "../../util/agent/agent-codes.h"
#include "../../util/jit/python-lines.h"
#include "../../util/agent/agent-memory.h"
#include "input.h"

#define WORDS 256
#define NAMES 512

struct reading {
	struct agent_memory *memory;
	struct agent_codes codes;
	u64 bytes;
};

static void look_at(void *ctx, u32 tid, const struct agent_record *rec)
{
	struct reading *r = ctx;

	FUZZ_TRUE(rec->nr <= AGENT_FRAMES_MAX);
	r->bytes += rec->size;
	FUZZ_TRUE(r->bytes <= AGENT_RINGS * (u64)AGENT_RING_SIZE);
	for (u32 i = 0; i < rec->nr; i++) {
		const struct agent_frame *f = &rec->frames[i];
		u64 at = agent_codes__address(&r->codes, r->memory, f->code & ~AGENT_OUTERMOST,
					      f->at);

		FUZZ_TRUE(!at || (at > r->codes.start && at - r->codes.start < r->codes.size));
	}
}

static void put(struct agent_memory *m, u64 at, const u8 *data, size_t from, size_t to, size_t size)
{
	if (size > from)
		memcpy(m->base + at, data + from, min_of(size, to) - from);
}

FUZZ_TARGET(agent, "memory that is shared with an agent")
{
	struct agent_memory memory;
	struct reading r = { .memory = &memory };
	jit_elf_bytes elf = {};
	struct error err;

	if (size > NAMES + AGENT_RING_SIZE || agent_memory__new(&memory, &err))
		return;
	put(&memory, 0, data, 0, 64, size);
	put(&memory, AGENT_CONTROL_AT, data, 64, WORDS, size);
	put(&memory, AGENT_NAMES_AT, data, WORDS, NAMES, size);
	put(&memory, AGENT_DATA_AT, data, NAMES, size, size);
	agent_codes__init(&r.codes, 1ULL << 32, 1 << 20);
	for (int i = 0; i < 2; i++) /* again, from where the first time has stopped */
		agent_memory__read(&memory, look_at, NULL, &r);
	if (r.codes.functions.nr)
		agent_codes__write(&r.codes, &elf);
	vec__free(&elf);
	agent_codes__free(&r.codes);
	agent_memory__free(&memory);
}
