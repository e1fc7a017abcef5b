// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "../../util/diff/statistics.h"
#include "../test.h"

static bool near(double a, double b, double by)
{
	return fabs(a - b) <= by;
}

/* Printed tables of Student's distribution have these limits. */
TEST(statistics_t_limits, "Student's t has the limits of the printed tables")
{
	static const struct { double p, df, t; } known[] = {
		{ 0.05, 1, 12.7062 }, { 0.05, 2, 4.30265 }, { 0.05, 5, 2.57058 },
		{ 0.05, 10, 2.22814 }, { 0.05, 18, 2.10092 }, { 0.05, 120, 1.97993 },
		{ 0.01, 1, 63.6567 }, { 0.01, 4, 4.60409 }, { 0.01, 18, 2.87844 },
		{ 0.01, 60, 2.66028 }, { 0.001, 9, 4.78091 }, { 0.001, 30, 3.64596 },
		{ 0.05, INFINITY, 1.95996 }, { 0.01, INFINITY, 2.57583 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		double t = student_t__limit(known[i].p, known[i].df);

		TEST_TRUE(near(t, known[i].t, 1e-4 * known[i].t));
		TEST_TRUE(near(student_t__beyond(t, known[i].df), known[i].p, 1e-9));
		TEST_TRUE(near(student_t__beyond(-t, known[i].df), known[i].p, 1e-9));
	}
}

/* With one degree of freedom the distribution is that of Cauchy, with two it is a root. */
TEST(statistics_t_formulas, "Student's t agrees with its closed forms")
{
	for (double t = 0; t < 50; t += 0.7) {
		TEST_TRUE(near(student_t__beyond(t, 1), 1 - 2 / M_PI * atan(t), 1e-12));
		TEST_TRUE(near(student_t__beyond(t, 2), 1 - t / sqrt(2 + t * t), 1e-12));
	}
	TEST_TRUE(student_t__beyond(0, 7) == 1);
	TEST_TRUE(student_t__beyond(INFINITY, 7) == 0);
	TEST_TRUE(near(student_t__beyond(3, 2e6), student_t__beyond(3, 9e5), 1e-7));
}

/*
 * By hand: means 10 and 12, sums of squared differences 10 and 40, so variances of the means 0.5
 * and 2, t = 2 / sqrt(2.5) = 1.264911, df = 6.25 / (0.0625 + 1) = 5.882353.
 */
TEST(statistics_welch, "Welch's comparison is as by hand")
{
	static const double a[] = { 8, 9, 10, 11, 12 }, b[] = { 8, 10, 12, 14, 16 };
	struct stat_group before = stat_group__of(a, 5, 0), after = stat_group__of(b, 5, 0);
	struct stat_change c;

	TEST_TRUE(near(before.variance, 0.5, 1e-12) && near(after.variance, 2, 1e-12));
	stat_change__of(&c, &before, &after, 0.95);
	TEST_TRUE(c.before == 10 && c.after == 12);
	TEST_TRUE(near(c.p, student_t__beyond(1.264911, 5.882353), 1e-6));
	TEST_TRUE(near(c.half, student_t__limit(0.05, 5.882353) * sqrt(2.5), 1e-6));
	TEST_TRUE(near(c.relative, 0.2, 1e-12));
	TEST_TRUE(near(c.relative_half,
		   student_t__limit(0.05, 5.882353) * sqrt(2 + 1.44 * 0.5) / 10, 1e-6));
}

TEST(statistics_floor, "a group varies at least as its counts do")
{
	static const double same[] = { 5, 5, 5 }, one[] = { 6 };
	struct stat_group a = stat_group__of(same, 3, 0.04), b = stat_group__of(one, 1, 0.16);
	struct stat_change c;

	TEST_TRUE(a.variance == 0.04 && a.df == 2);
	TEST_TRUE(b.variance == 0.16 && isinf(b.df));
	/* One number varies like the others do: 3 * 0.04 is less than its counts say. */
	stat_change__of(&c, &a, &b, 0.95);
	TEST_TRUE(near(c.p, student_t__beyond(1 / sqrt(0.2), 0.04 / (0.0008 + 0.0128)), 1e-9));
	/* Two single numbers: as counts do. */
	a = stat_group__of(same, 1, 0.09);
	stat_change__of(&c, &a, &b, 0.95);
	TEST_TRUE(near(c.half, 1.95996 * 0.5, 1e-4));
	TEST_TRUE(near(c.p, student_t__beyond(2, INFINITY), 1e-9));
}

TEST(statistics_nothing, "what is in one group only, or the same in both, is no division by zero")
{
	static const double none[] = { 0, 0 }, some[] = { 1, 3 };
	struct stat_group a = stat_group__of(none, 2, 0), b = stat_group__of(some, 2, 0);
	struct stat_change c;

	stat_change__of(&c, &a, &b, 0.95);
	TEST_TRUE(isinf(c.relative) && isinf(c.relative_half) && c.p > 0.05 && c.p < 1);
	stat_change__of(&c, &a, &a, 0.95);
	TEST_TRUE(c.relative == 0 && c.relative_half == 0 && c.p == 1 && c.half == 0);
}

/* The example of the article by Benjamini and Hochberg: 15 comparisons, 4 discoveries at 0.05. */
TEST(statistics_discovery, "the false discovery rate is that of the published example")
{
	double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459,
		       0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	double shuffled[] = { 0.5, 0.01, 0.04, 0.03 };
	u32 found = 0;

	statistics__false_discovery(p, ARRAY_SIZE(p));
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		found += p[i] <= 0.05;
	TEST_EQ(found, 4);
	TEST_TRUE(near(p[0], 0.0015, 1e-12) && near(p[3], 0.035625, 1e-12) && p[14] == 1);
	/* Not in order, and never decreasing with p: 0.03 * 4 / 2 is more than 0.04 * 4 / 3. */
	statistics__false_discovery(shuffled, 4);
	TEST_TRUE(shuffled[0] == 0.5 && near(shuffled[1], 0.04, 1e-12));
	TEST_TRUE(near(shuffled[2], 0.16 / 3, 1e-12) && near(shuffled[3], 0.16 / 3, 1e-12));
	statistics__false_discovery(NULL, 0);
}

/* With three degrees of freedom, p = 1 - 2/pi (r / (1 + r * r) + atan(r)), r = t / sqrt(3). */
TEST(statistics_pairs, "pairs of numbers: their differences count, not what pairs have in common")
{
	const double before[] = { 1, 20, 300, 4000 }, after[] = { 1.5, 20.3, 300.9, 4000.3 };
	const double none[2] = { 0, 0 }, much[2] = { 1, 3 };
	double t = 0.5 / (sqrt(0.08) / 2), r = t / sqrt(3);
	struct stat_change c;

	stat_change__of_pairs(&c, before, after, 4, none, 0.99);
	TEST_TRUE(near(c.after - c.before, 0.5, 1e-9));
	TEST_TRUE(near(c.p, 1 - 2 / M_PI * (r / (1 + r * r) + atan(r)), 1e-6));
	TEST_TRUE(near(c.half, student_t__limit(0.01, 3) * sqrt(0.08) / 2, 1e-6));
	/* Counting varies at least that much. */
	stat_change__of_pairs(&c, before, after, 4, much, 0.99);
	TEST_TRUE(near(c.half, student_t__limit(0.01, 3) * 2, 1e-6));
	TEST_TRUE(c.p > 0.5);
}
