// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Calls of walkers that may fault: the handler of SIGSEGV continues behind the call. */
#include <ucontext.h>

#include "priv.h"

#if defined(__x86_64__)

/* The stack pointer of the walk that this thread does; NULL: none. */
static __thread void *walk_sp __attribute__((tls_model("initial-exec")));

/*
 * agent_call_walk(walk, context, walker, ctx, sp): calls walker(walk, context, ctx), and returns 1;
 * 0 when it was ended from agent_walk_failed. Where the stack was is left in *sp.
 */
asm(".pushsection .text\n"
    ".type agent_call_walk, @function\n"
    "agent_call_walk:\n"
    "	push %rbp\n"
    "	push %rbx\n"
    "	push %r12\n"
    "	push %r13\n"
    "	push %r14\n"
    "	push %r15\n"
    "	sub $8, %rsp\n"
    "	mov %rsp, (%r8)\n"
    "	mov %rdx, %rax\n"
    "	mov %rcx, %rdx\n"
    "	call *%rax\n"
    "	mov $1, %eax\n"
    "agent_walk_returns:\n"
    "	add $8, %rsp\n"
    "	pop %r15\n"
    "	pop %r14\n"
    "	pop %r13\n"
    "	pop %r12\n"
    "	pop %rbx\n"
    "	pop %rbp\n"
    "	ret\n"
    "agent_walk_failed:\n"
    "	cld\n"
    "	xor %eax, %eax\n"
    "	jmp agent_walk_returns\n"
    ".size agent_call_walk, . - agent_call_walk\n"
    ".popsection\n");

int agent_call_walk(struct perf_agent_walk *walk, const void *context, perf_agent_walker walker,
		    void *ctx, void **sp) __attribute__((visibility("hidden")));
extern const char agent_walk_failed[] __attribute__((visibility("hidden")));

bool agent__end_walk(void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (!walk_sp)
		return false;
	regs[REG_RIP] = (greg_t)agent_walk_failed;
	regs[REG_RSP] = (greg_t)walk_sp;
	return true;
}

bool agent__call_walker(struct perf_agent_walk *w, const void *context, perf_agent_walker walk,
			void *ctx)
{
	bool ended = agent_call_walk(w, context, walk, ctx, &walk_sp);

	walk_sp = NULL;
	return ended;
}

#else

bool agent__end_walk(void *context)
{
	return false;
}

bool agent__call_walker(struct perf_agent_walk *w, const void *context, perf_agent_walker walk,
			void *ctx)
{
	return false;
}

#endif
