/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shapes of frames that ../sframe/steps.c does not have. Run instruction by instruction by
 * make.py, on aarch64 and s390x; ends with status 42.
 */
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink;

NOINLINE int leaf(int x)
{
	return x * 3 + 1;
}

/* No calls, but more registers than a call may spoil: on s390x they are kept in f registers. */
NOINLINE unsigned long busy_leaf(const unsigned long *v)
{
	unsigned long a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6];

	for (int n = 0; n < 3; n++)
		a += b ^ g, b += c ^ a, c += d ^ b, d += e ^ c, e += f ^ d, f += g ^ e, g += a ^ f;
	return a ^ b ^ c ^ d ^ e ^ f ^ g;
}

/* The prologue is on one of two ways only. */
NOINLINE int early_exit(int n)
{
	char buf[40];

	if (n < 3)
		return n;
	memset(buf, n, sizeof(buf));
	return buf[n] + leaf(n);
}

NOINLINE int tail(int n)
{
	return leaf(n + 1);
}

/* Its size takes more than one instruction to subtract. */
NOINLINE int huge_frame(int n)
{
	volatile char v[70000];

	v[n] = n;
	v[69999] = early_exit(n);
	return v[n] + leaf(v[69999]);
}

NOINLINE int rooms(int n)
{
	char *p = NULL;

	for (int i = 1; i < n; i++) {
		p = alloca(24 * i);
		memset(p, i, 24 * i);
		sink += leaf(p[i]);
	}
	return p[n];
}

NOINLINE double floats(double a, double b, int n)
{
	double c = a * b;

	return n ? floats(b, c + 0.25, n - 1) * a + b * c : a + leaf(b);
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - leaf(*(const int *)b) / 3;
}

NOINLINE int library(int n)
{
	int v[] = { 1, 4, 9, 16, 25 }, key = 16;
	char text[80];

	snprintf(text, sizeof(text), "%d %s %.3f", n, "text", 1.5 * n);
	free(realloc(malloc(100), 300));
	return strtol(text, NULL, 10) + !!bsearch(&key, v, 5, sizeof(key), by_value);
}

/*
 * Returns from handlers as those of the vdso, which nothing describes. s390x has an older one, for
 * handlers without SA_SIGINFO.
 */
void back(void), back_old(void);
#ifdef __s390x__
__asm__(".text; .globl back, back_old; .balign 16; bcr 0,%r0; back: svc 173; back_old: svc 119");
#else
__asm__(".text; .globl back, back_old; .balign 16; nop; back: back_old: mov x8, #139; svc #0");
#endif

static void inner(int sig)
{
	sink += early_exit(sig & 7);
}

static void raise_inner(int sig, unsigned long flags, void (*restorer)(void))
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} a = { inner, flags | 0x04000000, restorer, 0 };

	syscall(SYS_rt_sigaction, sig, &a, NULL, sizeof(a.mask));
	raise(sig);
}

static void outer(int sig)
{
	raise_inner(SIGUSR2, SA_SIGINFO, back);
	raise_inner(SIGURG, 0, back_old);
	sink += tail(sig);
}

static char other_stack[16384] __attribute__((aligned(16)));

/* A signal in the handler of another, and that one on a stack of its own. */
NOINLINE int signals(void)
{
	struct sigaction a = { .sa_handler = outer, .sa_flags = SA_ONSTACK };
	stack_t s = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };

	if (sink != 12345)
		sigaltstack(&s, NULL);
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	return leaf(sink);
}

NOINLINE __attribute__((noreturn)) void finish(int status)
{
	exit(leaf(status) - leaf(status) + status);
}

int main(void)
{
	unsigned long v[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

	sink += busy_leaf(v) + early_exit(2) + early_exit(5) + tail(1) + huge_frame(7) + rooms(5);
	sink += (int)floats(0.5, 1.5, 3);
	sink += signals() + library(7);
	finish(42);
}
