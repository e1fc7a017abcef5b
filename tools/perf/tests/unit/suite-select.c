// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the selection of tests by names, numbers and groups: see suite.h. */
#include "../suite.h"

static struct test_entry entries[] = {
	{ .name = "order", .description = "by time", .group = "unit" },
	{ .name = "order_late", .description = "late ones", .group = "unit" },
	{ .name = "state", .description = "fork and order", .group = "lib/unit" },
	{ .name = "record", .description = "a unit", .group = "shell/record", .script = "r.sh" },
	{ .name = "record-late", .description = "", .group = "shell/record", .script = "l.sh" },
	{ .name = "unit-report", .description = "", .group = "shell/report", .script = "u.sh" },
};

/* A bit for each of the entries that @pattern selects. */
static unsigned int selected(const char *pattern)
{
	struct test_suite s = { .tests = { .v = entries, .nr = ARRAY_SIZE(entries) } };
	unsigned int nr, mask = 0;

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		entries[i].selected = false;
	nr = test_suite__select(&s, pattern);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		mask |= entries[i].selected << i;
	TEST_EQ(nr, __builtin_popcount(mask));
	return mask;
}

TEST(runner_names, "perf test: a whole name is that test, a part is all that have it")
{
	TEST_EQ(selected("order"), 1);
	TEST_EQ(selected("orde"), 7);
	TEST_EQ(selected("order*"), 3);
	TEST_EQ(selected("nothing"), 0);
}

TEST(runner_numbers, "perf test: numbers and ranges choose by position")
{
	TEST_EQ(selected("2"), 2);
	TEST_EQ(selected("2-3"), 6);
	TEST_EQ(selected("5-9"), 0x30);
	TEST_EQ(selected("7"), 0);
	TEST_EQ(selected("0"), 0);
	TEST_EQ(selected("2x"), 0);
}

TEST(runner_groups, "perf test: a group is all in it and below it, and is looked for first")
{
	TEST_EQ(selected("unit"), 3);
	TEST_EQ(selected("shell"), 0x38);
	TEST_EQ(selected("shell/record"), 0x18);
	TEST_EQ(selected("record"), 8); /* a name, as no group is called so */
	TEST_EQ(selected("shell/re"), 0);
	TEST_EQ(selected("shell/*late"), 0x10);
}

TEST(runner_skip, "perf test: what is skipped is taken out of what was selected")
{
	struct test_suite s = { .tests = { .v = entries, .nr = ARRAY_SIZE(entries) } };
	struct error err = {};

	test_suite__select_all(&s);
	TEST_EQ(test_suite__skip(&s, "shell/record,order*,6", &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		TEST_EQ(entries[i].selected, i == 2);
	TEST_EQ(test_suite__skip(&s, "state,nothing", &err), -ENOENT);
	TEST_STR(err.text, "no test matches 'nothing'");
}

TEST(runner_group_names, "perf test: each test has the group of its folder, none a group's name")
{
	struct test_suite s;

	TEST_EQ(test_suite__init(&s, true, NULL), 0);
	for (size_t i = 0; i < s.tests.nr; i++) {
		const struct test_entry *t = &s.tests.v[i];
		const char *top = t->group;

		if (t->script)
			TEST_TRUE(!strncmp(top, "shell", 5) || !strcmp(top, "source"));
		else
			TEST_TRUE(!strcmp(top, "unit") || !strcmp(top, "fuzz") ||
				  !strncmp(top, "lib/", 4));
		for (size_t k = 0; k < s.tests.nr; k++)
			if (!strcmp(s.tests.v[k].group, t->name))
				TEST_FAIL("%s is the name of a group", t->name);
	}
	test_suite__exit(&s);
}
