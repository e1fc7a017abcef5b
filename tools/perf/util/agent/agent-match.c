// SPDX-License-Identifier: GPL-2.0-only
#include "agent-match.h"

#include <stdlib.h>
#include <string.h>

const char *agent_result__name(enum agent_result r)
{
	static const char *const names[AGENT_RESULT_NR] = {
		[AGENT_MATCHED] = "matched",
		[AGENT_NONE] = "without an agent",
		[AGENT_IS_BLOCKED] = "agent blocked",
		[AGENT_LOST] = "lost",
		[AGENT_INSIDE] = "in agent",
		[AGENT_ELSEWHERE] = "other handler",
		[AGENT_DISAGREES] = "without their cookie",
		[AGENT_EXITED] = "exited",
		[AGENT_WAITS] = "in kernel",
		[AGENT_NO_STACK] = "not unwound",
	};

	return names[r];
}

static u64 bytes_of(const struct agent_hit *hit)
{
	return sizeof(*hit) + hit->nr * sizeof(hit->places[0]) + hit->ids_size +
	       sizeof(hit);
}

void agent_thread__add(struct agent_thread *t, struct agent_hit *hit)
{
	*vec__push(&t->hits) = hit;
	t->bytes += bytes_of(hit);
}

static void free_oldest(struct agent_thread *t)
{
	t->bytes -= bytes_of(t->hits.v[t->first]);
	free(t->hits.v[t->first++]);
}

/* Takes the room of those that were freed, now and then. */
static void close_up(struct agent_thread *t)
{
	if (t->first < 64 || t->first < t->hits.nr / 2)
		return;
	memmove(t->hits.v, t->hits.v + t->first,
		(t->hits.nr - t->first) * sizeof(t->hits.v[0]));
	t->hits.nr -= t->first;
	t->first = 0;
}

bool agent_thread__drop_oldest(struct agent_thread *t)
{
	if (t->first == t->hits.nr)
		return false;
	free_oldest(t);
	close_up(t);
	return true;
}

void agent_thread__free(struct agent_thread *t)
{
	while (t->first < t->hits.nr)
		free_oldest(t);
	vec__free(&t->hits);
	t->first = 0;
}

size_t agent_thread__after(const struct agent_thread *t, u64 time)
{
	size_t i = t->first;

	while (i < t->hits.nr && t->hits.v[i]->t_start < time)
		i++;
	return i;
}

enum agent_result agent_thread__judge(const struct agent_thread *t, size_t at,
				      const struct agent_sample *s, bool moved)
{
	const struct agent_hit *h = t->hits.v[at];
	const struct agent_hit *before = at > t->first ? t->hits.v[at - 1] : NULL;

	if (before && s->time <= before->t_end)
		return AGENT_INSIDE;
	if (h->seq != (before ? before->seq + 1 : 1) && !(h->clocked && h->t_start == s->time))
		return AGENT_LOST;
	if (h->blocked)
		return AGENT_IS_BLOCKED;
	if (h->ip != s->ip || h->sp != s->sp || moved)
		return AGENT_ELSEWHERE;
	if (s->disagrees)
		return AGENT_DISAGREES;
	return AGENT_MATCHED;
}

void agent_thread__forget(struct agent_thread *t, u64 time)
{
	/* The one before the first that is needed says whether there is a gap. */
	while (t->first + 1 < t->hits.nr && t->hits.v[t->first + 1]->t_start < time)
		free_oldest(t);
	close_up(t);
}
