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
	TEST_EQ(selected("5-9", &mask), 2);
	TEST_EQ(mask, 0x30);
	TEST_EQ(selected("7", &mask), 0);
	TEST_EQ(selected("0", &mask), 0);
	TEST_EQ(selected("2x", &mask), 0);
}

TEST(runner_groups, "perf test: a group is all in it and below it, and is looked for first")
{
	unsigned int mask;

	TEST_EQ(selected("unit", &mask), 2);
	TEST_EQ(mask, 3);
	TEST_EQ(selected("shell", &mask), 3);
	TEST_EQ(mask, 0x38);
	TEST_EQ(selected("shell/record", &mask), 2);
	TEST_EQ(mask, 0x18);
	TEST_EQ(selected("record", &mask), 1); /* a name, as no group is called so */
	TEST_EQ(mask, 8);
	TEST_EQ(selected("shell/re", &mask), 0);
	TEST_EQ(selected("shell/*late", &mask), 1);
	TEST_EQ(mask, 0x10);
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
