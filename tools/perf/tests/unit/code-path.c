// SPDX-License-Identifier: GPL-2.0-only
/* Answers about paths through code that no compiler makes. */
#include "../../util/elf/elf-file.h"
#include "../../../lib/unwind/walk/code-path.h"
#include "../test.h"

#define TEXT 0x1000ULL

static struct elf_image image(const char *code, size_t size, struct elf_load *load)
{
	*load = (struct elf_load){ .vaddr = TEXT, .filesz = size, .memsz = size, .exec = true };
	return (struct elf_image){
		.env = &perf_env,
		.file = { .data = (const u8 *)code, .size = size },
		.loads = { .v = load, .nr = 1 },
	};
}

static void ask_twice(const char *code, size_t size, u64 pc, struct code_path out[2])
{
	struct elf_load load;
	struct elf_image img = image(code, size, &load);
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

/* From the first instruction to behind @code, or from there on to its return. */
#define PATH_OF(code, path) ASK(code "\x90", TEXT + sizeof(code) - 1, path)

TEST(code_path_moved, "walk: code that pops its return address and pushes it again has moved it")
{
	struct code_path path[2];

	/* pop %rax; push %rbx; push %rax; push %rbp; mov %rsp,%rbp; push %rbx */
	PATH_OF("\x58\x53\x50\x55\x48\x89\xe5\x53", path);
	for (int i = 0; i < 2; i++) {
		TEST_EQ(path[i].result, PATH_FOUND);
		TEST_TRUE(path[i].fp_known && path[i].sp_known);
		TEST_EQ(path[i].fp, 16);
		TEST_EQ(path[i].sp, 24);
		TEST_EQ(path[i].saved_fp, 16);
	}
	/* push %rbp; mov %rsp,%rbp; leave; pop %rcx; add %rbx,%rsp; push %rcx */
	PATH_OF("\x55\x48\x89\xe5\xc9\x59\x48\x01\xdc\x51", path);
	TEST_TRUE(path[0].sp_known && !path[0].fp_known && !path[0].fp_lost && !path[0].saved_fp);
	TEST_EQ(path[0].sp, 8);
}

TEST(code_path_not_moved, "walk: what is pushed in place of a return address is none")
{
	/* pop %rax; then: push %rbx; xor %eax,%eax, mul %ebx or call, and push %rax */
	static const struct { const char *code; u8 len; } codes[] = {
		{ "\x58\x53\x90", 2 }, { "\x58\x31\xc0\x50\x90", 4 },
		{ "\x58\xf7\xe3\x50\x90", 4 }, { "\x58\xe8\0\0\0\0\x50\x90", 7 },
	};
	struct code_path path[2];

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		ask_twice(codes[i].code, codes[i].len + 1, TEXT + codes[i].len, path);
		TEST_EQ(path[0].result, PATH_FOUND);
		TEST_TRUE(!path[0].sp_known && !path[0].fp_known);
	}
}

TEST(code_path_rounds, "walk: where a loop moves SP, it is not known how far")
{
	struct code_path path[2];

	/* 1: sub $0x1000,%rsp; cmp %r11,%rsp; jne 1b; sub $8,%rsp */
	PATH_OF("\x48\x81\xec\x00\x10\x00\x00\x4c\x39\xdc\x75\xf4\x48\x83\xec\x08", path);
	for (int i = 0; i < 2; i++) {
		TEST_EQ(path[i].result, PATH_FOUND);
		TEST_EQ(path[i].sp_known, false);
	}
	/* 1: sub $16,%rsp; add $16,%rsp; jne 1b; sub $8,%rsp */
	PATH_OF("\x48\x83\xec\x10\x48\x83\xc4\x10\x75\xf6\x48\x83\xec\x08", path);
	TEST_EQ(path[0].sp_known, true);
	TEST_EQ(path[0].sp, 16);
}

TEST(code_path_keeps_sp, "walk: code that moves SP by what is in a register does not keep it")
{
	/* push %rbp; mov %rsp,%rbp; je 1f; 0: leave; ret; and 1: sub %rax,%rsp, or $8; jmp 0b */
	static const struct { const char *code; u8 len; bool keeps; } codes[] = {
		{ "\x55\x48\x89\xe5\x74\x02\xc9\xc3\x48\x29\xc4\xeb\xf9", 13, false },
		{ "\x55\x48\x89\xe5\x74\x02\xc9\xc3\x48\x83\xec\x08\xeb\xf8", 14, true },
	};
	struct code_budget b = { .left = CODE_OF_A_STACK };
	struct elf_load load;
	struct elf_image img;
	struct code_paths *p;

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		img = image(codes[i].code, codes[i].len, &load);
		p = code_paths__new(&img, &unwind_arch_x86_64);
		for (int k = 0; k < 2; k++)
			TEST_EQ(code_paths__keeps_sp(p, TEXT, TEXT + codes[i].len, &b),
				codes[i].keeps);
		/* What lies behind is not looked at; where nothing is, nothing is known. */
		TEST_TRUE(code_paths__keeps_sp(p, TEXT, TEXT + 8, &b));
		TEST_TRUE(!code_paths__keeps_sp(p, TEXT, TEXT, &b));
		TEST_TRUE(!code_paths__keeps_sp(p, TEXT, TEXT + 20, &b));
		code_paths__free(p);
	}
}

