// SPDX-License-Identifier: GPL-2.0-only
#include "change.h"

#include <math.h>
#include <stdlib.h>

struct comparison {
	const struct diff_table *t;
	const struct diff_groups *g;
	struct diff_changes *out;
	double *values;            /* of one row: of each run */
	double excess;             /* sum of how much more numbers vary than counts do */
	u32 nr_excess;
};

static u64 period_of(const struct diff_cell *c, bool total)
{
	return total ? c->period_all : c->period;
}

static u64 samples_of(const struct diff_cell *c, bool total)
{
	return total ? c->nr_all : c->nr;
}

/* What a run's number is divided by; 0: the run has nothing. */
static double divisor(const struct comparison *x, u32 run)
{
	const struct diff_run *r = &x->t->runs[run];

	switch (x->g->norm) {
	case DIFF_PER_SAMPLES:
		return r->nr;
	case DIFF_PER_TIME:
		return r->duration / 1e9;
	case DIFF_PER_RUN:
		return 1;
	default:
		return r->period;
	}
}

static double value_of(const struct comparison *x, u32 row, u32 run, bool total)
{
	const struct diff_cell *c = diff_table__cell(x->t, row, run);
	double by = divisor(x, run);

	if (!by)
		return 0;
	return (x->g->norm == DIFF_PER_SAMPLES ? samples_of(c, total) : period_of(c, total)) / by;
}

static u64 samples_between(const struct comparison *x, u32 row, u32 from, u32 to, bool total)
{
	u64 nr = 0;

	for (u32 i = from; i < to; i++)
		nr += samples_of(diff_table__cell(x->t, row, i), total);
	return nr;
}

/* The numbers of a group, and how their mean varies by counting alone. */
struct counted_group {
	struct stat_group g;
	double counting;
};

/*
 * The numbers of a group, and how they vary at least. With n samples of which each is worth u, the
 * sum varies by u * sqrt(n). A share of p varies less, by the factor sqrt(1 - p). Without samples
 * it varies as with one.
 */
static struct counted_group group_of(struct comparison *x, u32 row, u32 from, u32 to, bool total,
				     double worth)
{
	u64 nr = samples_between(x, row, from, to, total);
	u32 runs = to - from;
	double mean = 0, counting;
	struct stat_group g;

	for (u32 i = from; i < to; i++) {
		x->values[i] = value_of(x, row, i, total);
		mean += x->values[i] / runs;
	}
	counting = worth * worth * max_of(nr, (u64)1) / runs / runs;
	if (diff_norm__is_share(x->g->norm))
		counting *= fmax(1 - mean, 0);
	g = stat_group__of(x->values + from, runs, counting);
	if (runs > 1 && counting > 0 && nr >= DIFF_LEAST_SAMPLES) {
		struct stat_group seen = stat_group__of(x->values + from, runs, 0);

		x->excess += seen.variance / counting;
		x->nr_excess++;
	}
	return (struct counted_group){ g, counting };
}

/* The change of the numbers in .values, of which the groups were made. */
static void compare_groups(const struct comparison *x, struct stat_change *c,
			   const struct counted_group *before, const struct counted_group *after)
{
	u32 nr = x->g->nr_before;
	double counting[2] = { before->counting, after->counting };

	if (x->g->paired)
		stat_change__of_pairs(c, x->values, x->values + nr, nr, counting,
				      x->g->confidence);
	else
		stat_change__of(c, &before->g, &after->g, x->g->confidence);
}

/* Whether a function has never been seen calling another. */
static bool calls_nothing(const struct comparison *x, u32 row)
{
	for (u32 i = 0; i < x->t->nr_runs; i++) {
		const struct diff_cell *c = diff_table__cell(x->t, row, i);

		if (c->nr != c->nr_all || c->period != c->period_all)
			return false;
	}
	return true;
}

static bool has_enough(const struct comparison *x, u64 nr)
{
	u64 all = 0;

	for (u32 i = 0; i < x->t->nr_runs; i++)
		all += x->t->runs[i].nr;
	return nr >= DIFF_LEAST_SAMPLES && nr >= all / DIFF_LEAST_PART;
}

