// SPDX-License-Identifier: GPL-2.0-only
#include "ahead.h"

#include <stdlib.h>

#include "../base/mem.h"

#define RECORDS 16384 /* 1.3 MB */
#define VISITS 4      /* as many records may be looked at, for each that is read */

struct ahead {
	struct reader *reader;
	struct machine *machine;
	size_t nr, at; /* in .v; the next one */
	size_t may_visit;
	struct record v[RECORDS];
};

/* A visit to the addresses of records. */
struct visit {
	symbols_ahead_fn each;
	void *ctx;
};

struct ahead *ahead__new(struct reader *r, struct machine *m)
{
	struct ahead *a = xmalloc(sizeof(*a));

	a->reader = r;
	a->machine = m;
	a->nr = a->at = a->may_visit = 0;
	return a;
}

void ahead__free(struct ahead *a)
{
	free(a);
}

struct record *ahead__next(struct ahead *a)
{
	if (a->at == a->nr) {
		a->at = a->nr = 0;
		while (a->nr < RECORDS && reader__next(a->reader, &a->v[a->nr]))
			a->nr++;
		a->may_visit = VISITS * a->nr;
	}
	return a->at < a->nr ? &a->v[a->at++] : NULL;
}

static bool visit_chain(const struct visit *v, const struct thread *t, const u64 *ips, u64 nr,
			bool user)
{
	bool is_return = false;

	for (u64 i = 0; i < nr; i++) {
		if (ip__is_context(ips[i])) {
			user = ips[i] == ABI_CONTEXT_USER;
			is_return = false;
			continue;
		}
		if (user && !v->each(v->ctx, t, ips[i], is_return))
			return false;
		is_return = true;
	}
	return true;
}

static bool visit_record(const struct ahead *a, const struct record *rec, const struct visit *v)
{
	const struct thread *t = machine__find_thread(a->machine, rec->tid);
	struct deferred_record d;
	const u64 *chain;
	u64 nr;

	if (!t || !rec->event)
		return true;
	if (rec->hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED && !record__deferred(rec, &d))
		return visit_chain(v, t, d.ips, d.nr, true);
	if (rec->hdr->type != PERF_RECORD_SAMPLE || sample__chain(rec, &chain, &nr))
		return true;
	return visit_chain(v, t, chain, nr, false);
}

void ahead__visit(void *ahead, symbols_ahead_fn each, void *each_ctx)
{
	const struct visit v = { each, each_ctx };
	struct ahead *a = ahead;

	for (size_t i = 0; i < a->nr && a->may_visit; i++, a->may_visit--)
		if (!visit_record(a, &a->v[i], &v))
			break;
}
