// SPDX-License-Identifier: GPL-2.0-only
/* Comparing recordings: rows, conditions, and how often chance is taken for a change. */
#include <math.h>
#include <string.h>

#include "../../util/diff/limit.h"
#include "../../util/diff/paths.h"
#include "../test.h"

#define FUNCTIONS 30
#define RUNS 10

static u32 add(struct diff_table *t, u32 run, const char *dso, const char *sym, u32 unnamed,
	       u64 period)
{
	const char *texts[] = { dso, sym };
	const struct diff_cell cell = {
		.period = period, .nr = period, .period_all = 2 * period, .nr_all = period,
	};

	t->runs[run].period += period;
	t->runs[run].nr += period;
	return diff_table__add(t, run, texts, unnamed, &cell);
}

TEST(diff_rows, "perf diff: rows are told apart by text, and code without a name by its binary")
{
	struct diff_table t;
	u32 row;

	diff_table__init(&t, 2, 2);
	row = add(&t, 0, "a.so", "[.] f", DIFF_NO_KEY, 10);
	TEST_EQ(add(&t, 1, "a.so", "[.] f", DIFF_NO_KEY, 20), row);
	TEST_TRUE(add(&t, 1, "b.so", "[.] f", DIFF_NO_KEY, 20) != row);
	row = add(&t, 0, "a.so", "[.] 0x30", 1, 30);
	TEST_EQ(add(&t, 0, "a.so", "[.] 0x20", 1, 5), row);
	TEST_EQ(add(&t, 1, "a.so", "[.] 0x10", 1, 7), row);
	/* A function may be called like an address. */
	TEST_TRUE(add(&t, 0, "a.so", "[.] 0x20", DIFF_NO_KEY, 5) != row);
	TEST_STR(t.rows.v[row].texts[1], "[.] 0x20");
	TEST_EQ(diff_table__cell(&t, row, 0)->period, 35);
	TEST_EQ(diff_table__cell(&t, row, 1)->period_all, 14);
	TEST_STR(diff_table__name("[k] do_it"), "do_it");
	TEST_STR(diff_table__name("[x]"), "[x]");
	diff_table__free(&t);
}

static void check_limit(const char *text, int what, const char *function, bool falls, bool points,
			double limit)
{
	struct error err = {};
	struct diff_limit l;

	TEST_EQ(diff_limit__parse(&l, text, &err), 0);
	TEST_EQ((int)l.what, what);
	TEST_TRUE(function ? l.function && !strcmp(l.function, function) : !l.function);
	TEST_TRUE(l.falls == falls && l.points == points && fabs(l.limit - limit) < 1e-12);
	diff_limit__free(&l);
}

TEST(diff_limits, "perf diff --fail-if: conditions of all forms, and what is none")
{
	static const char *const bad[] = {
		"", ">", "self", "self(", "self(f", "self(f)", "self(f) >", "self(f) > x%",
		"self(f) > 3", "self(f) > 3%%", "self(f) > inf%", "other(f) > 3%", "> 3%",
		"self() > 3%", "run > 1pp", "selfish(f) > 3%", "self f > 3%",
	};
	struct error err = {};
	struct diff_limit l;

	check_limit("self(f) > +3%", DIFF_LIMIT_SELF, "f", false, false, 0.03);
	check_limit("  total( f )<-0.5 pp", DIFF_LIMIT_TOTAL, " f ", true, true, -0.005);
	check_limit("any>1e1%", DIFF_LIMIT_SELF, "*", false, false, 0.1);
	check_limit("run > 2 %", DIFF_LIMIT_RUN, NULL, false, false, 0.02);
	check_limit("self(S::operator>(T<int> const&)) > 3%", DIFF_LIMIT_SELF,
		    "S::operator>(T<int> const&)", false, false, 0.03);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		TEST_EQ(diff_limit__parse(&l, bad[i], &err), -EINVAL);
		diff_limit__free(&l);
	}
	TEST_EQ(diff_limit__parse(&l, "self(f*[xy]) > 0%", &err), 0);
	TEST_TRUE(diff_limit__is_pattern(&l) && diff_limit__is_of(&l, "f1x"));
	TEST_TRUE(diff_limit__is_of(&l, "f*[xy]") && !diff_limit__is_of(&l, "f1z"));
	diff_limit__free(&l);
}

static double next_random(u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((*state >> 11) + 0.5) / (1ULL << 53);
}

static double next_normal(u64 *state)
{
	double a = next_random(state), b = next_random(state);

	return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}

/*
 * A run of functions whose shares fall off, and vary by @spread from run to run beyond counting;
 * function 2 takes @more of the whole run in addition.
 */
static void add_run(struct diff_table *t, u32 run, double samples, double spread, double more,
		    u64 *state)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		double share = 0.2 * pow(0.82, i) + (i == 2 ? more : 0);
		double mean = samples * share * exp(spread * next_normal(state));
		double count = mean + sqrt(mean) * next_normal(state);
		char name[32];

		snprintf(name, sizeof(name), "[.] f%d", i);
		add(t, run, "prog", name, DIFF_NO_KEY, count > 0 ? count + 0.5 : 0);
	}
}

