// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaves SECONDS THREADS: functions without a frame pointer of their own, as in a C library,
 * below functions that have one: frame pointers leave out who has called them. The stack of each
 * thread is too deep for a small copy to reach its end.
 */
#include "spell.h"

#define BARE __attribute__((noinline, noclone, optimize("omit-frame-pointer")))
#define DEEP (16 << 10)

static volatile int stop;
static volatile unsigned int sink;

static BARE void bare_spin(int id)
{
	unsigned int x = id;

	for (int i = 0; i < 20000; i++)
		__asm__ volatile("imul $1664525, %0, %0" : "+r"(x));
	sink = x;
}

static BARE void bare_call(int id)
{
	for (int i = 0; i < 50; i++)
		call3(SYS_getppid, 0, 0, 0);
}

static BARE void bare_inner(int id)
{
	volatile char local[150];

	local[id % 100] = 1;
	for (int i = 0; i < 50; i++)
		call3(SYS_getppid, 0, 0, 0);
	KEEP_FRAME();
}

/* Two callers without a frame pointer between the system call and the last bit. */
static BARE void bare_outer(int id)
{
	volatile char local[80];

	local[id % 50] = 1;
	bare_inner(id);
	KEEP_FRAME();
}

/* Uses the frame pointer for something else, which leads nowhere. */
static BARE void bare_busy(int id)
{
	__asm__ volatile("push %%rbp\n"
			 ".cfi_adjust_cfa_offset 8\n"
			 ".cfi_rel_offset rbp, 0\n"
			 "mov $1, %%ebp\n"
			 "mov $20000, %%ecx\n"
			 "1: imul $1664525, %%ebp, %%ebp\n"
			 "dec %%ecx\n"
			 "jnz 1b\n"
			 "pop %%rbp\n"
			 ".cfi_adjust_cfa_offset -8\n"
			 ".cfi_restore rbp" ::: "rcx", "cc", "memory");
}

static NOINLINE void deep(int id, unsigned int round)
{
	static const leaf_fn leaves[] = { bare_spin, bare_call, bare_outer, bare_busy };
	volatile char local[DEEP];

	local[0] = local[DEEP - 1] = 1;
	work("f", id, round, leaves[round % 4]);
	KEEP_FRAME();
}

static void *thread(void *arg)
{
	for (unsigned int round = (long)arg; !stop; round++)
		deep((long)arg, round);
	return NULL;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	int nr = argc > 2 ? atoi(argv[2]) : 8;
	pthread_attr_t attr;
	pthread_t t;

	small_stacks(&attr);
	for (long i = 0; i < nr; i++)
		if (pthread_create(&t, &attr, thread, (void *)(i + 1)))
			return 1;
	while (now() < end)
		usleep(10000);
	_exit(0);
}
