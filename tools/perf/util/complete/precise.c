// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../data/abi.h"
#include "precise.h"

/*
 * From the ip to the return address behind it: so far may a call be that was made between the event
 * and the interrupt. The code of an earlier call from the same function is not taken for that.
 */
#define CALL_MAX 32

static bool whole_sample__is_exact(const struct whole_sample *ws)
{
	return ws->s->misc & ABI_MISC_EXACT_IP;
}

bool whole_sample__may_skid(const struct whole_sample *ws)
{
	const struct sample *s = ws->s;

	if (s->cpumode != PERF_RECORD_MISC_USER || !ws->nr_user)
		return false;
	/* Signals move what a deferred chain begins with; see callchain-deferred.md. */
	if (ws->user_part == USER_PART_DEFERRED)
		return whole_sample__is_exact(ws) && ws->user[0] != s->ip;
	return ws->user_part == USER_PART_UNWOUND &&
	       (whole_sample__is_exact(ws) || ws->user[0] != s->ip);
}

static bool same_function(struct unwind_space *space, u64 a, u64 b)
{
	u64 a_start, b_start;

	return unwind_space__function(space, a, &a_start) &&
	       unwind_space__function(space, b, &b_start) && a_start == b_start;
}

/*
 * How many frames of the registers the leaf takes the place of; 0: their callers are not those of
 * the leaf.
 */
static u64 nr_replaced(const struct whole_sample *ws, struct unwind_space *space)
{
	u64 ip = ws->s->ip, pc = ws->user[0], ra = ws->nr_user > 1 ? ws->user[1] : 0;

	/* Kernels put the ip in the place of the registers' own pc: then the stack has to tell. */
	if (ip == pc)
		return !ra || !space || unwind_space__follows_call(space, ra);
	if (!space)
		return 0;
	if (same_function(space, ip, pc))
		return 1;
	return ra > ip && ra - ip <= CALL_MAX && same_function(space, ip, ra - 1) ? 2 : 0;
}

static void append(struct precise *p, u64 ip, u8 method)
{
	*vec__push(&p->ips) = ip;
	*vec__push(&p->methods) = method;
}

void precise__fit(struct precise *p, struct whole_sample *ws, struct unwind_space *space)
{
	u64 replaced = nr_replaced(ws, space);

	p->ips.nr = p->methods.nr = 0;
	append(p, ws->s->ip, UNWIND_BY_START);
	for (u64 i = replaced; replaced && i < ws->nr_user; i++)
		append(p, ws->user[i], ws->methods ? ws->methods[i] : UNWIND_BY_START);
	if (!replaced) {
		ws->user_part = USER_PART_UNWOUND;
		ws->stop = UNWIND_SKID;
	}
	ws->nr_chain = 0; /* the kernel's part is that of the interrupt */
	ws->user = p->ips.v;
	ws->nr_user = p->ips.nr;
	ws->methods = ws->user_part == USER_PART_UNWOUND ? p->methods.v : NULL;
	memset(ws->found, 0, sizeof(ws->found));
	for (u64 i = 0; ws->methods && i < ws->nr_user; i++)
		ws->found[ws->methods[i]]++;
}

void precise__free(struct precise *p)
{
	vec__free(&p->ips);
	vec__free(&p->methods);
}
