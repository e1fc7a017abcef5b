// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose only call frame information is in .debug_frame: no libc, no .eh_frame, no frame
 * pointers. main calls down to step 20, which works for the number of rounds that is the first
 * argument, a million each.
 */
static volatile unsigned long sink;

__attribute__((noinline)) static void work(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds * 1000000; i++)
		sink += i ^ sink >> 3;
}

__attribute__((noinline)) static unsigned long step(unsigned long n, unsigned long rounds)
{
	volatile char room[56];

	room[0] = n;
	if (n < 20)
		room[1] = step(n + 1, rounds);
	else
		work(rounds);
	return room[0] + sink;
}

static unsigned long number(const char *s)
{
	unsigned long n = 0;

	while (*s >= '0' && *s <= '9')
		n = n * 10 + *s++ - '0';
	return n;
}

/* Called by _start with what the kernel has put on the stack. */
__attribute__((noreturn, used)) void begin(long argc, const char **argv)
{
	unsigned long sum = step(1, argc > 1 ? number(argv[1]) : 1);

	__asm__ volatile("syscall" : : "a"(60), "D"(sum == 7) : "rcx", "r11", "memory");
	__builtin_unreachable();
}

__asm__(".globl _start\n"
	"_start:\n"
	"	mov (%rsp), %rdi\n"
	"	lea 8(%rsp), %rsi\n"
	"	and $-16, %rsp\n"
	"	call begin\n"
	"	hlt\n");
