// SPDX-License-Identifier: GPL-2.0-only
/* A hand-made .gopclntab: four functions of Go, of 0x100 bytes each. */
#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../util/stack/frames.h"
#include "../lib/machine-fixture.h"
#include "../test.h"
#include "../lib/walk-bench.h"

#define HEAD 72
#define STEPS 16  /* bytes */
#define NAMES 88
#define NR 4
#define FUNCS (HEAD + STEPS + NAMES)
#define ENTRY 8
#define DESCRIPTION 44
#define SIZE (FUNCS + (NR + 1) * ENTRY + NR * DESCRIPTION)

enum { TOP_FRAME = 1, SP_WRITE = 2 };
enum { NAME_MCALL = 33, NAME_SYSTEMSTACK = 47, NAME_CLOSURE = 67 }; /* where names are */

static void put(u8 *at, u64 v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = v >> 8 * i;
}

/* Functions 0 and 1 have a frame of 24 bytes but at both ends, and padding behind them. */
static void make_table(struct elf_build *elf, u32 magic, u64 text)
{
	/* Depth 0 for 4 bytes, 24 for 0xf0, 0 for 8. */
	static const u8 steps[] = { 0, 2, 4, 48, 0xf0, 1, 47, 8, 0 };
	static const u8 flags[NR] = { 0, 0, TOP_FRAME, SP_WRITE };
	static const char names[NAMES] =
		"\0main.a\0main.b\0runtime.sigreturn\0runtime.mcall\0runtime.systemstack"
		"\0main.a.func1";
	static const u8 name_at[NR] = { 1, 8, 0, 15 };
	const u64 head[] = { NR, 0, text, HEAD + STEPS, 0, 0, HEAD, FUNCS };
	u8 *table = elf->frame;

	memset(table, 0, SIZE);
	put(table, magic, 4);
	table[6] = 1;
	table[7] = 8;
	for (size_t i = 0; i < ARRAY_SIZE(head); i++)
		put(table + 8 + 8 * i, head[i], 8);
	memcpy(table + HEAD, steps, sizeof(steps));
	memcpy(table + HEAD + STEPS, names, sizeof(names));
	for (u32 i = 0; i <= NR; i++)
		put(table + FUNCS + ENTRY * i, 0x100 * i, 4);
	for (u32 i = 0; i < NR; i++) {
		u32 at = (NR + 1) * ENTRY + DESCRIPTION * i;

		put(table + FUNCS + ENTRY * i + 4, at, 4);
		put(table + FUNCS + at + 4, name_at[i], 4);
		put(table + FUNCS + at + 16, 1, 4);
		table[FUNCS + at + (magic == 0xfffffff1 ? 41 : 37)] = flags[i];
	}
	elf->gopclntab = true;
	elf->frame_len = SIZE;
}

static void init(struct bench *b, u64 pc, u32 magic, u64 text)
{
	bench__x86(b, pc);
	make_table(&b->elf, magic, text);
	b->stack[3] = AT(1, 0x20);
	b->stack[7] = AT(2, 1);
}

/* Gives a function another name. */
static void give_name(struct bench *b, u32 nr, u32 name_at)
{
	put(b->elf.frame + FUNCS + (NR + 1) * ENTRY + DESCRIPTION * nr + 4, name_at, 4);
}

static void walk(struct bench *b)
{
	bench__walk_by(b, "x86_64", "eh_frame");
}

TEST(gopclntab_walk, "walk: by the table that Go's runtime walks by")
{
	static const u32 magics[] = { 0xfffffff0, 0xfffffff1 };
	struct bench b;

	for (u32 i = 0; i < ARRAY_SIZE(magics); i++) {
		init(&b, AT(0, 0x10), magics[i], ELF_TEXT);
		walk(&b);
		EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 1));

		init(&b, AT(0, 3), magics[i], ELF_TEXT);
		b.stack[0] = AT(1, 0xf4);
		b.stack[4] = AT(2, 1);
		walk(&b);
		EXPECT(&b, UNWIND_OUTERMOST, AT(0, 3), AT(1, 0xf4), AT(2, 1));

		/* What goes to another stack has left its caller there. */
		init(&b, AT(0, 0x10), magics[i], ELF_TEXT);
		b.stack[7] = AT(3, 0x20);
		walk(&b);
		EXPECT(&b, UNWIND_STACK_ENDS, AT(0, 0x10), AT(1, 0x20), AT(3, 0x20));

		init(&b, AT(0, 0xfd), magics[i], ELF_TEXT);
		walk(&b);
		EXPECT(&b, UNWIND_NO_ROW, AT(0, 0xfd));
	}
}

