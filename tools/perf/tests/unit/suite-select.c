// SPDX-License-Identifier: GPL-2.0-only
#include "../suite.h"

static struct test_entry entries[] = {
	{ .name = "order", .description = "by time" },
	{ .name = "order_late", .description = "late ones" },
	{ .name = "state", .description = "fork and order" },
};

static unsigned int selected(const char *pattern, unsigned int *mask)
{
	struct test_suite s = { .tests = { .v = entries, .nr = ARRAY_SIZE(entries) } };
	unsigned int nr;

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		entries[i].selected = false;
	nr = test_suite__select(&s, pattern);
	*mask = 0;
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		*mask |= entries[i].selected << i;
	return nr;
}

TEST(runner_names, "perf test: a whole name is that test, a part is all that have it")
{
	unsigned int mask;

	TEST_EQ(selected("order", &mask), 1);
	TEST_EQ(mask, 1);
	TEST_EQ(selected("orde", &mask), 3);
	TEST_EQ(mask, 7);
	TEST_EQ(selected("order*", &mask), 2);
	TEST_EQ(mask, 3);
	TEST_EQ(selected("nothing", &mask), 0);
}

TEST(runner_numbers, "perf test: numbers and ranges choose by position")
{
	unsigned int mask;

	TEST_EQ(selected("2", &mask), 1);
	TEST_EQ(mask, 2);
	TEST_EQ(selected("2-3", &mask), 2);
	TEST_EQ(mask, 6);
	TEST_EQ(selected("4", &mask), 0);
	TEST_EQ(selected("2x", &mask), 0);
}
