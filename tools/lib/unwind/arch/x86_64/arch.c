// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <elf.h>
#include <endian.h>
#include <string.h>

#include "insn.h"
#include "../arch.h"

#define NONE UNWIND_NO_DWARF

/* e8 with 4 bytes of distance, or ff /2 with what its ModRM byte brings along. */
static bool x86_64__is_call(const u8 *end)
{
	if (end[-5] == 0xe8)
		return true;
	for (int len = 2; len <= 7; len++) {
		u8 modrm = end[1 - len], mod = modrm >> 6, rm = modrm & 7;
		int sib = mod != 3 && rm == 4, more = 0;

		if (end[-len] != 0xff || (modrm & 0x38) != 0x10)
			continue;
		if (mod == 1)
			more = 1;
		else if (mod == 2 || (!mod && rm == 5) || (!mod && sib && (end[2 - len] & 7) == 5))
			more = 4;
		if (len == 2 + sib + more)
			return true;
	}
	return false;
}

static bool starts(const u8 *code, const char *bytes, size_t len)
{
	return !memcmp(code, bytes, len);
}

/*
 * nop; call; nop: Go's runtime.goexit, in which goroutines return to the call. glibc's
 * __start_context, with which makecontext() begins a coroutine: mov %rbx,%rsp; mov (%rsp),%rdi;
 * test %rdi,%rdi; je. Boost.Context's: push %rbp; jmp *%rbx in front; xor %rdi,%rdi; call. musl's
 * clone(): xor %ebp,%ebp; pop %rdi; call *%r9 in front; mov %eax,%edi; xor %eax,%eax; mov $60,%al.
 */
static bool x86_64__is_root(const u8 *code)
{
	switch (code[0]) {
	case 0xe8:
		return code[-1] == 0x90 && code[5] == 0x90;
	case 0x48:
		return starts(code, "\x48\x89\xdc\x48\x8b\x3c\x24\x48\x85\xff\x74", 11) ||
		       starts(code - 3, "\x55\xff\xe3\x48\x31\xff\xe8", 7);
	case 0x89:
		return starts(code - 6, "\x31\xed\x5f\x41\xff\xd1\x89\xc7\x31\xc0\xb0\x3c", 12);
	case 0x31:
		return starts(code - 3, "\x55\xff\xe3\x31\xff\xe8", 6);
	}
	return false;
}

/* mov %rax,%rdi or %eax,%edi; mov $60 or $231,%eax, or xor %eax,%eax and %al; syscall. */
static bool x86_64__exits_thread(const u8 *code)
{
	u8 number;

	code += *code == 0x48;
	if (!starts(code, "\x89\xc7", 2))
		return false;
	code += 2;
	if (starts(code, "\x31\xc0\xb0", 3)) {
		number = code[3];
		code += 4;
	} else if (*code == 0xb8 && starts(code + 2, "\0\0", 3)) {
		number = code[1];
		code += 5;
	} else {
		return false;
	}
	return (number == 60 || number == 231) && starts(code, "\x0f\x05", 2);
}

static bool x86_64__call_distance(const u8 *end, s64 *distance)
{
	s32 v;

	memcpy(&v, end - 4, sizeof(v));
	*distance = (s32)le32toh(v);
	return end[-5] == 0xe8;
}

/* sub n,%rsp */
static bool x86_64__makes_room(const u8 *code)
{
	return starts(code, "\x48\x83\xec", 3) || starts(code, "\x48\x81\xec", 3);
}

/* and n,%rsp */
static bool x86_64__aligns(const u8 *code)
{
	return starts(code, "\x48\x83\xe4", 3) || starts(code, "\x48\x81\xe4", 3);
}

/* Shortly before: what follows it looks as the beginning of a function does. */
static bool x86_64__has_aligned(const u8 *code)
{
	for (int i = 4; i <= UNWIND_CODE; i++)
		if (x86_64__aligns(code - i))
			return true;
	return false;
}

