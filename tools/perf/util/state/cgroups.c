// SPDX-License-Identifier: GPL-2.0-only
#include "cgroups.h"

void cgroups__record(struct cgroups *c, const struct record *rec)
{
	struct cgroup_record r;

	if (rec->hdr->type != PERF_RECORD_CGROUP || record__cgroup(rec, &r))
		return;
	if (!c->arena)
		c->arena = arena__new();
	map64__set(&c->paths, r.id, (void *)arena__intern(c->arena, r.path));
}

const char *cgroups__path(const struct cgroups *c, u64 id)
{
	return map64__get(&c->paths, id);
}

void cgroups__free(struct cgroups *c)
{
	map64__free(&c->paths);
	arena__free(c->arena);
	*c = (struct cgroups){};
}
