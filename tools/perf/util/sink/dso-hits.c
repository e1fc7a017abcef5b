// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "dso-hits.h"

/*
 * Marks the binary of @ip. @last is the mapping of the previous address, which mostly holds this
 * one, too; NULL after a change of mode, since addresses of both modes may be equal (s390x).
 */
static void hit_address(struct dso_hits *h, struct machine *m, const struct thread *t, u8 cpumode,
			u64 ip, const struct map **last)
{
	const struct map *map = *last;
	size_t nr;

	if (map && ip >= map->start && ip < map->end)
		return;
	map = machine__find_map(m, t, cpumode, ip);
	*last = map;
	if (!map)
		return;
	if (map->dso->id >= h->modes.nr) {
		nr = h->modes.nr;
		vec__reserve(&h->modes, machine__nr_dsos(m));
		h->modes.nr = machine__nr_dsos(m);
		memset(h->modes.v + nr, 0, h->modes.nr - nr);
	}
	h->modes.v[map->dso->id] = cpumode;
}

void dso_hits__note(struct dso_hits *h, struct machine *m, const struct whole_sample *ws)
{
	const struct map *last = NULL;
	u8 mode = ws->s->cpumode;

	hit_address(h, m, ws->thread, mode, ws->s->ip, &last);
	last = NULL;
	for (u64 i = 0; i < ws->nr_user; i++)
		hit_address(h, m, ws->thread, PERF_RECORD_MISC_USER, ws->user[i], &last);
	last = NULL;
	for (u64 i = 0; i < ws->nr_chain; i++) {
		u64 ip = ws->chain[i];

		if (ip == ABI_CONTEXT_USER_DEFERRED)
			break; /* what follows is a cookie */
		if (ip__is_context(ip))
			last = NULL;
		if (ip == ABI_CONTEXT_USER)
			mode = PERF_RECORD_MISC_USER;
		else if (ip == ABI_CONTEXT_KERNEL)
			mode = PERF_RECORD_MISC_KERNEL;
		else if (!ip__is_context(ip))
			hit_address(h, m, ws->thread, mode, ip, &last);
	}
}

u8 dso_hits__mode(const struct dso_hits *h, u32 id)
{
	return id < h->modes.nr ? h->modes.v[id] : 0;
}

void dso_hits__forget(struct dso_hits *h, u32 id)
{
	if (id < h->modes.nr)
		h->modes.v[id] = 0;
}

void dso_hits__free(struct dso_hits *h)
{
	vec__free(&h->modes);
}