TEST(code_path_keeps_sp_leaves, "walk: code keeps SP that sets it for where it jumps to")
{
	/* sub $8,%rsp; 0: mov %rdx,%rsp; jmp *%rax, or ret */
	static const struct { const char *code; bool keeps; } codes[] = {
		{ "\x48\x83\xec\x08\x48\x89\xd4\xff\xe0", true },
		{ "\x48\x83\xec\x08\x48\x89\xd4\x90\xc3", false },
	};
	struct code_budget b = { .left = CODE_OF_A_STACK };
	struct elf_load load;
	struct elf_image img;
	struct code_paths *p;

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		img = image(codes[i].code, 9, &load);
		p = code_paths__new(&img, &unwind_arch_x86_64);
		TEST_EQ(code_paths__keeps_sp(p, TEXT, TEXT + 9, &b), codes[i].keeps);
		TEST_TRUE(!code_paths__keeps_sp(p, TEXT, TEXT + 7, &b));
		code_paths__free(p);
	}
}

TEST(code_path_moved_return, "walk: code that moves its return address before it returns")
{
	struct code_path path[2];

	/* leave; pop %rcx; add %rbx,%rsp; push %rcx; ret */
	ASK("\xc9\x59\x48\x01\xdc\x51\xc3", 0, path);
	for (int i = 0; i < 2; i++) {
		TEST_EQ(path[i].result, PATH_FOUND);
		TEST_TRUE(path[i].fp_known && !path[i].sp_known);
		TEST_EQ(path[i].fp, 16);
		TEST_EQ(path[i].saved_fp, 16);
	}
	/* The same, but another register; and with something else on top of it. */
	ASK("\xc9\x59\x48\x01\xdc\x52\xc3", 0, path);
	TEST_EQ(path[0].result, PATH_UNKNOWN);
	ASK("\xc9\x59\x48\x01\xdc\x51\x52\xc3", 0, path);
	TEST_EQ(path[0].result, PATH_UNKNOWN);
}

TEST(code_path_two, "walk: code that returns in two ways does not know where its caller is")
{
	/* je 1f; ret; and behind 1: the same, one word further up, and by rbp. */
	static const struct { const char *code; enum path_result result; } ways[] = {
		{ "\x74\x01\xc3\xc3\x90", PATH_FOUND },
		{ "\x74\x01\xc3\x5b\xc3", PATH_UNKNOWN },
		{ "\x74\x01\xc3\xc9\xc3", PATH_UNKNOWN },
	};
	struct code_path path[2];

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		ask_twice(ways[i].code, 5, 0, path);
		TEST_EQ(path[0].result, ways[i].result);
	}
}

TEST(code_path_lost, "walk: code that loads SP or FP from elsewhere has lost them")
{
	struct code_path path[2];

	/* mov %rax,%rsp; ret */
	ASK("\x48\x89\xc4\xc3", 0, path);
	TEST_EQ(path[0].result, PATH_UNKNOWN);
	/* mov %rax,%rbp; ret. And from SP: it is known here, and lost to the caller. */
	ASK("\x48\x89\xc5\xc3", 0, path);
	TEST_EQ(path[0].result, PATH_FOUND);
	TEST_TRUE(path[0].fp_lost && !path[0].saved_fp);
	ASK("\x48\x89\xe5\xc3", 0, path);
	TEST_EQ(path[0].result, PATH_FOUND);
	TEST_TRUE(path[0].fp_lost && !path[0].saved_fp);
}

TEST(code_path_long, "walk: an instruction is followed once, whatever number of branches reach it")
{
	/* je 2f; je 1f; 1: 2500 instructions; ret; 2: nop; and where to. */
	enum { HEAD = 8, LONG = 2500 };
	static char code[HEAD + LONG + 3];
	struct code_path path[2];

	memset(code, 0x90, sizeof(code));
	memcpy(code, "\x0f\x84\0\0\0\0\x74\0", HEAD);
	memcpy(code + 2, &(u32){ 2 + LONG + 1 }, sizeof(u32));
	code[HEAD + LONG] = 0xc3;
	ask_twice(code, sizeof(code), TEXT + sizeof(code) - 1, path);
	TEST_EQ(path[0].result, PATH_FOUND);
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
