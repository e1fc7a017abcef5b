// SPDX-License-Identifier: GPL-2.0-only
/* Call frame information as libgcc keeps it, in a made-up memory. */
#include <string.h>

#include "../../../lib/unwind/arch/arch.h"
#include "../../../lib/unwind/source/cfi.h"
#include "../../util/elf/elf-file.h"
#include "../../util/jit/jit-frames.h"
#include "../../util/jit/registered-tables.h"
#include "../test.h"

#define CODE 0x7f0000001000ULL
#define SIZE 4096
#define FUNCTION 64 /* bytes */

struct object {
	u64 pc_begin, tbase, dbase, table, state, next;
};

struct node {
	u64 lock;
	u32 nr, type;
	u64 words[30];
};

/* A memory: libgcc's data first. */
struct world {
	u64 data[8];
	struct object objects[4];
	u64 sorted[4];
	struct node nodes[4];
	u8 sections[3][64];
	u32 reads;
};

static ssize_t read_world(void *ctx, u64 addr, void *to, size_t size)
{
	struct world *w = ctx;
	u64 off = addr - (u64)w;

	w->reads++;
	if (off >= sizeof(*w))
		return -EFAULT;
	size = min_of(size, sizeof(*w) - off);
	memcpy(to, (u8 *)w + off, size);
	return size;
}

/* .eh_frame of a function of FUNCTION bytes at @pc. Returns its address. */
static u64 put_section(struct world *w, int i, u64 pc)
{
	static const u8 cie[] = { 20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0,
				  0x0c, 7, 8, 0x90, 1, 0, 0 };
	static const u8 fde[] = { 28, 0, 0, 0, 28 };
	u8 *s = w->sections[i];

	memset(s, 0, sizeof(w->sections[i]));
	memcpy(s, cie, sizeof(cie));
	memcpy(s + 24, fde, sizeof(fde));
	memcpy(s + 32, &pc, sizeof(pc));
	s[40] = FUNCTION;
	return (u64)s;
}

/* The starts of the functions that are found, relative to CODE; returns how many. */
static u32 find(struct world *w, s64 *starts, u32 max)
{
	const struct registered_memory memory = { read_world, w };
	struct cfi_fde fde;
	jit_elf_bytes out = {};
	struct cfi *c;
	u32 nr;

	registered_tables__find(&memory, NULL, (u64)w, sizeof(w->data), CODE, SIZE, &out);
	c = cfi__new(&perf_env, (struct bytes){ out.v, out.nr }, JIT_FRAMES_REACH + SIZE, false,
		     unwind_arch_info__by_machine(jit_elf__native_machine()));
	nr = cfi__nr(c);
	for (u32 i = 0; i < nr && i < max; i++) {
		TEST_TRUE(cfi__fde(c, i, &fde));
		TEST_EQ(fde.end - fde.start, FUNCTION);
		starts[i] = fde.start - JIT_FRAMES_REACH;
	}
	cfi__free(c);
	vec__free(&out);
	return nr;
}

TEST(registered_tables_list, "registered tables: those in libgcc's list that reach into the code")
{
	struct world w = { .data = { 1, (u64)&w.nodes, 0, (u64)&w.objects[0] } };
	s64 starts[4];

	w.objects[0] = (struct object){ ~0ULL, 0, 0, put_section(&w, 0, CODE + 128), 0x7f8,
					(u64)&w.objects[1] };
	w.objects[1] = (struct object){ CODE - 32, 0, 0, (u64)w.sorted, 1 | 0x7f8,
					(u64)&w.objects[2] };
	w.sorted[0] = put_section(&w, 1, CODE - 32);
	w.objects[2] = (struct object){ ~0ULL, 0, 0, put_section(&w, 2, CODE + SIZE), 0x7f8, 0 };
	TEST_EQ(find(&w, starts, 4), 2);
	TEST_EQ(starts[0], -32); /* the function begins in front of the range */
	TEST_EQ(starts[1], 128);
	put_section(&w, 1, CODE - FUNCTION);
	TEST_EQ(find(&w, starts, 4), 1);
	w.objects[0].state |= 2; /* an array of tables */
	TEST_EQ(find(&w, starts, 4), 0);
}

TEST(registered_tables_tree, "registered tables: those in libgcc's B-tree that reach into the code")
{
	struct world w = { .data = { 0, (u64)&w.nodes[0] } };
	s64 starts[4];

	w.nodes[0] = (struct node){ 8, 3, 0, { CODE - 1, (u64)&w.nodes[1], CODE + SIZE,
					       (u64)&w.nodes[2], ~0ULL, (u64)&w.nodes[1] } };
	w.nodes[1] = (struct node){ 8, 1, 1, { CODE + 64, FUNCTION, (u64)&w.objects[1] } };
	w.nodes[2] = (struct node){ 8, 2, 1, { CODE + 16, FUNCTION, (u64)&w.objects[0],
					       CODE + SIZE, 16, (u64)&w.objects[1] } };
	w.objects[0] = (struct object){ ~0ULL, 0, 0, put_section(&w, 0, CODE + 16), 0x7f8, 1 };
	w.objects[1] = (struct object){ ~0ULL, 0, 0, put_section(&w, 1, CODE + 64), 0x7f8, 1 };
	TEST_EQ(find(&w, starts, 4), 1); /* the other one is where the tree says that it is not */
	TEST_EQ(starts[0], 16);
}

TEST(registered_tables_hostile, "registered tables: lists, trees and tables without an end do end")
{
	struct world w = { .data = { (u64)&w.objects[0], (u64)&w.nodes[0], (u64)&w.nodes[1] } };
	s64 starts[4];

	w.objects[0] = (struct object){ ~0ULL, 0, 0, put_section(&w, 0, CODE), 0,
					(u64)&w.objects[0] };
	TEST_TRUE(find(&w, starts, 4) > 0); /* the same one, again and again */
	TEST_TRUE(w.reads <= 256);
	w.objects[0].table = (u64)w.sections[1];
	memset(w.sections[1], 0xff, sizeof(w.sections[1]));
	for (u32 i = 0; i < 2; i++) {
		w.nodes[i] = (struct node){ 8, 15, 0, {} };
		for (u32 j = 0; j < 15; j++) {
			w.nodes[i].words[2 * j] = ~0ULL;
			w.nodes[i].words[2 * j + 1] = (u64)&w.nodes[!i];
		}
	}
	w.reads = 0;
	TEST_EQ(find(&w, starts, 4), 0);
	TEST_TRUE(w.reads <= 256);
	w.nodes[0].nr = 16; /* more than there is room for */
	w.nodes[1].type = 2;
	TEST_EQ(find(&w, starts, 4), 0);
}
