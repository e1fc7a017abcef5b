// SPDX-License-Identifier: GPL-2.0-only
#include "unwind-stats.h"

#include <stdlib.h>

void unwind_stats__free(struct unwind_stats *st)
{
	vec__free(&st->by_dso);
}

static struct unwind_stats_row *stats__row(struct unwind_stats *st, const struct thread *t,
					   u64 addr)
{
	const struct map *map = machine__find_map(st->machine, t, PERF_RECORD_MISC_USER, addr);
	size_t i = map && map->dso->kind != DSO_ANON && map->dso->kind != DSO_JIT ?
		   map->dso->id + 1ULL : 0;

	while (st->by_dso.nr <= i)
		*vec__push(&st->by_dso) = (struct unwind_stats_row){};
	return &st->by_dso.v[i];
}

void unwind_stats__begin(void *stats, struct machine *machine, struct symbols *symbols)
{
	struct unwind_stats *st = stats;

	st->machine = machine;
}

int unwind_stats__sample(void *stats, const struct whole_sample *ws)
{
	const u64 *ips = ws->user;
	struct unwind_stats *st = stats;
	struct unwind_stats_row *row;

	if (ws->user_part != USER_PART_UNWOUND || !ws->nr_user)
		return 0;
	st->samples++;
	for (u64 i = 0; i < ws->nr_user; i++) {
		/* A caller is found by the rows of the frame before it. */
		row = stats__row(st, ws->thread, i ? ips[i - 1] - (i > 1) : ips[0]);
		row->frames[ws->methods[i]]++;
		row->nr_frames++;
		st->all.frames[ws->methods[i]]++;
	}
	row = stats__row(st, ws->thread, ips[ws->nr_user - 1] - (ws->nr_user > 1));
	row->stops[ws->stop]++;
	row->nr_stops++;
	st->all.stops[ws->stop]++;
	return 0;
}

static int row__cmp(const void *a, const void *b, void *rows)
{
	const struct unwind_stats_row *v = rows, *x = &v[*(const u32 *)a], *y = &v[*(const u32 *)b];

	if (x->nr_frames != y->nr_frames)
		return compare_of(y->nr_frames, x->nr_frames);
	return compare_of(*(const u32 *)a, *(const u32 *)b);
}

static void print_row(struct textbuf *tb, const struct unwind_stats_row *row,
		      const struct unwind_stats_row *all, const char *name)
{
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		if (all->frames[i])
			textbuf__dec(tb, row->frames[i], 12);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (all->stops[i])
			textbuf__dec(tb, row->stops[i], strlen(unwind_stop__name(i)) + 2);
	textbuf__printf(tb, "  %s\n", name);
}

static void print_head(struct textbuf *tb, const struct unwind_stats_row *all)
{
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		if (all->frames[i])
			textbuf__str_right(tb, unwind_method__name(i), 12);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		if (all->stops[i])
			textbuf__printf(tb, "  %s", unwind_stop__name(i));
	textbuf__puts(tb, "\n");
}

u32 *unwind_stats__sorted(const struct unwind_stats *st, u32 *nr)
{
	u32 *order = xcalloc(st->by_dso.nr + 1, sizeof(*order));

	*nr = 0;
	for (size_t i = 0; i < st->by_dso.nr; i++)
		if (st->by_dso.v[i].nr_frames || st->by_dso.v[i].nr_stops)
			order[(*nr)++] = i;
	if (*nr)
		qsort_r(order, *nr, sizeof(*order), row__cmp, st->by_dso.v);
	return order;
}

const char *unwind_stats__name(const struct unwind_stats *st, u32 row)
{
	return row ? machine__dso(st->machine, row - 1)->name : "[unknown]";
}

void unwind_stats__print(const struct unwind_stats *st, struct textbuf *tb)
{
	u32 nr, *order = unwind_stats__sorted(st, &nr);

	textbuf__printf(tb, "%llu samples with a stack copy: frames by method, stacks by how they "
			"end, in each binary\n", (unsigned long long)st->samples);
	print_head(tb, &st->all);
	for (u32 i = 0; i < nr; i++)
		print_row(tb, &st->by_dso.v[order[i]], &st->all,
			  unwind_stats__name(st, order[i]));
	print_row(tb, &st->all, &st->all, "total");
	free(order);
}