static int x86_64__pushed(const u8 *code)
{
	static const char push_rbp = 0x55;

	if (*code == 0xc3 || *code == 0xc2 || starts(code, "\xf3\xc3", 2)) /* ret */
		return 0;
	if (x86_64__has_aligned(code))
		return -1;
	if (*code == push_rbp || starts(code, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
		return 0;
	if (x86_64__makes_room(code))
		return 0;
	/* add n,%rsp; ret */
	if (starts(code, "\x48\x83\xc4", 3) && code[3] < 0x80 && code[4] == 0xc3)
		return code[3];
	/* mov %rsp,%rbp behind the push */
	if (code[-1] == push_rbp && (starts(code, "\x48\x89\xe5", 3) ||
				     starts(code, "\x48\x8b\xec", 3)))
		return 8;
	/* In a system call, whose function is hardly more. */
	return starts(code - 2, "\x0f\x05", 2) ? 0 : -1;
}

/* A return with padding behind it, or the padding that is between functions only; a frame. */
static bool x86_64__ends_leaf(const u8 *code)
{
	if (x86_64__makes_room(code) || x86_64__aligns(code))
		return true;
	if (*code == 0xc3)
		return code[1] == 0x90 || code[1] == 0x66 || starts(code + 1, "\x0f\x1f", 2);
	return starts(code, "\xcc\xcc", 2) || starts(code, "\x66\x2e\x0f\x1f\x84", 5);
}

/* lea n(%rip),%REG; in programs at fixed addresses mov $n,%REG. */
static bool x86_64__takes_address(const u8 *code, u32 len, u64 vaddr, u64 *target)
{
	s32 v;

	if (len < 5)
		return false;
	memcpy(&v, code + len - 4, sizeof(v));
	v = (s32)le32toh(v);
	if (len == 7 && (code[0] == 0x48 || code[0] == 0x4c) && code[1] == 0x8d &&
	    (code[2] & 0xc7) == 5)
		*target = vaddr + len + v;
	else if ((len == 5 && code[0] >> 3 == 0xb8 >> 3) ||
		 (len == 6 && code[0] == 0x41 && code[1] >> 3 == 0xb8 >> 3) ||
		 (len == 7 && code[0] >> 1 == 0x48 >> 1 && code[1] == 0xc7 &&
		  code[2] >> 3 == 0xc0 >> 3))
		*target = (u64)v;
	else
		return false;
	return true;
}

/* nop, of any length; int3. */
static bool x86_64__is_padding(const u8 *code, u32 len)
{
	u32 at = 0;

	while (at < len && (code[at] == 0x66 || code[at] == 0x2e))
		at++;
	return (len == 1 && *code == 0xcc) || (at + 1 == len && code[at] == 0x90) ||
	       (at + 2 < len && code[at] == 0x0f && code[at + 1] == 0x1f);
}

enum { RSP = 4, RBP = 5, REX_W = 0x48, REX_R = 4, REX_B = 1 };

/* mov or xchg with %rsp, but for mov %rbp,%rsp; the address of a variable into %rsp. */
static bool switches_stack(const u8 *code)
{
	u8 rex = code[0], mod = code[2] >> 6;
	u8 reg = (code[2] >> 3 & 7) | (rex & REX_R ? 8 : 0);
	u8 rm = (code[2] & 7) | (rex & REX_B ? 8 : 0);
	bool to_rm = mod == 3 && rm == RSP;

	if ((rex & ~(REX_R | REX_B)) != REX_W)
		return false;
	switch (code[1]) {
	case 0x89: /* mov reg,rm */
		return to_rm && reg != RBP && reg != RSP;
	case 0x8b: /* mov rm,reg */
		return reg == RSP && (mod != 3 || (rm != RBP && rm != RSP));
	case 0x87: /* xchg reg,rm */
		return (reg == RSP) != to_rm;
	case 0x8d: /* lea offset(%rip),reg */
		return reg == RSP && (code[2] & 0xc7) == 5;
	case 0xc7: /* mov number,rm */
		return to_rm && !(code[2] & 0x38);
	}
	return false;
}

#define SWITCH_BLOCK 32

/* Whether one may begin in SWITCH_BLOCK bytes: without branches, as most code has none. */
static bool may_switch(const u8 *code)
{
	u8 any = 0;

	for (int i = 0; i < SWITCH_BLOCK; i++) {
		u8 op = code[i + 1], modrm = code[i + 2];
		u8 to_rsp = (modrm & 0xc7) == 0xc4, of_rsp = (modrm & 0x38) == 0x20;

		any |= ((op == 0x89) | (op == 0x87)) & to_rsp;
		any |= ((op == 0x8b) | (op == 0x87)) & of_rsp;
		any |= (op == 0x8d) & (modrm == 0x25);
		any |= (op == 0xc7) & (modrm == 0xc4);
	}
	return any;
}

static u32 x86_64__find_switch(const u8 *code, u32 len)
{
	u32 last = len - 2; /* an instruction has three bytes at least */

	if (len < 3)
		return len;
	for (u32 i = 0; i < last; i++) {
		if (!(i % SWITCH_BLOCK) && i + SWITCH_BLOCK <= last && !may_switch(code + i))
			i += SWITCH_BLOCK - 1;
		else if (switches_stack(code + i))
			return i;
	}
	return len;
}

/* push %rbp, and soon behind it mov %rsp,%rbp */
static bool x86_64__makes_record(const u8 *code, size_t len)
{
	if (len < 12 || *code != 0x55)
		return false;
	for (u32 i = 1; i <= 8; i++)
		if (starts(code + i, "\x48\x89\xe5", 3) || starts(code + i, "\x48\x8b\xec", 3))
			return true;
	return false;
}

const struct unwind_arch_info unwind_arch_x86_64 = {
	.name = "x86_64",
	.e_machine = EM_X86_64,
	.nr_regs = 24,
	.pc = 8,
	.sp = 7,
	.dwarf_sp = 7,
	.dwarf_ra = 16,
	.dwarf_fp = 6,
	.dwarf_pc = 16,
	.address_mask = ~0ULL,
	.ra_slot = 8,
	.insn_align = 1,
	.is_call = x86_64__is_call,
	.is_root = x86_64__is_root,
	.exits_thread = x86_64__exits_thread,
	.call_distance = x86_64__call_distance,
	.pushed = x86_64__pushed,
	.ends_leaf = x86_64__ends_leaf,
	.find_switch = x86_64__find_switch,
	.decode = x86__decode,
	.takes_address = x86_64__takes_address,
	.is_padding = x86_64__is_padding,
	.makes_record = x86_64__makes_record,
	.to_dwarf = {
		/* ax bx cx dx si di bp sp */
		0, 3, 2, 1, 4, 5, 6, 7,
		/* ip flags cs ss ds es fs gs */
		16, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
		/* r8 ... r15 */
		8, 9, 10, 11, 12, 13, 14, 15,
	},
	.dwarf_names = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
		"rip",
	},
};
