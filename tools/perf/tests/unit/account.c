// SPDX-License-Identifier: GPL-2.0-only
/* What is whole, in words, and what to do where much is not. */
#include "../../util/sample/account.h"
#include "../test.h"

static void expect_advice(const struct pipeline_account *a, const char *expected)
{
	char line[512];

	TEST_EQ(pipeline_account__advice(a, line, sizeof(line)), !!expected);
	if (expected)
		TEST_STR(line, expected);
}

static void expect_line(const struct pipeline_account *a, const char *line)
{
	char buf[512];
	int len = pipeline_account__line(a, buf, sizeof(buf));

	TEST_STR(buf, line);
	TEST_EQ(len, strlen(line));
}

TEST(account, "account: what is whole, in words, and what to do")
{
	struct pipeline_account a = { .samples = 1234567 };

	a.user_part[USER_PART_NONE] = 1234567;
	expect_line(&a, "1,234,567 samples, 1,234,567 without a user stack");
	a.kernel_alone = 1234567;
	expect_line(&a, "1,234,567 samples, 1,234,567 without a user stack (kernel threads, "
			"idle CPUs)");

	memset(&a, 0, sizeof(a));
	expect_line(&a, "0 samples");

	a.samples = 10000;
	a.user_part[USER_PART_UNWOUND] = 10000;
	a.stop[UNWIND_OUTERMOST] = 9999;
	a.stop[UNWIND_NO_ROW] = 1;
	a.lost = 7;
	a.lost_samples = 6;
	expect_line(&a, "10,000 samples, 9,999 whole user stacks (99.9 %), 1 not whole: "
			"1 no unwind information; 7 records lost");

	a.stop[UNWIND_OUTERMOST] = 9980;
	a.stop[UNWIND_COPY_SHORT] = 19;
	a.lost = a.lost_samples = 0;
	expect_line(&a, "10,000 samples, 9,980 whole user stacks (99.8 %), 20 not whole: "
			"19 copy too short, 1 no unwind information");
	expect_advice(&a, NULL);

	a.stop[UNWIND_OUTERMOST] = 9499;
	a.stop[UNWIND_COPY_SHORT] = 500;
	expect_advice(&a, "500 user stacks are longer than their copies: perf record -g --defer "
			  "copies up to 64 kB of each");
	a.copies = 10;
	a.copy_room = 81920;
	expect_advice(&a, "500 user stacks are longer than their copies: perf record -g --defer "
			  "copies up to 64 kB of each");
	a.copy_room = 655280;
	expect_advice(&a, "500 user stacks are longer than their copies, which cannot be larger: "
			  "perf record -g --defer=bpf, as root, walks stacks of up to 8,000 "
			  "functions");
	a.stop[UNWIND_OUTERMOST] = 9500;
	a.stop[UNWIND_COPY_SHORT] = 499;
	expect_advice(&a, NULL);

	memset(&a, 0, sizeof(a));
	a.samples = 5;
	a.user_part[USER_PART_DEFERRED] = 3;
	a.user_part[USER_PART_RECORDED] = 1;
	a.user_part[USER_PART_KEPT] = 1;
	a.late = 2;
	a.odd = 1;
	expect_line(&a, "5 samples, 3 whole user stacks (100.0 % of 3); "
			"1 user stack as recorded, 1 left unstitched; "
			"2 records out of order; 1 record with an impossible time");

	memset(&a, 0, sizeof(a));
	a.samples = 6463;
	a.user_part[USER_PART_UNWOUND] = 3834;
	a.stop[UNWIND_OUTERMOST] = 2768;
	a.stop[UNWIND_NO_ROW] = 1066;
	a.user_part[USER_PART_NONE] = a.kernel_alone = 2629;
	expect_line(&a, "6,463 samples, 2,768 whole user stacks (72.1 % of 3,834), "
			"1,066 not whole: 1,066 no unwind information; "
			"2,629 without a user stack (kernel threads, idle CPUs)");
}

TEST(account_short, "account: a short buffer is not overrun")
{
	struct pipeline_account a = { .samples = 1234567 };
	char buf[8] = "xxxxxxx";
	int len = pipeline_account__line(&a, buf, 5);

	TEST_EQ(len, strlen("1,234,567 samples"));
	TEST_STR(buf, "1,23");
	TEST_EQ(buf[5], 'x');
	TEST_EQ(pipeline_account__line(&a, NULL, 0), len);
	/* All counters as large as can be, for every reason there is. */
	memset(&a, 0xff, sizeof(a));
	a.user_part[USER_PART_DEFERRED] = a.stop[UNWIND_OUTERMOST] = 0;
	len = pipeline_account__line(&a, NULL, 0);
	TEST_TRUE(len > 1024 && len < ACCOUNT_LINE_MAX);
}
