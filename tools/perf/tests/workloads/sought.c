// SPDX-License-Identifier: GPL-2.0-only
#include "frames.h"
#include "sought.h"

NOINLINE void test_loop(double sec)
{
	unsigned long v = 1;

	for (u64 end = end_of(sec); is_before(end);)
		WORK(v);
}

/* One thread, one function. */
int noploop(int argc, const char **argv)
{
	u64 end = end_of(workload__arg_sec(argc, argv, 0));
	unsigned long v = 1;

	while (is_before(end))
		WORK(v);
	return 0;
}

static NOINLINE void leaf(double sec)
{
	unsigned long v = 1;

	for (u64 end = end_of(sec); is_before(end);)
		WORK(v);
}

static NOINLINE void parent(double sec)
{
	leaf(sec);
	NO_TAIL_CALL();
}

/* A function that calls others, but the last. */
int leafloop(int argc, const char **argv)
{
	parent(workload__arg_sec(argc, argv, 0));
	return 0;
}

static NOINLINE unsigned long brstack_bar(unsigned long v)
{
	NO_TAIL_CALL();
	return v * 6364136223846793005UL + 1;
}

static NOINLINE unsigned long brstack_foo(unsigned long v)
{
	v = brstack_bar(v + 1);
	NO_TAIL_CALL();
	return v;
}

/* Calls, returns, a call by pointer, and conditional jumps both ways. */
static NOINLINE unsigned long brstack_bench(unsigned long v)
{
	unsigned long (*volatile called)(unsigned long) = brstack_foo;

	for (int i = 0; i < 10000; i++)
		v = v >> 63 ? called(v) : brstack_bar(v);
	return v;
}

int brstack(int argc, const char **argv)
{
	u64 end = end_of(workload__arg_sec(argc, argv, 0));
	volatile unsigned long v = 1;

	while (is_before(end))
		v = brstack_bench(v);
	return 0;
}

/* Two members with a cache line's worth between them; samples of data are at +0x0 and +0x38. */
struct datasym_buf {
	volatile long data1;
	char between[48];
	volatile long data2;
} __attribute__((aligned(64)));

extern struct datasym_buf workload_datasym_buf1;
struct datasym_buf workload_datasym_buf1;

int datasym(int argc, const char **argv)
{
	u64 end = end_of(workload__arg_sec(argc, argv, 0));

	while (is_before(end))
		for (int i = 0; i < 200000; i++) {
			workload_datasym_buf1.data1++;
			workload_datasym_buf1.data2 += workload_datasym_buf1.data1;
		}
	return 0;
}
