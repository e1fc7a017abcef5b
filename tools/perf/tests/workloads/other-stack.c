// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "frames.h"
#include "other-stack.h"

#define STACK_BYTES (128 << 10)
#define SHORT_TURNS 3 /* behind each long one, */
#define SHORTER 50    /* so much shorter */

/* What the handler is to do; it is called while nothing else runs. */
static __thread double handler_sec;
static __thread bool handler_of_b;
static __thread void (*handler_thunk)(void (*function)(void)); /* NULL: it calls them itself */

static NOINLINE void other_stack_work(double sec)
{
	u64 end = end_of(sec);
	unsigned long v = 1;

	while (is_before(end))
		WORK(v);
	NO_TAIL_CALL();
}

static NOINLINE void in_a(void)
{
	other_stack_work(handler_sec);
	NO_TAIL_CALL();
}

static NOINLINE void in_b(void)
{
	other_stack_work(handler_sec);
	NO_TAIL_CALL();
}

static void on_other_stack(int sig __attribute__((unused)))
{
	if (handler_thunk)
		handler_thunk(handler_of_b ? in_b : in_a);
	else if (handler_of_b)
		in_b();
	else
		in_a();
	NO_TAIL_CALL();
}

/* Their frames are alike, so that in the handler nothing but the return addresses tells of them. */
static NOINLINE void via_a(void)
{
	raise(SIGUSR1);
	NO_TAIL_CALL();
}

static NOINLINE void via_b(void)
{
	raise(SIGUSR1);
	NO_TAIL_CALL();
}

/* Writes nothing to the stack. */
static NOINLINE unsigned long rest(unsigned long v)
{
	for (int i = 0; i < 20; i++)
		WORK(v);
	return v;
}

/* When the handler is over: below it, the stack is still as the interrupted functions left it. */
static NOINLINE void after_all(void)
{
	rest(1);
	NO_TAIL_CALL();
}

static NOINLINE void other_stack_turns(int turns, double sec)
{
	for (int i = 0; i < turns; i++) {
		handler_sec = i % (SHORT_TURNS + 1) ? sec / SHORTER : sec;
		handler_of_b = (i ^ i / (SHORT_TURNS + 1)) & 1;
		if (handler_of_b)
			via_b();
		else
			via_a();
		after_all();
	}
	NO_TAIL_CALL();
}

/* Code without a file, as that of JIT compilers, which keeps a frame pointer. */
static bool make_thunk(void)
{
	/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
	void *at = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	if (at == MAP_FAILED)
		return false;
	memcpy(at, code, sizeof(code));
	memcpy(&handler_thunk, &at, sizeof(at));
	return !mprotect(at, sizeof(code), PROT_READ | PROT_EXEC);
}

int workload_other_stack(int argc, const char **argv)
{
	struct sigaction act = { .sa_handler = on_other_stack, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_size = STACK_BYTES };
	double sec = workload__arg_sec(argc, argv, 1);
	int turns = argc ? (int)workload__arg_sec(argc, argv, 0) : 10;

	/* The pages around it are not mapped, as those of Go, Rust and Java. */
	stack.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) ||
	    sigaction(SIGUSR1, &act, NULL) || (argc > 2 && !make_thunk()))
		return 1;
	other_stack_turns(turns, sec);
	return 0;
}
