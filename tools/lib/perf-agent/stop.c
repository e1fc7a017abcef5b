// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * What the kernel would put into a sample: registers and a copy of the stack, of where the thread's
 * own timer has stopped it. Where the stack ends nobody needs to know: a load behind it faults.
 */
#include <sched.h>
#include <ucontext.h>

#include "priv.h"

#define PAGE 4096

static __thread uint64_t owed __attribute__((tls_model("initial-exec"))); /* periods */

#if defined(__x86_64__)

/* In the order of enum perf_event_x86_regs; -1: not in the frame of a signal. */
static const int8_t reg_of[AGENT_REGS] = {
	REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
	REG_RIP, REG_EFL, -1, -1, -1, -1, -1, -1,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};
#define CS 10
#define SS 11

static void copy_regs(uint64_t regs[AGENT_REGS], const void *context)
{
	const greg_t *from = ((const ucontext_t *)context)->uc_mcontext.gregs;
	uint64_t segments = from[REG_CSGSFS]; /* 16 bits each: cs, gs, fs, ss */

	for (int i = 0; i < AGENT_REGS; i++)
		regs[i] = reg_of[i] < 0 ? 0 : (uint64_t)from[reg_of[i]];
	regs[CS] = segments & 0xffff;
	regs[SS] = segments >> 48;
}

static uint64_t stack_pointer(const void *context)
{
	return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
}

#else

static void copy_regs(uint64_t regs[AGENT_REGS], const void *context)
{
}

static uint64_t stack_pointer(const void *context)
{
	return 0;
}

#endif

/* Page by page, until one is not there. Returns the bytes. */
static size_t copy_stack(uint8_t *to, size_t max, uint64_t sp)
{
	size_t done = 0;

	while (done < max) {
		size_t n = PAGE - (sp + done) % PAGE;

		n = n < max - done ? n : max - done;
		if (!agent__copy(to + done, sp + done, n))
			break;
		done += n;
	}
	return done & ~7ull;
}

void agent__owe(const siginfo_t *info)
{
	owed += 1 + (uint64_t)info->si_overrun;
}

void agent__forget_owed(void)
{
	owed = 0;
}

size_t agent__write_stop(struct agent_stop *out, size_t room, const siginfo_t *info,
			 const void *context)
{
	const sigset_t *mask = &((const ucontext_t *)context)->uc_sigmask;
	bool may_fault = !sigismember(mask, SIGSEGV) && !sigismember(mask, SIGBUS);
	int cpu = sched_getcpu();
	size_t max;

	if (room > AGENT_STOP_MAX)
		room = AGENT_STOP_MAX;
	max = (room - sizeof(*out)) & ~7ull;
	agent__owe(info);
	out->period = owed * agent.clock_ns;
	agent__forget_owed();
	out->cpu = cpu < 0 ? 0 : cpu;
	copy_regs(out->regs, context);
	out->stack_size = 0;
	if (agent.guards && may_fault)
		out->stack_size = copy_stack((uint8_t *)(out + 1), max, stack_pointer(context));
	return sizeof(*out) + out->stack_size;
}
