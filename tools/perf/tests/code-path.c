// SPDX-License-Identifier: GPL-2.0-only
/* Answers about paths through code that no compiler makes. */
#include "../util/unwind/walk/code-path.h"
#include "test.h"

#define TEXT 0x1000ULL

static void ask_twice(const char *code, size_t size, u64 pc, struct code_path out[2])
{
	struct elf_load load = { .vaddr = TEXT, .filesz = size, .memsz = size, .exec = true };
	struct elf_image img = {
		.file = { .data = (const u8 *)code, .size = size },
		.loads = { .v = &load, .nr = 1 },
	};
	struct code_paths *p = code_paths__new(&img, &unwind_arch_x86_64);
	struct code_budget b = { .left = CODE_OF_A_STACK };

	for (int i = 0; i < 2; i++)
		out[i] = pc ? code_paths__from_start(p, TEXT, pc, &b) :
			      code_paths__to_return(p, TEXT, &b);
	code_paths__free(p);
}
#define ASK(code, pc, out) ask_twice(code, sizeof(code) - 1, pc, out)

TEST(code_path_above, "walk: code that has popped its return address does not know where it is")
{
	struct code_path path[2];

	/* pop %rbp; pop %rbp; nop */
	ASK("\x5d\x5d\x90\xc3", TEXT + 2, path);
	for (int i = 0; i < 2; i++) {
		TEST_EQ(path[i].result, PATH_FOUND);
		TEST_EQ(path[i].sp_known, false);
		TEST_EQ(path[i].fp_known, false);
	}
}

TEST(code_path_far, "walk: a distance is remembered as it was found, or not known at all")
{
	struct code_path path[2];

	/* add $n,%rsp; ret: the largest n whose return address is within 16,376 bytes, and more. */
	ASK("\x48\x81\xc4\xf0\x3f\x00\x00\xc3", 0, path);
	for (int i = 0; i < 2; i++) {
		TEST_EQ(path[i].result, PATH_FOUND);
		TEST_EQ(path[i].sp, 0x3ff8);
		TEST_EQ(path[i].fp, 0);
	}
	ASK("\x48\x81\xc4\xf8\x3f\x00\x00\xc3", 0, path);
	for (int i = 0; i < 2; i++)
		TEST_EQ(path[i].result, PATH_UNKNOWN);
}
