// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "arch.h"

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
	.is_call = x86_64__is_call,
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
