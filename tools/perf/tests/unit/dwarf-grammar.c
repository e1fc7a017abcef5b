// SPDX-License-Identifier: GPL-2.0-only
/* Tests of lib/dwarf-grammar.h: what it makes is read, and deeply. */
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/dwarf/dwarf.h"
#include "../../util/io/mapfile.h"
#include "../lib/debug-file.h"
#include "../lib/dwarf-grammar.h"
#include "../test.h"

/* How many of the files that were made have what. */
struct reached {
	u32 read, named, inlined, lines, split, compilers;
};

static bool count_split(void *ctx, u64 id, const char *comp_dir, const char *name)
{
	(void)id;
	(void)comp_dir;
	(void)name;
	(*(u32 *)ctx)++;
	return true;
}

static void look(struct dwarf *d, struct reached *to)
{
	struct reached found = {};
	struct dwarf_place place;

	for (u64 addr = DEBUG_TEXT; addr < DEBUG_TEXT + DEBUG_TEXT_SIZE; addr += 16) {
		found.compilers |= !!dwarf__producer(d, addr);
		if (!dwarf__find(d, addr, &place))
			continue;
		found.named |= place.call && place.call->name;
		found.inlined |= place.call && place.call->depth;
		found.lines |= place.file && place.line;
	}
	dwarf__each_split(d, count_split, &found.split);
	to->read++;
	to->named += found.named;
	to->inlined += found.inlined;
	to->lines += found.lines;
	to->split += !!found.split;
	to->compilers += found.compilers;
}

static void read_one(const u8 *choices, size_t nr, struct reached *to)
{
	struct budget memory = { .left = 64 << 20 };
	struct dwarf_limits limits = { .memory = &memory, .work.left = 16 << 20 };
	struct dwarf_files files = {};
	int fd = memfd_create("made", MFD_CLOEXEC);
	struct elf_image img;
	struct dwarf *d;
	size_t size;
	u8 *file = dwarf_grammar__make(choices, nr, &size);

	TEST_EQ(write(fd, file, size), size);
	free(file);
	TEST_EQ(elf_image__open(&img, fd), 0);
	d = dwarf__new(&img, &img, &files, &limits);
	if (d)
		look(d, to);
	dwarf__free(d);
	TEST_EQ(memory.left, 64 << 20);
	elf_image__close(&img);
	close(fd);
}

TEST(dwarf_grammar, "test: DWARF by its grammar has functions, inlined ones, lines, split units")
{
	struct reached reached = {};
	u8 choices[4096];
	u64 seed = 1;

	mapfile__init();
	for (u32 turn = 0; turn < 600; turn++) {
		for (size_t i = 0; i < sizeof(choices); i++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			choices[i] = seed >> 56;
		}
		read_one(choices, turn % 8 ? sizeof(choices) : turn, &reached);
	}
	printf("%u read; with names %u, inlined %u, lines %u, split units %u, compilers %u\n",
	       reached.read, reached.named, reached.inlined, reached.lines, reached.split,
	       reached.compilers);
	TEST_TRUE(reached.read > 500);
	TEST_TRUE(reached.named > 25);
	TEST_TRUE(reached.inlined > 4);
	TEST_TRUE(reached.lines > 80);
	TEST_TRUE(reached.split > 50);
	TEST_TRUE(reached.compilers > 8);
}
