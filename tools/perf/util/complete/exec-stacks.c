// SPDX-License-Identifier: GPL-2.0-only
#include "exec-stacks.h"

#include <string.h>

void exec_stacks__free(struct exec_stacks *e)
{
	for (u32 i = 0; i < EXEC_STACKS; i++) {
		vec__free(&e->v[i].ips);
		vec__free(&e->v[i].methods);
	}
}

static u32 find(const struct exec_stacks *e, u32 tid, u64 cookie)
{
	u32 i = 0;

	while (i < EXEC_STACKS && (e->v[i].tid != tid || e->v[i].cookie != cookie))
		i++;
	return i;
}

void exec_stacks__keep(struct exec_stacks *e, const struct whole_sample *ws, u64 cookie)
{
	u32 nr = ws->nr_user, i = find(e, ws->s->tid, cookie);
	struct exec_stack *st = &e->v[i < EXEC_STACKS ? i : e->nr++ % EXEC_STACKS];

	st->tid = ws->s->tid;
	st->cookie = cookie;
	st->stop = ws->stop;
	memcpy(st->found, ws->found, sizeof(st->found));
	vec__reserve(&st->ips, nr);
	vec__reserve(&st->methods, nr);
	memcpy(st->ips.v, ws->user, nr * sizeof(*st->ips.v));
	memcpy(st->methods.v, ws->methods, nr);
	st->ips.nr = st->methods.nr = nr;
}

bool exec_stacks__take(const struct exec_stacks *e, struct whole_sample *ws, u64 cookie)
{
	u32 i = find(e, ws->s->tid, cookie);
	const struct exec_stack *st = &e->v[i];

	if (i == EXEC_STACKS || !st->ips.nr)
		return false;
	ws->user_part = USER_PART_UNWOUND;
	ws->stop = st->stop;
	ws->user = st->ips.v;
	ws->nr_user = st->ips.nr;
	ws->methods = st->methods.v;
	memcpy(ws->found, st->found, sizeof(ws->found));
	return true;
}
