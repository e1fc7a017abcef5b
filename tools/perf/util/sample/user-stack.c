// SPDX-License-Identifier: GPL-2.0-only
#include "user-stack.h"

#include <string.h>
#include <sys/mman.h>

#define SHORT_CHAIN 2 /* frames */

const char *user_part__reason(enum user_part part, enum deferred_result deferred,
			      enum unwind_stop stop)
{
	if (part == USER_PART_UNWOUND && stop != UNWIND_OUTERMOST)
		return unwind_stop__name(stop);
	if (part == USER_PART_MISSING)
		return deferred_result__is_match(deferred) ? "empty record" :
		       deferred_result__name(deferred);
	return NULL;
}

/* A kernel thread or an idle CPU: the chain was asked for, with its user part, and has none. */
static bool has_none(const struct whole_sample *ws)
{
	const struct perf_event_attr *attr = &ws->rec->event->attr;

	return ws->user_part == USER_PART_NONE && ws->s->cpumode == PERF_RECORD_MISC_KERNEL &&
	       ws->nr_chain && attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
	       !attr->exclude_callchain_user;
}

const char *user_stack__word(const struct whole_sample *ws)
{
	const char *reason = user_part__reason(ws->user_part, ws->deferred, ws->stop);

	switch (ws->user_part) {
	case USER_PART_NONE:
		return has_none(ws) ? "no user stack" : "not recorded";
	case USER_PART_RECORDED:
		return "as recorded";
	case USER_PART_KEPT:
		return "left as recorded";
	default:
		return reason ?: "whole";
	}
}

bool user_stack__is_complete(const struct whole_sample *ws)
{
	if (!user_part__is_known(ws->user_part))
		return has_none(ws);
	return !user_part__reason(ws->user_part, ws->deferred, ws->stop);
}

bool user_stack__ends_early(struct machine *m, const struct whole_sample *ws)
{
	const struct map *inner, *outer;
	u64 nr = 0;

	while (nr < ws->nr_chain && !ip__is_context(ws->chain[ws->nr_chain - 1 - nr]))
		nr++;
	if (!nr || ws->user_part != USER_PART_RECORDED)
		return false;
	inner = machine__find_map(m, ws->thread, PERF_RECORD_MISC_USER,
				  ws->chain[ws->nr_chain - nr]);
	if (!inner)
		return false;
	if (nr <= SHORT_CHAIN)
		return strncmp(inner->dso->short_name, "ld", 2) != 0;
	/* A return address: the call in front of it may be the last of its mapping. */
	outer = machine__find_map(m, ws->thread, PERF_RECORD_MISC_USER,
				  ws->chain[ws->nr_chain - 1] - 1);
	return !outer || !(outer->prot & PROT_EXEC);
}
