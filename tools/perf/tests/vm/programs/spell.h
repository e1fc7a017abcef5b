/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call stacks that say whose they are.
 *
 * spell(n, leaf) calls leaf below sixteen nested calls of bit0() or bit1(), the highest bit of n
 * outermost. A thread names itself "WORD<id>.<round>" and spells id << 6 | round while it works,
 * so that a callchain that was given to another thread's sample, or to another round of the same
 * thread, shows. Programs are built with frame pointers: the kernel's deferred unwinder follows
 * nothing else.
 */
#ifndef PERF_TESTS_VM_PROGRAMS_SPELL_H
#define PERF_TESTS_VM_PROGRAMS_SPELL_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPELL_BITS 16
#define ROUND_BITS 6
#define NOINLINE __attribute__((noinline, noclone))
/* Keeps the call above from becoming a jump, which would drop its frame. */
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

typedef void (*leaf_fn)(int id);

NOINLINE void bit0(int n, int left, int id, leaf_fn leaf);
NOINLINE void bit1(int n, int left, int id, leaf_fn leaf);

static inline __attribute__((always_inline)) void next_bit(int n, int left, int id, leaf_fn leaf)
{
	if (!left)
		leaf(id);
	else if (n >> (left - 1) & 1)
		bit1(n, left - 1, id, leaf);
	else
		bit0(n, left - 1, id, leaf);
	KEEP_FRAME();
}

NOINLINE void bit0(int n, int left, int id, leaf_fn leaf)
{
	next_bit(n, left, id, leaf);
	KEEP_FRAME();
}

NOINLINE void bit1(int n, int left, int id, leaf_fn leaf)
{
	next_bit(n, left, id, leaf);
	KEEP_FRAME();
}

static NOINLINE void spell(int n, int id, leaf_fn leaf)
{
	next_bit(n, SPELL_BITS, id, leaf);
	KEEP_FRAME();
}

/* Names the thread and spells the same. */
static inline void work(const char *word, int id, unsigned int round, leaf_fn leaf)
{
	char name[16];

	round &= (1 << ROUND_BITS) - 1;
	snprintf(name, sizeof(name), "%s%d.%u", word, id, round);
	prctl(PR_SET_NAME, name);
	spell(id << ROUND_BITS | round, id, leaf);
	/* What runs from here to the next round belongs to none. */
	prctl(PR_SET_NAME, "between");
}

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/*
 * System calls made here, not in libc, whose wrappers have no frame of their own: on x86-64, where
 * the kernel follows frame pointers.
 */
static inline __attribute__((always_inline)) long call6(long nr, long a, long b, long c, long d,
							long e, long f)
{
#ifndef __x86_64__
	/* s390x's own takes a structure. */
	return nr == SYS_mmap ? (long)mmap((void *)a, b, c, d, e, f) :
	       syscall(nr, a, b, c, d, e, f);
#else
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#endif
}
#define call3(nr, a, b, c) call6(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)

#define BUFFER (1 << 18)

static NOINLINE void leaf_read(int id)
{
	static __thread char *buf;
	static int zero = -1;

	if (zero < 0)
		zero = open("/dev/zero", O_RDONLY);
	if (!buf)
		buf = malloc(BUFFER);
	call3(SYS_read, zero, buf, BUFFER);
	KEEP_FRAME();
}

static NOINLINE void leaf_map(int id)
{
	long p = call6(SYS_mmap, 0, BUFFER, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	call3(SYS_munmap, p, BUFFER, 0);
	KEEP_FRAME();
}

static NOINLINE void leaf_fault(int id)
{
	char *p = (char *)call6(SYS_mmap, 0, 1 << 16, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 16; i++)
		p[i << 12] = 1;
	call3(SYS_munmap, p, 1 << 16, 0);
	KEEP_FRAME();
}

static NOINLINE void leaf_spin(int id)
{
	volatile unsigned int x = id;

	for (int i = 0; i < 20000; i++)
		x = x * 1664525 + 1013904223;
	KEEP_FRAME();
}

static NOINLINE void leaf_getppid(int id)
{
	for (int i = 0; i < 50; i++)
		call3(SYS_getppid, 0, 0, 0);
	KEEP_FRAME();
}

static NOINLINE void leaf_nap(int id)
{
	struct timespec t = { 0, 1000000 };

	call3(SYS_nanosleep, &t, 0, 0);
	KEEP_FRAME();
}

static NOINLINE void leaf_move(int id)
{
	static unsigned int turn;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(__sync_fetch_and_add(&turn, 1) % sysconf(_SC_NPROCESSORS_ONLN), &set);
	call3(SYS_sched_setaffinity, 0, sizeof(set), &set);
	KEEP_FRAME();
}

static inline void small_stacks(pthread_attr_t *attr)
{
	pthread_attr_init(attr);
	pthread_attr_setstacksize(attr, 256 << 10);
}

#endif
