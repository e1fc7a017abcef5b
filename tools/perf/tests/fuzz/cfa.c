// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of call frame information, run by us and by libdw. An input is the length of a CIE's
 * program, that program, and a function's. Where both understand it, they agree about each address.
 */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>

#include "../../util/elf/elf-file.h"
#include "../../../lib/unwind/source/cfi.h"
#include "../lib/elf-builder.h"
#include "input.h"

#define FUNCTION (ELF_TEXT + 0x100)
#define FUNCTION_SIZE 0x80
#define PROGRAM_MAX 512
#define RSP 7
#define RA 16

static bool is_empty(const struct cfi_rule *rule)
{
	return (rule->how == CFI_EXPR || rule->how == CFI_VAL_EXPR) && !rule->len;
}

/* What libdw says of a register, in our terms. */
static struct cfi_rule rule_of(Dwarf_Op *ops, size_t nr, const Dwarf_Op *mem)
{
	struct cfi_rule rule = { .how = CFI_EXPR };
	bool value = nr && ops[nr - 1].atom == DW_OP_stack_value;

	nr -= value;
	if (!nr) {
		rule.how = ops == mem ? CFI_UNDEFINED : CFI_SAME;
	} else if (ops[0].atom == DW_OP_regx) {
		/* What is in a register that is not followed is lost. */
		rule.how = ops[0].number < CFI_REGS ? CFI_REGISTER : CFI_UNDEFINED;
		rule.reg = ops[0].number;
	} else if (ops[0].atom == DW_OP_call_frame_cfa &&
		   (nr == 1 || (nr == 2 && ops[1].atom == DW_OP_plus_uconst))) {
		rule.how = value ? CFI_VAL_OFFSET : CFI_OFFSET;
		rule.off = nr == 2 ? (s64)ops[1].number : 0;
	} else if (value) {
		rule.how = CFI_VAL_EXPR;
	}
	return rule;
}

static void check_slot(Dwarf_Frame *frame, int reg, const struct cfi_rule *ours)
{
	Dwarf_Op mem[3], *ops;
	struct cfi_rule theirs;
	size_t nr;

	if (dwarf_frame_register(frame, reg, mem, &ops, &nr))
		return;
	theirs = rule_of(ops, nr, mem);
	/* What nobody has said of a register is up to the ABI. */
	if (ours->how == CFI_UNSPECIFIED || reg == RSP || is_empty(ours))
		return;
	/* One for a place that ends as if for a value: to libdw it is a value. */
	if (ours->how == CFI_EXPR && ours->expr[ours->len - 1] == DW_OP_stack_value)
		return;
	/* An expression that adds a number to the CFA looks like an offset. */
	if (theirs.how == (ours->how == CFI_EXPR ? CFI_OFFSET : CFI_VAL_OFFSET) && ours->len)
		return;
	FUZZ_TRUE(ours->how == theirs.how);
	if (ours->how == CFI_OFFSET || ours->how == CFI_VAL_OFFSET)
		FUZZ_TRUE(ours->off == theirs.off);
	if (ours->how == CFI_REGISTER)
		FUZZ_TRUE(ours->reg == theirs.reg);
}

static void check_cfa(Dwarf_Frame *frame, const struct cfi_rule *ours)
{
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) || is_empty(ours))
		return;
	FUZZ_TRUE(!nr == (ours->how == CFI_UNSPECIFIED));
	if (ours->how == CFI_REGISTER)
		FUZZ_TRUE(ops[0].atom == DW_OP_bregx && ops[0].number == ours->reg &&
			  (s64)ops[0].number2 == ours->off);
	else if (nr)
		FUZZ_TRUE(ours->how == CFI_VAL_EXPR);
}

static void check_row(Dwarf_CFI *theirs, const struct cfi_run *run, u64 addr)
{
	Dwarf_Frame *frame;

	if (dwarf_cfi_addrframe(theirs, addr, &frame))
		return;
	check_cfa(frame, &run->row.cfa);
	for (int reg = 0; reg < RA; reg++)
		check_slot(frame, reg, &run->row.slots[reg]);
	check_slot(frame, RA, &run->row.slots[CFI_RA]);
	free(frame);
}

static void compare(const struct elf_build *elf, Dwarf_CFI *theirs)
{
	struct bytes section = { elf->frame, elf->frame_len };
	struct cfi *c = cfi__new(&perf_env, section, ELF_EH_FRAME, false, &unwind_arch_x86_64);
	struct cfi_fde fde;
	struct cfi_run run = {};

	if (cfi__find(c, FUNCTION, &fde)) {
		cfi_run__begin(&run, c, &fde);
		while (cfi_run__next(&run))
			for (u64 addr = run.start; addr < run.end; addr++)
				check_row(theirs, &run, addr);
		cfi_run__exit(&run);
	}
	cfi__free(c);
}

/*
 * libdw has room for each register up to the highest number: not for what takes three bytes. And it
 * takes DW_CFA_GNU_window_save for SPARC's, everywhere.
 */
static bool is_for_libdw(const u8 *data, size_t size)
{
	for (size_t i = 1; i < size; i++)
		if (data[i - 1] & data[i] & 0x80)
			return false;
	return !memchr(data, DW_CFA_GNU_window_save, size);
}

FUZZ_TARGET(cfa, "programs of call frame information, against libdw")
{
	struct elf_build build;
	Dwarf_CFI *theirs;
	size_t cie;
	Elf *elf;
	int fd;

	if (size < 2 || size > PROGRAM_MAX || !is_for_libdw(data + 1, size - 1))
		return;
	cie = min_of((size_t)data[0], size - 1);
	elf_build__init(&build, EM_X86_64, false, RA, data + 1, cie);
	elf_build__add(&build, FUNCTION, FUNCTION_SIZE, data + 1 + cie, size - 1 - cie);
	fd = elf_build__fd(&build);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	theirs = elf ? dwarf_getcfi_elf(elf) : NULL;
	if (theirs)
		compare(&build, theirs);
	dwarf_cfi_end(theirs);
	elf_end(elf);
	close(fd);
}
