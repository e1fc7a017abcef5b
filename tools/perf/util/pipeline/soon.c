// SPDX-License-Identifier: GPL-2.0-only
#include "soon.h"

bool soon__is_wanted(const struct sink *sinks)
{
	sink__for_each(sinks, s)
		if (s->soon)
			return true;
	return false;
}

static void tell(const struct sink *sinks, const struct thread *t, const u64 *chain, u64 nr)
{
	sink__for_each(sinks, s)
		if (s->soon)
			s->soon(s->ctx, t, chain, nr);
}

void soon__tell(const struct sink *sinks, const struct walk_queue_item *it)
{
	if (it->rec.hdr->type == PERF_RECORD_SAMPLE && it->s.nr_chain)
		tell(sinks, it->thread, it->s.chain, it->s.nr_chain);
}

void soon__tell_ordered(const struct sink *sinks, const struct order *o, struct machine *m)
{
	const struct record *rec = order__soon(o);
	const struct thread *t;
	const u64 *chain;
	u64 nr;

	if (!rec || rec->hdr->type != PERF_RECORD_SAMPLE || !rec->event ||
	    sample__chain(rec, &chain, &nr) || !nr)
		return;
	t = machine__find_thread(m, rec->tid);
	if (t)
		tell(sinks, t, chain, nr);
}
