// SPDX-License-Identifier: GPL-2.0-only
#include "snapshot.h"

#ifdef __x86_64__

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "../test.h"

static void take_context(struct snapshot *s, const ucontext_t *uc, size_t size)
{
	static const u8 greg[24] = {
		REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
		0, 0, 0, 0, 0, 0, 0, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
		REG_R14, REG_R15,
	};

	s->regs = (struct unwind_regs){ .known = SNAPSHOT_REGS };
	for (int i = 0; i < 24; i++)
		if (s->regs.known >> i & 1)
			s->regs.v[i] = uc->uc_mcontext.gregs[greg[i]];
	s->stack = (struct unwind_stack){ .start = s->regs.v[7], .data = s->copy, .size = size };
	/* Not by memcpy(), which a sanitizer would object to. */
	for (u64 i = 0; i < size; i += 8)
		__asm__ volatile("mov (%1), %%rax; mov %%rax, (%0)"
				 : : "r"(s->copy + i), "r"(s->stack.start + i) : "rax", "memory");
}

/* Bytes from @sp to the end of the stack that it is on, at most SNAPSHOT_BYTES. */
static size_t stack_left(u64 sp)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long start, end = 0;
	char line[1024];

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && sp < end)
			break;
	fclose(f);
	return min_of(end - sp, (u64)SNAPSHOT_BYTES) & ~7ULL;
}

static _Unwind_Reason_Code on_unwound(struct _Unwind_Context *context, void *arg)
{
	struct snapshot *s = arg;

	if (s->nr_expect == SNAPSHOT_FRAMES || !_Unwind_GetIP(context))
		return _URC_END_OF_STACK;
	s->expect[s->nr_expect++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

__attribute__((noinline)) int snapshot__take(struct snapshot *s)
{
	ucontext_t uc;

	getcontext(&uc);
	take_context(s, &uc, stack_left(uc.uc_mcontext.gregs[REG_RSP]));
	s->nr_expect = 0;
	_Unwind_Backtrace(on_unwound, s);
	return s->nr_expect;
}

int self_map__read(struct self_map *maps, int max)
{
	return pid_map__read(getpid(), maps, max);
}

int pid_map__read(pid_t pid, struct self_map *maps, int max)
{
	unsigned long start, end, off, ino;
	char line[1024], prot[8];
	int nr = 0;
	FILE *f;

	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	f = fopen(line, "r");
	if (!f)
		return 0;
	while (nr < max && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %lu %511s", &start, &end, prot, &off, &ino,
			   maps[nr].path) < 6 || prot[2] != 'x' || maps[nr].path[0] != '/')
			continue;
		maps[nr++].m = (struct unwind_mapping){ start, end, off, ino };
	}
	fclose(f);
	return nr;
}

static u64 pid__entry(pid_t pid)
{
	Elf64_auxv_t aux;
	char path[64];
	u64 entry = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	f = fopen(path, "r");
	TEST_TRUE(f);
	while (!entry && fread(&aux, sizeof(aux), 1, f) == 1)
		entry = aux.a_type == AT_ENTRY ? aux.a_un.a_val : 0;
	fclose(f);
	TEST_TRUE(entry);
	return entry;
}

void pid__run_to_entry(pid_t pid)
{
	u64 entry = pid__entry(pid);
	struct user_regs_struct regs;
	long word = ptrace(PTRACE_PEEKTEXT, pid, entry, 0);
	int status;

	ptrace(PTRACE_POKETEXT, pid, entry, (word & ~0xffL) | 0xcc); /* int3 */
	ptrace(PTRACE_CONT, pid, 0, 0);
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_TRUE(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
	ptrace(PTRACE_POKETEXT, pid, entry, word);
	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	TEST_EQ(regs.rip, entry + 1);
	regs.rip = entry;
	ptrace(PTRACE_SETREGS, pid, 0, &regs);
}

#endif
