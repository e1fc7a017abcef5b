// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks over a function with hostile call frame information, whose stack leads into it again and
 * again. What is found by rows, or by any other short way, is what evaluating that information for
 * each frame finds. An input: bit 0 of the first byte is the architecture, the second one is the
 * length of the CIE's program; 64 bytes for the stack, the CIE's program, the function's.
 */
#include <elf.h>

#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/source/cfi.h"
#include "../../../lib/unwind/walk/eval.h"
#include "../lib/walk-bench.h"
#include "input.h"

#define FUNCTION_SIZE 0x100
#define NR 1
#define HEAD 2
#define STACK_BYTES 64
#define PROGRAM_MAX 512

static bool read_stack(void *ctx, u64 addr, u32 size, u64 *v)
{
	const struct bench *b = ctx;

	*v = 0;
	if (addr < SP || addr - SP > sizeof(b->stack) - size)
		return false;
	memcpy(v, (const u8 *)b->stack + (addr - SP), size);
	return true;
}

/* Words that are return addresses in the function, and places on the stack. */
static void fill(struct bench *b, const struct unwind_arch_info *arch, const u8 *bytes)
{
	for (u32 i = 0; i < WORDS; i++)
		b->stack[i] = i & 1 ? AT(NR, bytes[i % STACK_BYTES]) :
				      SP + 8 * (bytes[i % STACK_BYTES] % WORDS);
	b->regs.known = 0;
	for (u32 i = 0; i < arch->nr_regs; i++) {
		b->regs.v[i] = SP + 8 * (i + 1);
		b->regs.known |= BIT_ULL(i);
	}
	b->regs.v[arch->sp] = SP;
	b->regs.v[arch->pc] = AT(NR, bytes[0]);
	if (arch->ra_in_reg)
		b->regs.v[30] = AT(NR, bytes[1]);
}

static void first_regs(struct eval_regs *regs, const struct bench *b,
		       const struct unwind_arch_info *arch)
{
	*regs = (struct eval_regs){ .pc = b->regs.v[arch->pc] };
	for (u32 i = 0; i < arch->nr_regs; i++) {
		if (arch->to_dwarf[i] >= CFI_REGS)
			continue;
		regs->v[arch->to_dwarf[i]] = b->regs.v[i];
		regs->known |= BIT_ULL(arch->to_dwarf[i]);
	}
	regs->v[arch->dwarf_pc] = regs->pc;
	regs->known |= BIT_ULL(arch->dwarf_pc);
}

/*
 * Is there a row in which the return address would not lie in the frame? On aarch64 that is a
 * defect of glibc's, which rows mend (fde__lift()) and evaluating does not.
 */
static bool is_lifted(struct cfi *cfi, const struct unwind_arch_info *arch)
{
	struct cfi_run run = { .steps = CFI_STEPS };
	struct cfi_fde fde;
	bool found = false;

	if (arch->e_machine != EM_AARCH64 || !cfi__find(cfi, ELF_TEXT + NR * FUNCTION_SIZE, &fde))
		return false;
	cfi_run__begin(&run, cfi, &fde);
	while (!found && cfi_run__next(&run)) {
		const struct cfi_rule *cfa = &run.row.cfa, *ra = &run.row.slots[fde.cie->ra];

		found = cfa->how == CFI_REGISTER && cfa->reg == arch->dwarf_sp &&
			ra->how == CFI_OFFSET && ra->off >= 0;
	}
	cfi_run__exit(&run);
	return found;
}

static void check(struct bench *b, const struct unwind_arch_info *arch)
{
	struct bytes section = { b->elf.frame, b->elf.frame_len };
	struct table t = {
		.eh_frame = cfi__new(&perf_env, section, ELF_EH_FRAME, false, arch),
		.opened = true,
	};
	const struct eval_memory mem = { .read = read_stack, .ctx = b };
	struct eval_regs regs;
	enum eval_result result;
	bool exact = true;

	first_regs(&regs, b, arch);
	FUZZ_TRUE(b->chain.nr && b->ips[0] == regs.pc);
	for (u32 i = 1; i < b->chain.nr && !is_lifted(t.eh_frame, arch); i++) {
		struct eval_frame frame = {
			.vaddr = regs.pc - !exact - BIAS, .bias = BIAS, .interrupted = exact,
		};

		result = eval__step(&t, arch, &mem, &frame, &regs);
		/* Behind a pop of the return address it is still in the link register. */
		if (result == EVAL_UNREADABLE && exact && arch->ra_in_reg)
			break;
		FUZZ_TRUE(result == EVAL_CALLER && regs.pc == b->ips[i]);
		exact = frame.signal;
	}
	cfi__free(t.eh_frame);
}

FUZZ_TARGET(walk, "walks by rows, against evaluating each frame")
{
	const struct unwind_arch_info *arch;
	struct bench b;
	size_t cie;

	if (size < HEAD + STACK_BYTES || size > HEAD + STACK_BYTES + PROGRAM_MAX)
		return;
	mapfile__init();
	arch = data[0] & 1 ? &unwind_arch_aarch64 : &unwind_arch_x86_64;
	bench__x86(&b, 0);
	fill(&b, arch, data + HEAD);
	size -= HEAD + STACK_BYTES;
	cie = min_of((size_t)data[1], size);
	data += HEAD + STACK_BYTES;
	elf_build__init(&b.elf, arch->e_machine, false, arch->dwarf_ra, data, cie);
	elf_build__add(&b.elf, ELF_TEXT + NR * FUNCTION_SIZE, FUNCTION_SIZE, data + cie,
		       size - cie);
	bench__walk_by(&b, arch->name, "eh_frame");
	check(&b, arch);
}
