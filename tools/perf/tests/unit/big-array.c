// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../util/io/big-array.h"
#include "../test.h"

#define NR 100000
#define MB (1UL << 20)

static void fill_and_check(struct big_array *a, u64 nr)
{
	u64 *v;

	for (u64 i = a->nr; i < nr; i++)
		*(u64 *)big_array__push(a) = i * i;
	TEST_EQ(a->nr, nr);
	v = a->v;
	for (u64 i = 0; i < nr; i++)
		if (v[i] != i * i)
			TEST_FAIL("item %" PRIu64 " is %" PRIu64, i, v[i]);
}

TEST(big_array, "big-array: grows in memory, then in a file that nobody sees")
{
	struct big_array a;

	big_array__init(&a, sizeof(u64), 1 << 30);
	fill_and_check(&a, NR);
	TEST_EQ(a.fd, -1);
	big_array__free(&a);
	TEST_EQ(setenv("TMPDIR", ".", 1), 0);
	big_array__init(&a, sizeof(u64), 100000);
	fill_and_check(&a, NR);
	TEST_TRUE(a.fd >= 0);
	TEST_TRUE(fcntl(a.fd, F_GETFD) & FD_CLOEXEC);
	TEST_TRUE(access("perf", F_OK));
	big_array__free(&a);
	TEST_EQ(a.nr, 0);
}

TEST(big_array_no_file, "big-array: stays in memory where there is no room for a file")
{
	struct rlimit limit = { 200000, 200000 };
	struct big_array a;

	TEST_TRUE(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	TEST_EQ(setenv("TMPDIR", "/nonexistent", 1), 0);
	big_array__init(&a, sizeof(u64), 1000);
	fill_and_check(&a, NR);
	TEST_EQ(a.fd, -1);
	big_array__free(&a);
	/* One that becomes too small on the way. */
	TEST_EQ(setenv("TMPDIR", ".", 1), 0);
	TEST_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
	big_array__init(&a, sizeof(u64), 100000);
	fill_and_check(&a, NR);
	TEST_EQ(a.fd, -1);
	big_array__free(&a);
}

TEST(big_array_reserved, "big-array: what is large has its room at once, and leaves it when full")
{
	struct big_array a;
	const void *v;

	for (int no_file = 0; no_file < 2; no_file++) {
		TEST_EQ(setenv("TMPDIR", no_file ? "/nonexistent" : ".", 1), 0);
		big_array__init(&a, sizeof(u64), 6 * MB);
		fill_and_check(&a, 2 * MB / sizeof(u64));
		TEST_EQ(a.mapped, 6 * MB);
		v = a.v;
		fill_and_check(&a, 6 * MB / sizeof(u64));
		TEST_TRUE(a.v == v);
		fill_and_check(&a, 13 * MB / sizeof(u64));
		TEST_TRUE(a.v != v);
		TEST_EQ(a.fd >= 0, !no_file);
		big_array__free(&a);
	}
}
