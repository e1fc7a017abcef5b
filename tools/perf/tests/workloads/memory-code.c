// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "../../../lib/unwind/core/types.h"
#include "frames.h"
#include "memory-code.h"

#define PAGE 4096
#define FRAME 24 /* of the first thunk, and of make_bait() */
#define OUTER (2 * FRAME + 8) /* of the second: where make_bait() would be called by its caller */

typedef unsigned long (*function)(unsigned long v);
typedef unsigned long (*thunk)(function f, unsigned long v, const void *bait);

#if defined(__x86_64__)
/* sub $24, %rsp; nop; xchg %rdi, %rsi; call *%rsi; add $24, %rsp; ret */
static const u8 plain[] = { 0x48, 0x83, 0xec, FRAME, 0x0f, 0x1f, 0x44, 0x00, 0x00,
			    0x48, 0x87, 0xf7, 0xff, 0xd6, 0x48, 0x83, 0xc4, FRAME, 0xc3 };
/* sub $56, %rsp; mov %rdx, 24(%rsp); the same */
static const u8 baited[] = { 0x48, 0x83, 0xec, OUTER, 0x48, 0x89, 0x54, 0x24, FRAME,
			     0x48, 0x87, 0xf7, 0xff, 0xd6, 0x48, 0x83, 0xc4, OUTER, 0xc3 };

/*
 * push %rbx; mov %rsp, %rbx; and $-64, %rsp; sub $64, %rsp; xchg %rdi, %rsi; call *%rsi;
 * mov %rbx, %rsp; pop %rbx; ret: only rows tell where the caller is.
 */
static const u8 aligned[] = { 0x53, 0x48, 0x89, 0xe3, 0x48, 0x83, 0xe4, 0xc0, 0x48, 0x83, 0xec,
			      0x40, 0x48, 0x87, 0xf7, 0xff, 0xd6, 0x48, 0x89, 0xdc, 0x5b, 0xc3 };
/* CIE: zR, addresses as they are; CFA = rsp + 8. FDE: rsp + 16, rbx + 16, rsp + 8. End. */
static const u8 aligned_rows[] = {
	20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0, 0x0c, 7, 8, 0x90, 1, 0, 0,
	36, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sizeof(aligned), 0, 0, 0, 0, 0, 0, 0,
	0, 0x41, 0x0e, 16, 0x83, 2, 0x43, 0x0d, 3, 0x51, 0x0c, 7, 8, 0xc3, 0, 0, 0, 0, 0, 0,
};
#define ROWS_PC 32

extern const u8 bait[];
__asm__(".text\n.type make_bait, @function\nmake_bait:\n.cfi_startproc\nsub $24, %rsp\n"
	".cfi_adjust_cfa_offset 24\ncall *%rax\n.hidden bait\nbait:\nadd $24, %rsp\n"
	".cfi_adjust_cfa_offset -24\nret\n.cfi_endproc\n.size make_bait, . - make_bait\n");
#else
static const u8 plain[1], baited[1], bait[1], aligned[1], aligned_rows[8];
#define ROWS_PC 0
#endif

static NOINLINE unsigned long memory_leaf(unsigned long v)
{
	WORK(v);
	return v;
}

/* Alone on its page, with no reference to any other place. */
__attribute__((noinline, section(".text.copied"), aligned(PAGE))) static unsigned long
copied(function f, unsigned long v, const void *bait)
{
	volatile const void *kept[4] = { bait };

	v = f(v);
	NO_TAIL_CALL();
	return v + !kept[0];
}

__attribute__((noinline, section(".text.copied"), aligned(PAGE))) static void behind_copied(void)
{
}

static u8 *put(u8 *at, const void *code, size_t size, int prot)
{
	if (!at)
		at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else if (!(prot & PROT_WRITE) && mprotect(at, PAGE, PROT_READ | PROT_WRITE))
		return NULL;
	if (at == MAP_FAILED)
		return NULL;
	memcpy(at, code, size);
	return mprotect(at, PAGE, prot) ? NULL : at;
}

static NOINLINE unsigned long via_plain(const u8 *code, unsigned long v)
{
	v = ((thunk)(uintptr_t)code)(memory_leaf, v, bait);
	NO_TAIL_CALL();
	return v;
}

static NOINLINE unsigned long via_baited(const u8 *code, unsigned long v)
{
	v = ((thunk)(uintptr_t)code)(memory_leaf, v, bait);
	NO_TAIL_CALL();
	return v;
}

static int run_turns(double sec, int prot)
{
	u64 end = end_of(sec);
	unsigned long v = 1;
	u8 *code = NULL;

	while (is_before(end)) {
		code = put(code, plain, sizeof(plain), prot);
		if (!code)
			return 1;
		for (int i = 0; i < 4; i++)
			v = via_plain(code, v);
		code = put(code, baited, sizeof(baited), prot);
		if (!code)
			return 1;
		for (int i = 0; i < 4; i++)
			v = via_baited(code, v);
	}
	return !v;
}

/* Registers the rows of @code, as JIT compilers do. */
static bool register_rows(const u8 *code)
{
	static u8 rows[sizeof(aligned_rows)];
	void *lib = dlopen("libgcc_s.so.1", RTLD_NOW);
	void (*put)(void *) = lib ? (void (*)(void *))dlsym(lib, "__register_frame") : NULL;

	memcpy(rows, aligned_rows, sizeof(rows));
	memcpy(rows + ROWS_PC, &code, sizeof(code));
	if (put)
		put(rows);
	return put;
}

int workload_memory_code(int argc, const char **argv)
{
	bool copy = argc && !strcmp(argv[0], "copy");
	double sec = workload__arg_sec(argc, argv, 1);
	int rx = PROT_READ | PROT_EXEC;
	unsigned long v = 1;
	const u8 *code;
	u64 end;

	if (sizeof(plain) == 1)
		return 1; /* not of this architecture */
	if (argc && (!strcmp(argv[0], "turns") || !strcmp(argv[0], "protected")))
		return run_turns(sec, !strcmp(argv[0], "turns") ? rx | PROT_WRITE : rx);
	behind_copied();
	if (copy)
		code = put(NULL, (const void *)(uintptr_t)copied, PAGE, rx);
	else if (argc && !strcmp(argv[0], "registered"))
		code = put(NULL, aligned, sizeof(aligned), rx);
	else
		code = put(NULL, plain, sizeof(plain), rx | PROT_WRITE);
	if (code && argc && !strcmp(argv[0], "registered") && !register_rows(code))
		return 1;
	end = end_of(sec);
	while (code && is_before(end))
		v = via_plain(code, v);
	return !v || !code;
}
