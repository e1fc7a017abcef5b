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

/*
 * Frames that one runtime, or one of several interpreters, has told: groups, each of one call of
 * it, innermost first.
 */
struct walk {
	u32 next, end; /* what is left of them */
	u32 to;        /* the last one of the group at .next */
	u64 at;        /* the native frame of that group; native->nr: none is left */
};

/*
 * Finds the place of a walk's next group, behind that of the group before. What is behind a group
 * that fits nowhere is left out with it.
 */
static void walk__place(struct walk *w, const struct agent_chain *native,
			const struct agent_hit *hit, u64 from)
{
	w->at = native->nr;
	for (w->to = w->next; w->to < w->end; w->to++)
		if (hit->places[w->to].entry) {
			w->at = frame_with(native, from, hit->places[w->to].entry);
			return;
		}
}

/* Returns the number of walks. */
static u32 find_walks(struct walk walks[AGENT_WALKS_MAX], const struct agent_chain *native,
		      const struct agent_hit *hit)
{
	u32 nr = 0;

	for (u32 from = 0, to; from < hit->nr && nr < AGENT_WALKS_MAX; from = to) {
		for (to = from; to < hit->nr && !hit->places[to].outermost; )
			to++;
		to = min_of(to + 1, (u32)hit->nr);
		walks[nr] = (struct walk){ .next = from, .end = to };
		walk__place(&walks[nr++], native, hit, 0);
	}
	return nr;
}

static struct walk *innermost(struct walk *walks, u32 nr)
{
	struct walk *first = &walks[0];

	for (u32 i = 1; i < nr; i++)
		if (walks[i].at < first->at)
			first = &walks[i];
	return first;
}

u64 agent_stage__splice(const struct agent_chain *native, const struct agent_hit *hit,
			struct agent_chain *out)
{
	struct walk walks[AGENT_WALKS_MAX];
	u32 nr = find_walks(walks, native, hit);
	u64 from = 0, by;
	struct walk *w;

	out->nr = 0;
	while (nr && (w = innermost(walks, nr))->at < native->nr) {
		/* The first frame was not found, but is where the code stood. */
		by = w->at ?: 1;
		/* Two runtimes may have told the same frame: then nothing is between them. */
		if (from <= w->at)
			put_native(out, native, from, w->at + 1);
		put_places(out, hit, w->next, w->to + 1, native->methods ? native->methods[by] : 0);
		from = max_of(from, w->at + 1);
		w->next = w->to + 1;
		walk__place(w, native, hit, w->at + 1);
	}
	put_native(out, native, from, native->nr);
	return out->nr;
}
