// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code of x86-64: its instructions one by one, and the paths through it. An input is the code, at
 * an address with something in front that is not there.
 */
#include "../../util/elf/elf-file.h"
#include "../../../lib/unwind/walk/code-path.h"
#include "../../../lib/unwind/arch/x86_64/insn.h"
#include "input.h"

#define TEXT 0x1000ULL
#define INSN_MAX 15
#define QUESTIONS 8

/* An instruction is known by its own bytes, whatever follows, and by no fewer. */
static void check_insn(const u8 *code, size_t size, const struct insn *insn)
{
	struct insn again;

	FUZZ_TRUE(insn->len && insn->len <= INSN_MAX && insn->len <= size);
	FUZZ_TRUE(insn->kind > INSN_UNKNOWN && insn->kind <= INSN_END);
	FUZZ_TRUE(x86__decode(code, insn->len, &again) && !memcmp(&again, insn, sizeof(again)));
	FUZZ_TRUE(!x86__decode(code, insn->len - 1, &again));
}

static void decode_all(const u8 *code, size_t size)
{
	struct insn insn;

	for (size_t i = 0; i < size; i++) {
		if (!x86__decode(code + i, size - i, &insn))
			continue;
		check_insn(code + i, size - i, &insn);
		i += insn.len - 1;
	}
}

static bool is_same(const struct code_path *a, const struct code_path *b)
{
	return a->result == b->result && a->sp_known == b->sp_known &&
	       a->fp_known == b->fp_known && a->sp == b->sp && a->fp == b->fp &&
	       a->fp_lost == b->fp_lost && a->saved_fp == b->saved_fp;
}

/* What is remembered is what was found. */
static void ask(struct code_paths *p, u64 start, u64 pc)
{
	struct code_budget budget = { .left = CODE_OF_A_STACK };
	struct code_path a = code_paths__from_start(p, start, pc, &budget);
	struct code_path b = code_paths__from_start(p, start, pc, &budget);

	FUZZ_TRUE(is_same(&a, &b));
	a = code_paths__to_return(p, pc, &budget);
	b = code_paths__to_return(p, pc, &budget);
	FUZZ_TRUE(is_same(&a, &b));
	FUZZ_TRUE(a.result != PATH_FOUND || a.sp_known != a.fp_known);
}

FUZZ_TARGET(code, "x86-64 code: instructions, and paths through it")
{
	struct elf_load load = {
		.vaddr = TEXT, .filesz = size, .memsz = size, .exec = true,
	};
	struct elf_image img = {
		.env = &perf_env,
		.file = { .data = data, .size = size }, .loads = { .v = &load, .nr = 1 },
	};
	struct code_paths *p;

	if (!size)
		return;
	decode_all(data, size);
	p = code_paths__new(&img, &unwind_arch_x86_64);
	for (u64 i = 0; i <= QUESTIONS; i++)
		ask(p, TEXT, TEXT + size * i / QUESTIONS);
	ask(p, TEXT + size / 2, TEXT);
	ask(p, TEXT, 0);
	code_paths__free(p);
}
