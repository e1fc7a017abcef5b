// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stack of known functions and nothing else: no libraries, no frame pointers.
 *
 *	gcc -O1 -fomit-frame-pointer -fasynchronous-unwind-tables -fcf-protection=none \
 *		-fno-stack-protector -nostdlib -static -no-pie -Wl,--eh-frame-hdr \
 *		-Wl,--build-id=none -o deep deep.c
 *
 * and s390x-linux-gnu-gcc without -fcf-protection=none.
 */
static volatile unsigned long sum;

#define FUNCTION(name, times, inner)                                     \
static void __attribute__((noinline)) name(void)                         \
{                                                                        \
	for (int i = 0; i < (times); i++) {                              \
		inner;                                                   \
		sum += i;                                                \
	}                                                                \
}

FUNCTION(spin, 50000, )
FUNCTION(inner, 20, spin())
FUNCTION(middle, 20, inner())
FUNCTION(outer, 12, middle())

void __attribute__((noreturn)) begin(void);
void begin(void)
{
	outer();
#ifdef __s390x__
	__asm__ volatile("lghi %r2,0; svc 248"); /* exit_group */
#else
	__asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
#endif
	__builtin_unreachable();
}

__asm__(".globl _start; .type _start, @function; _start: .cfi_startproc;"
#ifdef __s390x__
	".cfi_undefined %r14; brasl %r14,begin;"
#else
	".cfi_undefined rip; call begin;"
#endif
	".cfi_endproc; .size _start, . - _start");
