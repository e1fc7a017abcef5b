// SPDX-License-Identifier: GPL-2.0-only
/* Joins the frames of an interpreter with those of the machine's code. */
#include <string.h>

#include "agent-stage.h"

/* The native frame, from @from on, that holds @entry; .nr: none does. */
static u64 frame_with(const struct agent_chain *native, u64 from, u64 entry)
{
	for (u64 i = from; i + 1 < native->nr; i++)
		if (entry >= native->sps[i] && entry < native->sps[i + 1])
			return i;
	return native->nr;
}

static void put(struct agent_chain *out, u64 ip, u8 method)
{
	out->ips[out->nr] = ip;
	out->methods[out->nr++] = method;
}

static void put_native(struct agent_chain *out, const struct agent_chain *native, u64 from, u64 to)
{
	for (u64 i = from; i < to; i++)
		put(out, native->ips[i], native->methods ? native->methods[i] : 0);
}

static void put_places(struct agent_chain *out, const struct agent_hit *hit, u32 from, u32 to,
		       u8 method)
{
	for (u32 i = from; i < to; i++)
		if (hit->places[i].address)
			put(out, hit->places[i].address, method);
}

u64 agent_stage__splice(const struct agent_chain *native, const struct agent_hit *hit,
			struct agent_chain *out)
{
	u64 from = 0, at, by;
	u32 group = 0;

	out->nr = 0;
	for (u32 i = 0; i < hit->nr; i++) {
		if (!hit->places[i].entry)
			continue;
		at = frame_with(native, from, hit->places[i].entry);
		if (at == native->nr)
			break;
		/* The first frame was not found, but is where the code stood. */
		by = at ?: 1;
		put_native(out, native, from, at + 1);
		put_places(out, hit, group, i + 1, native->methods ? native->methods[by] : 0);
		from = at + 1;
		group = i + 1;
	}
	put_native(out, native, from, native->nr);
	return out->nr;
}
