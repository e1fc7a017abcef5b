// SPDX-License-Identifier: GPL-2.0-only
/*
 * compat32: a 32-bit task. Built without any library (-m32 -nostdlib -ffreestanding), so that
 * the 64-bit compiler alone can make it.
 */
#define NOINLINE __attribute__((noinline, noclone))

static inline int call1(int nr, int a)
{
	int ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a) : "memory");
	return ret;
}

static NOINLINE void leaf32(void)
{
	for (int i = 0; i < 100; i++)
		call1(64, 0); /* getppid */
	for (volatile int i = 0; i < 10000; i++)
		;
}

static NOINLINE void down32(int n)
{
	if (n)
		down32(n - 1);
	else
		leaf32();
	__asm__ volatile("" ::: "memory");
}

void _start(void);
void _start(void)
{
	for (int i = 0; i < 3000; i++)
		down32(14);
	call1(1, 0); /* exit */
}