/* main.a has called systemstack(), or mcall(), which has called main.b on another stack. */
static void init_away(struct bench *b, u32 name_at)
{
	init(b, AT(1, 0x10), 0xfffffff1, ELF_TEXT);
	give_name(b, 3, name_at);
	b->stack[2] = SP + 8 * 40; /* main.b's slot for the frame pointer: that of main.a */
	b->stack[3] = AT(3, 0x20);
	b->stack[7] = 0;
	b->stack[40] = SP + 8 * 50;
	b->stack[41] = AT(0, 0x30);
	b->stack[45] = AT(2, 1);
}

TEST(gopclntab_away, "walk: from another stack of Go's to the caller's, or to where it begins")
{
	struct bench b;

	init_away(&b, NAME_MCALL);
	walk(&b);
	EXPECT(&b, UNWIND_OUTERMOST, AT(1, 0x10), AT(3, 0x20));
	init_away(&b, NAME_SYSTEMSTACK);
	walk(&b);
	EXPECT(&b, UNWIND_SKIPPED, AT(1, 0x10), AT(3, 0x20), AT(0, 0x30), AT(2, 1));
	TEST_TRUE(b.chain.skips_away);
	/* Downwards, too. */
	init_away(&b, NAME_SYSTEMSTACK);
	b.regs.v[7] = SP + 8 * 60;
	b.stack[62] = SP + 8 * 40;
	b.stack[63] = AT(3, 0x20);
	walk(&b);
	EXPECT(&b, UNWIND_SKIPPED, AT(1, 0x10), AT(3, 0x20), AT(0, 0x30), AT(2, 1));
	/* A stack that is not in the copy, and code that may not have left the caller's. */
	init_away(&b, NAME_SYSTEMSTACK);
	b.stack[2] = 0xc000100000;
	walk(&b);
	EXPECT(&b, UNWIND_STACK_ENDS, AT(1, 0x10), AT(3, 0x20));
	init_away(&b, NAME_SYSTEMSTACK);
	b.regs.v[8] = AT(3, 0x20);
	b.regs.v[6] = SP + 8 * 40;
	walk(&b);
	EXPECT(&b, UNWIND_STACK_ENDS, AT(3, 0x20));
	init_away(&b, NAME_MCALL);
	b.regs.v[8] = AT(3, 0x20);
	walk(&b);
	EXPECT(&b, UNWIND_STACK_ENDS, AT(3, 0x20));
	/* A ring of frames ends, as all that is long does. */
	init_away(&b, NAME_SYSTEMSTACK);
	b.stack[40] = SP + 8 * 40;
	b.stack[41] = AT(3, 0x20);
	walk(&b);
	TEST_EQ(b.chain.stop, UNWIND_LIMIT);
}

/* A stack that is not in the copy, of which the kernel has followed the frame pointers. */
TEST(gopclntab_by_fp, "walk: from another stack of Go's on with a chain by frame pointers")
{
	static const struct {
		u64 by_fp[6];
		u32 nr;  /* of them */
		u32 far; /* so many frames of them are believed; 4: all, to the outermost */
	} cases[] = {
		{ { AT(1, 0x10), AT(3, 0x20), AT(0, 0x30), AT(2, 1) }, 4, 4 },
		{ { AT(1, 0x10), AT(3, 0x20), AT(0, 0x30), AT(2, 1), 1 }, 5, 4 },
		{ { AT(1, 0x10), AT(3, 0x20), AT(0, 0x30) }, 3, 3 },
		{ { AT(1, 0x10), AT(3, 0x20) }, 2, 2 },
		{ { AT(1, 0x10) }, 1, 2 },
		/* Of another stack, at least in part. */
		{ { AT(1, 0x10), AT(1, 0x30), AT(3, 0x20), AT(0, 0x30), AT(2, 1) }, 5, 2 },
		{ { AT(1, 0x10), AT(3, 0x21), AT(0, 0x30), AT(2, 1) }, 4, 2 },
		/* Behind no call; in no code; and of a function without a frame. */
		{ { AT(1, 0x10), AT(3, 0x20), AT(0, 0x31), AT(2, 1) }, 4, 2 },
		{ { AT(1, 0x10), AT(3, 0x20), 0x1000, AT(2, 1) }, 4, 2 },
		{ { AT(1, 0x10), AT(3, 0x20), AT(0, 0xf6), AT(2, 1) }, 4, 3 },
	};
	struct bench b;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		init_away(&b, NAME_SYSTEMSTACK);
		b.stack[2] = 0xc000100000;
		b.elf.code[0x30 - 5] = b.elf.code[0xf6 - 5] = 0xe8;
		b.by_fp = cases[i].by_fp;
		b.nr_by_fp = cases[i].nr;
		walk(&b);
		TEST_EQ(b.chain.stop, cases[i].far == 4 ? UNWIND_SKIPPED : UNWIND_STACK_ENDS);
		TEST_EQ(b.chain.nr, cases[i].far);
		TEST_EQ(b.ips[1], AT(3, 0x20));
		for (u32 k = 2; k < cases[i].far; k++)
			TEST_EQ(b.ips[k], cases[i].by_fp[k]);
	}
}