static void compare_row(struct comparison *x, u32 row, bool total)
{
	u32 from = x->g->nr_before, nr_runs = x->t->nr_runs;
	u64 nr = samples_between(x, row, 0, nr_runs, total);
	struct diff_change *d = vec__push(&x->out->v);
	struct counted_group before, after;
	double sum = 0;

	*d = (struct diff_change){ .row = row, .total = total, .q = 1 };
	d->tested = has_enough(x, nr);
	d->same = total && x->g->self && calls_nothing(x, row);
	for (u32 i = 0; i < nr_runs; i++)
		sum += value_of(x, row, i, total);
	before = group_of(x, row, 0, from, total, nr ? sum / nr : 0);
	after = group_of(x, row, from, nr_runs, total, nr ? sum / nr : 0);
	compare_groups(x, &d->c, &before, &after);
	x->out->nr_tested += d->tested && !d->same;
	x->out->nr_few += !d->tested && !d->same;
}

/* Of all rows that could be told from each other, together: each question once. */
static void find_discoveries(struct diff_changes *out)
{
	double *q = xcalloc(out->nr_tested + 1, sizeof(*q));
	u32 n = 0;

	for (size_t i = 0; i < out->v.nr; i++)
		if (out->v.v[i].tested && !out->v.v[i].same)
			q[n++] = out->v.v[i].c.p;
	statistics__false_discovery(q, n);
	n = 0;
	for (size_t i = 0; i < out->v.nr; i++)
		if (out->v.v[i].same) /* it stands behind that by itself */
			out->v.v[i].q = out->v.v[i - 1].q;
		else if (out->v.v[i].tested)
			out->v.v[i].q = q[n++];
	free(q);
}

static int compare_changes(const void *pa, const void *pb, void *ctx)
{
	const struct diff_change *a = pa, *b = pb;
	double limit = *(const double *)ctx;
	double size_a = fabs(a->c.after - a->c.before), size_b = fabs(b->c.after - b->c.before);

	if ((a->q <= limit) != (b->q <= limit))
		return a->q <= limit ? -1 : 1;
	if (a->tested != b->tested)
		return a->tested ? -1 : 1;
	if (size_a != size_b)
		return size_a > size_b ? -1 : 1;
	return a->row != b->row ? (a->row < b->row ? -1 : 1) : a->total - b->total;
}

static void compare_sums(struct comparison *x)
{
	struct counted_group before, after;
	u32 from = x->g->nr_before, nr_runs = x->t->nr_runs;
	double squares[2] = {};

	for (u32 i = 0; i < nr_runs; i++) {
		const struct diff_run *r = &x->t->runs[i];

		x->values[i] = r->period;
		/* Samples are taken at intervals: their sum is known but for one of them. */
		if (r->nr)
			squares[i >= from] += pow((double)r->period / r->nr, 2);
	}
	before.counting = squares[0] / from / from;
	after.counting = squares[1] / (nr_runs - from) / (nr_runs - from);
	before.g = stat_group__of(x->values, from, before.counting);
	after.g = stat_group__of(x->values + from, nr_runs - from, after.counting);
	compare_groups(x, &x->out->run, &before, &after);
}

void diff_changes__make(struct diff_changes *out, const struct diff_table *t,
			const struct diff_groups *g)
{
	struct comparison x = { .t = t, .g = g, .out = out };
	double limit = 1 - g->confidence;

	*out = (struct diff_changes){};
	x.values = xcalloc(t->nr_runs, sizeof(*x.values));
	for (u32 i = 0; i < t->rows.nr; i++) {
		if (g->self)
			compare_row(&x, i, false);
		if (g->totals)
			compare_row(&x, i, true);
	}
	compare_sums(&x);
	find_discoveries(out);
	for (size_t i = 0; i < out->v.nr; i++)
		out->nr_beyond += out->v.v[i].q <= limit;
	if (out->v.nr)
		qsort_r(out->v.v, out->v.nr, sizeof(*out->v.v), compare_changes, &limit);
	out->dispersion = x.nr_excess ? x.excess / x.nr_excess : 0;
	free(x.values);
}

void diff_changes__free(struct diff_changes *c)
{
	vec__free(&c->v);
}
