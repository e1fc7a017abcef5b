/* SPDX-License-Identifier: GPL-2.0-only */
/* One of each shape of frame. Run step by step by tests/sframe-steps.c; ends with status 42. */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink;

NOINLINE int leaf(int x)
{
	return x * 3 + 1;
}

NOINLINE void fill(char *p, int c, int n)
{
	memset(p, c, n);
	__asm__ volatile("" : : "r"(p) : "memory");
}

NOINLINE int many_saved(int a, int b, int c, int d, int e, int f, int g, int h)
{
	int s = leaf(a) ^ leaf(b) ^ leaf(c);

	s += leaf(d) * leaf(e);
	return s + leaf(f + g) + leaf(h + s) + a + b + c + d + e;
}

NOINLINE int with_alloca(int n)
{
	char *p = alloca(n * 8 + 1);

	fill(p, n, n * 8 + 1);
	return p[n] + leaf(n);
}

NOINLINE int aligned(int n)
{
	char v[64] __attribute__((aligned(64)));

	fill(v, n, sizeof(v));
	return v[3] + with_alloca(n);
}

/* Aligned and with arguments on the stack: those, and so the frame, are found by r10. */
NOINLINE int drap(int a, int b, int c, int d, int e, int f, int g, int h)
{
	char v[64] __attribute__((aligned(64)));
	char *p = alloca(a + 16);

	fill(v, h, sizeof(v));
	fill(p, g, a + 16);
	return v[5] + p[2] + leaf(g + h);
}

NOINLINE int recurse(int n)
{
	return n ? recurse(n - 1) + leaf(n) : leaf(n);
}

NOINLINE int big_frame(int n)
{
	volatile char v[20000];

	v[n] = n;
	v[19999] = n;
	return v[n] + leaf(v[19999]);
}

__attribute__((optimize("no-omit-frame-pointer"))) NOINLINE int with_fp(int n)
{
	return recurse(n) + leaf(n + 1);
}

NOINLINE int cases(int n)
{
	switch (n) {
	case 0:
		return leaf(1);
	case 1:
		return leaf(2) + leaf(3);
	case 2:
		return many_saved(1, 2, 3, 4, 5, 6, 7, 8) + n;
	case 3:
		return recurse(2);
	default:
		return n;
	}
}

static int compare(const void *a, const void *b)
{
	return leaf(*(const int *)a) - leaf(*(const int *)b);
}

NOINLINE int callbacks(void)
{
	int v[4] = { 3, 1, 2, 0 };

	qsort(v, 4, sizeof(v[0]), compare);
	return v[0] + v[3];
}

static void on_signal(int sig)
{
	sink += aligned(sig & 3);
}

NOINLINE int signals(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	return leaf(sink);
}

static jmp_buf back;

NOINLINE __attribute__((noreturn)) void jump(int n)
{
	sink += leaf(n);
	longjmp(back, n);
}

NOINLINE int jumps(int n)
{
	if (setjmp(back))
		return sink;
	jump(n);
}

NOINLINE __attribute__((noreturn)) void finish(int status)
{
	exit(leaf(status) - leaf(status) + status);
}

int main(void)
{
	int n;

	sink += many_saved(1, 2, 3, 4, 5, 6, 7, 8) + with_alloca(5) + aligned(2);
	sink += drap(1, 2, 3, 4, 5, 6, 7, 8);
	sink += recurse(5) + big_frame(17) + with_fp(3) + callbacks() + signals() + jumps(1);
	for (n = 0; n < 5; n++)
		sink += cases(n);
	finish(42);
}
