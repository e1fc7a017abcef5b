// SPDX-License-Identifier: GPL-2.0-only
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "../base/mem.h"

#define FRACTION_TERMS 500  /* some dozen are needed, and more for very large df */
#define HALVINGS 200
#define MANY_DF 1e6         /* as good as the normal distribution */
#define TINY 1e-300

/* The continued fraction of the incomplete beta function, by the method of Lentz. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < TINY ? TINY : d);
	h = d;
	for (int m = 1; m < FRACTION_TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return h;
}

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* The regularized incomplete beta function I_x(a, b). */
static double beta_part(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t__beyond(double t, double df)
{
	if (isinf(t))
		return 0;
	if (df > MANY_DF)
		return erfc(fabs(t) / sqrt(2));
	return beta_part(df / 2, 0.5, df / (df + t * t));
}

double student_t__limit(double p, double df)
{
	double low = 0, high = 1;

	while (student_t__beyond(high, df) > p && high < 1e150)
		high *= 2;
	for (int i = 0; i < HALVINGS && high - low > 1e-12 * high; i++) {
		double middle = (low + high) / 2;

		if (student_t__beyond(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct stat_group stat_group__of(const double *v, u32 nr, double counting)
{
	struct stat_group g = { .nr = nr, .variance = counting, .df = INFINITY };
	double squares = 0, seen;

	for (u32 i = 0; i < nr; i++)
		g.mean += v[i] / nr;
	for (u32 i = 0; i < nr; i++)
		squares += (v[i] - g.mean) * (v[i] - g.mean);
	if (nr < 2)
		return g;
	seen = squares / (nr - 1) / nr;
	g.variance = seen > counting ? seen : counting;
	g.df = nr - 1;
	return g;
}

/* A group of one number varies as those of the other do. */
static struct stat_group with_variance(const struct stat_group *g, const struct stat_group *other)
{
	struct stat_group out = *g;

	if (g->nr < 2 && other->nr > 1) {
		out.variance = fmax(g->variance, other->variance * other->nr);
		out.df = other->df;
	}
	return out;
}

static double welch_df(const struct stat_group *a, const struct stat_group *b)
{
	double sum = a->variance + b->variance;
	double parts = a->variance * a->variance / a->df + b->variance * b->variance / b->df;

	return parts > 0 ? sum * sum / parts : INFINITY;
}

void stat_change__of(struct stat_change *c, const struct stat_group *before,
		     const struct stat_group *after, double confidence)
{
	struct stat_group b = with_variance(before, after), a = with_variance(after, before);
	double change = a.mean - b.mean, error = sqrt(a.variance + b.variance);
	double df = welch_df(&a, &b), limit = student_t__limit(1 - confidence, df);

	*c = (struct stat_change){
		.before = b.mean, .after = a.mean, .half = limit * error,
		.p = error > 0 ? student_t__beyond(change / error, df) : change == 0,
	};
	if (b.mean > 0) {
		double ratio = a.mean / b.mean;

		c->relative = ratio - 1;
		c->relative_half = limit * sqrt(a.variance + ratio * ratio * b.variance) / b.mean;
	} else if (change != 0) {
		c->relative = c->relative_half = INFINITY;
	}
}

/* The variance of the mean of after - @by * before: what is seen, or that of counting. */
static double variance_of_pairs(const double *before, const double *after, u32 nr, double by,
				const double counting[2])
{
	double mean = 0, squares = 0;

	for (u32 i = 0; i < nr; i++)
		mean += (after[i] - by * before[i]) / nr;
	for (u32 i = 0; i < nr; i++)
		squares += pow(after[i] - by * before[i] - mean, 2);
	return fmax(squares / (nr - 1) / nr, counting[1] + by * by * counting[0]);
}

void stat_change__of_pairs(struct stat_change *c, const double *before, const double *after, u32 nr,
			   const double counting[2], double confidence)
{
	double limit = student_t__limit(1 - confidence, nr - 1), error, ratio;

	*c = (struct stat_change){};
	for (u32 i = 0; i < nr; i++) {
		c->before += before[i] / nr;
		c->after += after[i] / nr;
	}
	error = sqrt(variance_of_pairs(before, after, nr, 1, counting));
	c->half = limit * error;
	c->p = error > 0 ? student_t__beyond((c->after - c->before) / error, nr - 1) :
			   c->after == c->before;
	if (c->before > 0) {
		ratio = c->after / c->before;
		c->relative = ratio - 1;
		c->relative_half = limit / c->before *
			sqrt(variance_of_pairs(before, after, nr, ratio, counting));
	} else if (c->after != c->before) {
		c->relative = c->relative_half = INFINITY;
	}
}

static int compare_places(const void *a, const void *b)
{
	const double *const *pa = a, *const *pb = b;

	return **pa < **pb ? -1 : **pa > **pb;
}

void statistics__false_discovery(double *p, size_t nr)
{
	double **sorted = xcalloc(nr + 1, sizeof(*sorted)), least = 1;

	for (size_t i = 0; i < nr; i++)
		sorted[i] = &p[i];
	qsort(sorted, nr, sizeof(*sorted), compare_places);
	for (size_t i = nr; i--;) {
		double q = *sorted[i] * nr / (i + 1);

		least = q < least ? q : least;
		*sorted[i] = least;
	}
	free(sorted);
}