/* Which function has called systemstack() is known where the code tells. */
TEST(gopclntab_between, "walk: the caller of code on another stack, by the only call there is")
{
	struct unwind_gap gap;
	u8 *a, *caller;
	struct bench b;
	u64 between;

	for (int i = 0; i < 6; i++) {
		init(&b, AT(1, 0x10), 0xfffffff1, ELF_TEXT);
		give_name(&b, 3, NAME_SYSTEMSTACK);
		a = b.elf.code + 0x40;
		caller = b.elf.code + 0x100 + 0x50;
		put(a - 5, 0xe8, 1);
		put(a - 4, 0x300 - 0x40, 4);
		put(caller - 5, 0xe8, 1);
		put(caller - 4, (u32)(0 - 0x150), 4);
		if (i == 1 || i == 4 || i == 5) { /* another call of it, also at either end */
			u32 at = i == 1 ? 0x60 : i == 4 ? 5 : 0x100;

			put(b.elf.code + at - 5, 0xe8, 1);
			put(b.elf.code + at - 4, 0x300 - at, 4);
		} else if (i == 2) { /* the caller calls something else */
			put(caller - 4, (u32)(4 - 0x150), 4);
		}
		bench__open(&b, "x86_64", "table");
		gap = (struct unwind_gap){ AT(1, 1), AT(i == 3 ? 1 : 3, 0x20), AT(1, 0x50) };
		TEST_EQ(unwind_space__left_out(b.space, &gap, &between), i != 3);
		TEST_EQ(between, i ? 0 : AT(0, 0x40));
		bench__close(&b);
	}
}

/* Of a goroutine's first function, which makes the closure that runs on the other stack. */
TEST(gopclntab_first, "walk: the caller of a closure on another stack, where that has no caller")
{
	struct unwind_gap gap = { AT(1, 1), AT(3, 0x20), AT(2, 1) };
	struct bench b;
	u64 between;
	u8 *a;

	for (int i = 0; i < 4; i++) {
		init(&b, AT(1, 0x10), 0xfffffff1, ELF_TEXT);
		give_name(&b, 3, NAME_SYSTEMSTACK);
		if (i != 1)
			give_name(&b, 1, NAME_CLOSURE);
		a = b.elf.code;
		put(a + 0x20, 0x100 - 0x24 + (i == 2), 4); /* its address */
		put(a + 0x40 - 5, 0xe8, 1);
		put(a + 0x40 - 4, 0x300 - 0x40, 4);
		if (i == 3)
			gap.ra = AT(1, 0x50); /* behind no call, and not a first function's */
		bench__open(&b, "x86_64", "table");
		TEST_TRUE(unwind_space__left_out(b.space, &gap, &between));
		TEST_EQ(between, i ? 0 : AT(0, 0x40));
		bench__close(&b);
	}
}

TEST(gopclntab_text, "walk: where Go's code is, the program's entry tells if the table does not")
{
	struct bench b;

	init(&b, AT(0, 0x10), 0xfffffff1, 0);
	b.elf.entry = ELF_TEXT + 0x200;
	walk(&b);
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 1));
	b.elf.entry++;
	walk(&b);
	EXPECT(&b, UNWIND_NO_ROW, AT(0, 0x10));
}

