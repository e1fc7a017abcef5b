// SPDX-License-Identifier: GPL-2.0-only
#include "thread-stats.h"

void thread_stats__free(struct thread_stats *st)
{
	vec__free(&st->rows);
	map64__free(&st->by_id);
}

void thread_stats__sample(struct thread_stats *st, const struct whole_sample *ws)
{
	const struct thread *t = ws->thread;
	u64 id = (u64)t->pid << 32 | t->tid;
	size_t nr = (size_t)map64__get(&st->by_id, id);

	if (!nr) {
		*vec__push(&st->rows) = (struct thread_stats_row){ .pid = t->pid, .tid = t->tid };
		nr = st->rows.nr;
		map64__set(&st->by_id, id, (void *)nr);
	}
	st->rows.v[nr - 1].comm = t->comm;
	pipeline_account__add(&st->rows.v[nr - 1].account, ws);
}

static int row__cmp(const void *a, const void *b)
{
	const struct thread_stats_row *x = a, *y = b;

	if (x->account.samples != y->account.samples)
		return compare_of(y->account.samples, x->account.samples);
	if (x->pid != y->pid)
		return compare_of(x->pid, y->pid);
	return compare_of(x->tid, y->tid);
}

void thread_stats__sort(struct thread_stats *st)
{
	if (st->rows.nr)
		qsort(st->rows.v, st->rows.nr, sizeof(*st->rows.v), row__cmp);
}
