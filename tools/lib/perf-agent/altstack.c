// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Alternate signal stacks that are too small. The program has measured what its own handlers need;
 * the agent's comes on top, with a second frame of the kernel when a load faults, and some kB each:
 * a stack that overflows kills the program. So a small one is replaced by one of the agent's, which
 * the program does not see.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "priv.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51 /* bytes of a frame of the kernel, of asm/auxvec.h; since Linux 5.14 */
#endif
#define FRAME_MAX 12288   /* where the kernel does not say */
#define OWN_USE 8192      /* of the agent's two handlers */

AGENT_API int sigaltstack(const stack_t *ss, stack_t *old);

/* Of a thread with a small stack. */
struct own_stack {
	void *memory;     /* NULL: none was ever needed */
	size_t size;
	stack_t believed; /* what the program has set; .ss_sp NULL: the kernel has that */
};

static __thread struct own_stack own __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static bool has_key;

static int set(const stack_t *ss, stack_t *old)
{
	return syscall(SYS_sigaltstack, ss, old);
}

/* The thread ends. */
static void free_stack(void *memory)
{
	const stack_t none = { .ss_flags = SS_DISABLE };

	if (!set(&none, NULL))
		munmap(memory, own.size);
	own = (struct own_stack){};
}

__attribute__((constructor)) static void make_key(void)
{
	has_key = !pthread_key_create(&key, free_stack);
}

static size_t most_needed(size_t size)
{
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);

	return size + 2 * (frame ? frame : FRAME_MAX) + OWN_USE;
}

static bool is_small(const stack_t *ss)
{
	return !(ss->ss_flags & SS_DISABLE) && ss->ss_size < most_needed(0);
}

/* Room for what the program needs on its stack, and the agent. */
static bool make_stack(size_t size)
{
	size_t wanted = (most_needed(size) + 4095) & ~4095ul;
	void *p;

	if (own.memory)
		return own.size >= wanted;
	p = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1,
		 0);
	if (p == MAP_FAILED)
		return false;
	own.memory = p;
	own.size = wanted;
	pthread_setspecific(key, p);
	return true;
}

AGENT_API int sigaltstack(const stack_t *ss, stack_t *old)
{
	stack_t believed = own.believed, mine, was;
	bool hidden = believed.ss_sp;
	int ret;

	mine = ss ? *ss : (stack_t){};
	/* The kernel refuses what is smaller than this. */
	if (ss && agent.pid && has_key && is_small(ss) && ss->ss_size >= 2048 &&
	    make_stack(ss->ss_size)) {
		mine.ss_sp = own.memory;
		mine.ss_size = own.size;
	}
	ret = set(ss ? &mine : NULL, &was);
	if (ret)
		return ret;
	if (old) {
		*old = was;
		if (hidden) {
			old->ss_sp = believed.ss_sp;
			old->ss_size = believed.ss_size;
		}
	}
	if (ss)
		own.believed = mine.ss_sp == own.memory ? *ss : (stack_t){};
	return 0;
}
