// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Registers of this machine, from what the kernel gives to signal handlers (ucontext.h). */
#include <string.h>
#include <ucontext.h>

#include <perf/unwind.h>

#include "types.h"

#if defined(__x86_64__)
enum unwind_arch unwind_arch__native(void)
{
	return UNWIND_X86_64;
}

/* Numbers of perf: ax bx cx dx si di bp sp ip flags, segments, r8 to r15. */
bool unwind_regs__from_context(struct unwind_regs *regs, const void *ucontext)
{
	static const u8 from[][2] = {
		{ 0, REG_RAX }, { 1, REG_RBX }, { 2, REG_RCX }, { 3, REG_RDX }, { 4, REG_RSI },
		{ 5, REG_RDI }, { 6, REG_RBP }, { 7, REG_RSP }, { 8, REG_RIP }, { 16, REG_R8 },
		{ 17, REG_R9 }, { 18, REG_R10 }, { 19, REG_R11 }, { 20, REG_R12 },
		{ 21, REG_R13 }, { 22, REG_R14 }, { 23, REG_R15 },
	};
	const ucontext_t *uc = ucontext;

	memset(regs, 0, sizeof(*regs));
	for (size_t i = 0; i < ARRAY_SIZE(from); i++) {
		regs->v[from[i][0]] = uc->uc_mcontext.gregs[from[i][1]];
		regs->known |= BIT_ULL(from[i][0]);
	}
	return true;
}
#elif defined(__aarch64__)
enum unwind_arch unwind_arch__native(void)
{
	return UNWIND_AARCH64;
}

/* Numbers of perf: x0 to x30, sp, pc. */
bool unwind_regs__from_context(struct unwind_regs *regs, const void *ucontext)
{
	const ucontext_t *uc = ucontext;

	memset(regs, 0, sizeof(*regs));
	for (u32 i = 0; i < 31; i++)
		regs->v[i] = uc->uc_mcontext.regs[i];
	regs->v[31] = uc->uc_mcontext.sp;
	regs->v[32] = uc->uc_mcontext.pc;
	regs->known = BIT_ULL(33) - 1;
	return true;
}
#elif defined(__s390x__)
enum unwind_arch unwind_arch__native(void)
{
	return UNWIND_S390X;
}

/* Numbers of perf: r0 to r15, f0 to f15, the mask and the address of the PSW. */
bool unwind_regs__from_context(struct unwind_regs *regs, const void *ucontext)
{
	const ucontext_t *uc = ucontext;

	memset(regs, 0, sizeof(*regs));
	for (u32 i = 0; i < 16; i++) {
		regs->v[i] = uc->uc_mcontext.gregs[i];
		memcpy(&regs->v[16 + i], &uc->uc_mcontext.fpregs.fprs[i], sizeof(regs->v[i]));
	}
	regs->v[33] = uc->uc_mcontext.psw.addr;
	regs->known = (BIT_ULL(32) - 1) | BIT_ULL(33);
	return true;
}
#else
enum unwind_arch unwind_arch__native(void)
{
	return UNWIND_UNSUPPORTED;
}

bool unwind_regs__from_context(struct unwind_regs *regs, const void *ucontext __unused_arg)
{
	memset(regs, 0, sizeof(*regs));
	return false;
}
#endif