TEST(gopclntab_refuses, "walk: a table of Go of another version, or for another machine")
{
	struct bench b;

	init(&b, AT(0, 0x10), 0xfffffffa, ELF_TEXT);
	walk(&b);
	EXPECT(&b, UNWIND_NO_ROW, AT(0, 0x10));
	init(&b, AT(0, 0x10), 0xfffffff1, ELF_TEXT);
	b.elf.frame[6] = 4;
	walk(&b);
	EXPECT(&b, UNWIND_NO_ROW, AT(0, 0x10));
	init(&b, AT(0, 0x10), 0xfffffff1, ELF_TEXT);
	put(b.elf.frame + 8, SIZE, 8);
	walk(&b);
	EXPECT(&b, UNWIND_NO_ROW, AT(0, 0x10));
}

static void write_file(const struct elf_build *elf, const char *path)
{
	static u8 bytes[65536];
	int fd = elf_build__fd(elf);
	ssize_t size = pread(fd, bytes, sizeof(bytes), 0);
	FILE *file = fopen(path, "w");

	TEST_TRUE(size > 0 && file && fwrite(bytes, 1, size, file) == (size_t)size);
	fclose(file);
	close(fd);
}

TEST(gopclntab_names, "symbols: functions of a stripped program of Go, by the names of its runtime")
{
	/* One has no name in the table: it is known by where it begins. */
	static const char *const want[] = { "main.a", "main.b", "go+0x%llx", "runtime.sigreturn" };
	struct fixture f = fixture__setup();
	struct dso dso = { .kind = DSO_USER, .name = "go", .short_name = "go", .pid = NO_ID };
	struct elf_build elf;
	char path[PATH_MAX];

	elf_build__init(&elf, EM_X86_64, false, 16, NULL, 0);
	make_table(&elf, 0xfffffff1, ELF_TEXT);
	write_file(&elf, "go");
	TEST_TRUE(realpath("go", path));
	dso.path = path;
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	for (u32 i = 0; i < NR; i++) {
		const struct symbol *sym = symbols__find(f.s, &dso, ELF_TEXT + 0x100 * i + 0x10);

		char name[32];

		snprintf(name, sizeof(name), want[i], (unsigned long long)ELF_TEXT + 0x100 * i);
		TEST_TRUE(sym);
		TEST_STR(sym->name, name);
	}
	fixture__teardown(&f);
}

TEST(gopclntab_signal, "report: what Go's signal handlers return to was called by nobody")
{
	static const char *const want[] = { "main.a", "runtime.sigreturn", "main.b" };
	const u64 ips[] = { ELF_TEXT + 0x10, ELF_TEXT + 0x300, ELF_TEXT + 0x100 };
	struct fixture f = fixture__setup();
	struct frames frames = {};
	struct elf_build elf;
	struct resolver *r;
	char path[PATH_MAX];

	elf_build__init(&elf, EM_X86_64, false, 16, NULL, 0);
	make_table(&elf, 0xfffffff1, ELF_TEXT);
	write_file(&elf, "go");
	TEST_TRUE(realpath("go", path));
	builder__mmap(f.b, ELF_TEXT, ELF_TEXT_SIZE, ELF_TEXT, path);
	fixture__feed(&f);
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	r = resolver__new(f.s);
	resolver__user_ips(r, machine__thread(f.m, getpid(), getpid()), ips, ARRAY_SIZE(ips),
			   &frames);
	TEST_EQ(frames.f.nr, ARRAY_SIZE(want));
	for (u32 i = 0; i < frames.f.nr; i++)
		TEST_STR(frames.f.v[i].loc.sym ? frames.f.v[i].loc.sym->name : "none", want[i]);
	resolver__free(r);
	fixture__teardown(&f);
}

TEST(gopclntab_damaged, "walk: a damaged table of Go ends walks, and nothing else")
{
	struct bench b;
	u64 seed = 1;

	for (u32 i = 0; i < 3000; i++) {
		init(&b, AT(0, 0x10), i & 1 ? 0xfffffff0 : 0xfffffff1, ELF_TEXT);
		for (u32 k = 0; k < 1 + i % 3; k++)
			b.elf.frame[random_u64(&seed) % SIZE] = random_u64(&seed);
		walk(&b);
		TEST_TRUE(b.chain.nr >= 1 && b.ips[0] == AT(0, 0x10));
	}
}
