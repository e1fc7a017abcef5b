// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Copies that may fault: the handler of SIGSEGV continues behind them, and behind the loads of
 * agent__load().
 */
#include <ucontext.h>

#include "priv.h"

#if defined(__x86_64__)

/*
 * agent_copy_bytes(to, from, size): 1; 0 when the one instruction that reads has faulted. Without a
 * frame, so that the handler has nothing to restore but the instruction pointer.
 */
asm(".pushsection .text\n"
    ".type agent_copy_bytes, @function\n"
    "agent_copy_bytes:\n"
    "	mov %rdx, %rcx\n"
    "agent_copy_reads:\n"
    "	rep movsb\n"
    "	mov $1, %eax\n"
    "	ret\n"
    "agent_copy_failed:\n"
    "	xor %eax, %eax\n"
    "	ret\n"
    ".size agent_copy_bytes, . - agent_copy_bytes\n"
    ".popsection\n");

int agent_copy_bytes(void *to, uint64_t from, size_t size) __attribute__((visibility("hidden")));
extern const char agent_copy_reads[] __attribute__((visibility("hidden")));
extern const char agent_copy_failed[] __attribute__((visibility("hidden")));
extern const struct agent_load __start_agent_loads[] __attribute__((visibility("hidden")));
extern const struct agent_load __stop_agent_loads[] __attribute__((visibility("hidden")));

bool agent__copy(void *to, uint64_t from, size_t size)
{
	return size == 8 ? agent__load(to, from) : agent_copy_bytes(to, from, size);
}

bool agent__fault(void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (regs[REG_RIP] == (greg_t)agent_copy_reads) {
		regs[REG_RIP] = (greg_t)agent_copy_failed;
		return true;
	}
	for (const struct agent_load *l = __start_agent_loads; l < __stop_agent_loads; l++)
		if (regs[REG_RIP] == (greg_t)&l->load + l->load) {
			regs[REG_RIP] = (greg_t)&l->behind + l->behind;
			return true;
		}
	return false;
}

bool agent__faults_again(const void *context)
{
	static __thread greg_t last __attribute__((tls_model("initial-exec")));
	greg_t at = ((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	bool again = at == last;

	last = at;
	return again;
}

#else

bool agent__copy(void *to, uint64_t from, size_t size)
{
	return false;
}

bool agent__fault(void *context)
{
	return false;
}

bool agent__faults_again(const void *context)
{
	return true;
}

#endif