/* Returns whether anything is listed; @found: whether it is function 2, grown. */
/*
 * The same for runs that were recorded in turns, while the machine changes: function 2 has up to
 * 4 % of the run more for both runs of a pair.
 */
static bool compare_turns(bool paired, double more, u64 *state, bool *found)
{
	const struct diff_groups g = { .nr_before = RUNS, .confidence = 0.99, .self = true,
				       .paired = paired };
	struct diff_changes c;
	struct diff_table t;
	bool any;

	diff_table__init(&t, 2, 2 * RUNS);
	for (u32 i = 0; i < RUNS; i++) {
		u64 drift = 400 * next_random(state);

		for (u32 after = 0; after < 2; after++) {
			add_run(&t, i + after * RUNS, 10000, 0, after ? more : 0, state);
			add(&t, i + after * RUNS, "prog", "[.] f2", DIFF_NO_KEY, drift);
		}
	}
	diff_changes__make(&c, &t, &g);
	any = c.nr_beyond;
	*found = false;
	for (u32 i = 0; i < c.nr_beyond; i++)
		if (!strcmp(t.rows.v[c.v.v[i].row].texts[1], "[.] f2"))
			*found = c.v.v[i].c.after > c.v.v[i].c.before;
	diff_changes__free(&c);
	diff_table__free(&t);
	return any;
}

static bool compare_made(double samples, double spread, double more, u64 *state, bool *found)
{
	const struct diff_groups g = { .nr_before = RUNS, .confidence = 0.99, .self = true };
	struct diff_changes c;
	struct diff_table t;
	bool any;

	diff_table__init(&t, 2, 2 * RUNS);
	for (u32 i = 0; i < 2 * RUNS; i++)
		add_run(&t, i, samples, spread, i < RUNS ? 0 : more, state);
	diff_changes__make(&c, &t, &g);
	any = c.nr_beyond;
	*found = false;
	for (u32 i = 0; i < c.nr_beyond; i++)
		if (!strcmp(t.rows.v[c.v.v[i].row].texts[1], "[.] f2"))
			*found = c.v.v[i].c.after > c.v.v[i].c.before;
	diff_changes__free(&c);
	diff_table__free(&t);
	return any;
}

TEST(diff_chance, "perf diff --runs: 1 % false alarms at most, and 2 % of a program are found")
{
	u32 alarms[2] = {}, found = 0, rounds = 1000 / test__share(5);
	u64 state = 42;
	bool hit;

	for (u32 i = 0; i < rounds; i++) {
		alarms[0] += compare_made(5000, 0, 0, &state, &hit);
		alarms[1] += compare_made(5000, 0.05, 0, &state, &hit);
	}
	for (u32 i = 0; i < rounds / 5; i++) {
		compare_made(8000, 0.01, 0.02, &state, &hit);
		found += hit;
	}
	printf("%u and %u false alarms of %u, %u of %u found\n", alarms[0], alarms[1], rounds,
	       found, rounds / 5);
	TEST_TRUE(alarms[0] * 100 <= rounds && alarms[1] * 100 <= rounds);
	TEST_TRUE(found * 100 >= rounds / 5 * 95);
}

TEST(diff_pairs, "perf diff --paired: what changes slowly hides nothing, and raises no alarm")
{
	u32 alarms = 0, found[2] = {}, rounds = 1000 / test__share(5);
	u64 state = 7;
	bool hit;

	for (u32 i = 0; i < rounds; i++)
		alarms += compare_turns(true, 0, &state, &hit);
	for (u32 i = 0; i < rounds / 5; i++) {
		compare_turns(false, 0.02, &state, &hit);
		found[0] += hit;
		compare_turns(true, 0.02, &state, &hit);
		found[1] += hit;
	}
	printf("%u false alarms of %u, %u of %u found, %u in pairs\n", alarms, rounds, found[0],
	       rounds / 5, found[1]);
	TEST_TRUE(alarms * 100 <= rounds && found[1] * 100 >= rounds / 5 * 95);
	TEST_TRUE(found[0] * 10 < rounds);
}

TEST(diff_few, "perf diff --runs: what has few samples is not compared, and runs may be empty")
{
	const struct diff_groups g = { .nr_before = 1, .confidence = 0.99, .self = true };
	struct diff_changes c;
	struct diff_table t;

	diff_table__init(&t, 2, 3);
	add(&t, 0, "prog", "[.] rare", DIFF_NO_KEY, 1);
	add(&t, 1, "prog", "[.] rare", DIFF_NO_KEY, DIFF_LEAST_SAMPLES - 2);
	add(&t, 0, "prog", "[.] more", DIFF_NO_KEY, DIFF_LEAST_SAMPLES);
	diff_changes__make(&c, &t, &g);
	TEST_EQ(c.nr_tested, 1);
	TEST_EQ(c.nr_few, 1);
	for (size_t i = 0; i < c.v.nr; i++)
		TEST_TRUE(!isnan(c.v.v[i].c.p) && !isnan(c.v.v[i].c.half));
	diff_changes__free(&c);
	diff_table__free(&t);
}
