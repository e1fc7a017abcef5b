// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/base/vec.h"
#include "../../util/symbol/bpf-lines.h"
#include "../test.h"

#define ALL (1 << 3 | 1 << 6 | 1 << 7 | 1 << 8) /* functions, lines, their addresses, tags */
#define STRINGS "\0/src/a.c\0b.c"

/* A program of two functions, at 0x1000 and 0x3000, with two lines each. */
struct program {
	u32 info_size, size;
	u64 bits;
	struct bpf_prog_info info;
	struct {
		u64 functions[2];
		u64 addrs[4];
		struct bpf_line_info lines[4];
		u8 tags[2][BPF_TAG_SIZE];
	} data;
};

struct features {
	struct {
		u32 nr;
		struct program of[2];
	} __attribute__((packed)) programs;
	struct {
		u32 nr, id, size;
		struct btf_header head;
		char strings[sizeof(STRINGS)];
	} __attribute__((packed)) types;
};

static struct program program(u32 line, u8 tag)
{
	return (struct program){
		.info_size = sizeof(struct bpf_prog_info),
		.size = sizeof(((struct program *)NULL)->data), .bits = ALL,
		.info = {
			.btf_id = 7, .nr_jited_ksyms = 2, .nr_prog_tags = 2, .nr_line_info = 4,
			.nr_jited_line_info = 4, .line_info_rec_size = 16,
			.jited_line_info_rec_size = 8,
			.jited_line_info = 16, .line_info = 48, .prog_tags = 112,
		},
		.data = {
			.functions = { 0x3000, 0x1000 },
			.addrs = { 0x3000, 0x3010, 0x1008, 0x1020 },
			.lines = { { 0, 1, 1, line << 10 }, { 1, 1, 1, (line + 1) << 10 | 5 },
				   { 2, 10, 1, (line + 2) << 10 }, { 3, 1, 1, (line + 3) << 10 } },
			.tags = { { tag, 0xab }, { tag, 0xcd } },
		},
	};
}

static void fill(struct features *f)
{
	memset(f, 0, sizeof(*f));
	f->programs.nr = 2;
	f->programs.of[0] = program(10, 1);
	f->programs.of[1] = program(90, 2); /* which was there when the first was gone */
	f->types.nr = 1;
	f->types.id = 7;
	f->types.size = sizeof(f->types.head) + sizeof(STRINGS);
	f->types.head = (struct btf_header){ .magic = BTF_MAGIC, .version = 1,
					     .hdr_len = sizeof(f->types.head),
					     .str_len = sizeof(STRINGS) };
	memcpy(f->types.strings, STRINGS, sizeof(STRINGS));
}

static const struct dso dsos[] = {
	{ .kind = DSO_BPF, .name = "bpf_prog_01cd000000000000_b", .start = 0x1000, .end = 0x1040 },
	{ .kind = DSO_BPF, .name = "bpf_prog_01ab000000000000_a", .start = 0x3000, .end = 0x3040 },
	{ .kind = DSO_BPF, .name = "bpf_prog_02ab000000000000_a", .start = 0x3000, .end = 0x3040 },
	{ .kind = DSO_BPF, .name = "bpf_prog_03ab000000000000_a", .start = 0x3000, .end = 0x3040 },
	{ .kind = DSO_BPF, .name = "bpf_trampoline_3", .start = 0x3000, .end = 0x3040 },
};

static struct bpf_lines *read_features(const void *programs, size_t size, const void *types,
				       size_t types_size)
{
	return bpf_lines__new((struct bytes){ programs, size },
			      (struct bytes){ types, types_size });
}

/* The line of @addr, of the file @name; 0: it is not known. */
static u32 line_at(const struct bpf_lines *b, int dso, u64 addr, const char *name)
{
	const char *file;
	u32 line;

	return bpf_lines__find(b, &dsos[dso], addr, &file, &line) && !strcmp(file, name) ? line : 0;
}

TEST(bpf_lines, "lines of BPF programs: each function has its own, of the program that it is of")
{
	struct features f;
	struct bpf_lines *b;

	fill(&f);
	b = read_features(&f.programs, sizeof(f.programs), &f.types, sizeof(f.types));
	TEST_EQ(line_at(b, 0, 0x1000, "b.c"), 0); /* no line begins there, and not the other's */
	TEST_EQ(line_at(b, 0, 0x1008, "b.c"), 12);
	TEST_EQ(line_at(b, 0, 0x101f, "b.c"), 12);
	TEST_EQ(line_at(b, 0, 0x103f, "/src/a.c"), 13);
	TEST_EQ(line_at(b, 0, 0x1040, "/src/a.c"), 0);
	TEST_EQ(line_at(b, 1, 0x3000, "/src/a.c"), 10);
	TEST_EQ(line_at(b, 1, 0x303f, "/src/a.c"), 11);
	TEST_EQ(line_at(b, 2, 0x300f, "/src/a.c"), 90);
	TEST_EQ(line_at(b, 3, 0x300f, "/src/a.c"), 0);
	TEST_EQ(line_at(b, 4, 0x300f, "/src/a.c"), 0);
	bpf_lines__free(b);
	b = read_features(NULL, 0, NULL, 0);
	TEST_EQ(line_at(b, 0, 0x1008, "b.c"), 0);
	bpf_lines__free(b);
}

/* Copies have no byte behind their end, which sanitizers see. */
static void look(const void *programs, size_t size, const void *types, size_t types_size)
{
	void *p = size ? memcpy(malloc(size), programs, size) : NULL;
	void *t = types_size ? memcpy(malloc(types_size), types, types_size) : NULL;
	struct bpf_lines *b = read_features(p, size, t, types_size);
	const char *file;
	u32 line, nr = 0;

	free(p);
	free(t);
	for (size_t i = 0; i < ARRAY_SIZE(dsos); i++)
		for (u64 addr = dsos[i].start; addr < dsos[i].end; addr += 8)
			nr += bpf_lines__find(b, &dsos[i], addr, &file, &line) && strlen(file) > 64;
	TEST_EQ(nr, 0);
	bpf_lines__free(b);
}

TEST(bpf_lines_damaged, "lines of BPF programs: nothing is read behind what a damaged file has")
{
	static const u8 values[] = { 0, 1, 0x7f, 0xff };
	struct features f, g;

	fill(&f);
	for (size_t n = 0; n <= sizeof(f.programs); n++)
		look(&f.programs, n, &f.types, sizeof(f.types));
	for (size_t n = 0; n <= sizeof(f.types); n++)
		look(&f.programs, sizeof(f.programs), &f.types, n);
	for (size_t at = 0; at < sizeof(f); at++)
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			g = f;
			((u8 *)&g)[at] = values[i];
			look(&g.programs, sizeof(g.programs), &g.types, sizeof(g.types));
		}
}
