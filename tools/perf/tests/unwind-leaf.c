// SPDX-License-Identifier: GPL-2.0-only
/* Code without rows of its own. */
#include <elf.h>

#include "test.h"
#include "walk-bench.h"

static void put(struct bench *b, u32 at, const char *bytes, size_t len)
{
	memcpy(b->elf.code + at, bytes, len);
}

TEST(leaf_aarch64_lifted, "walk: aarch64, what a PLT has pushed below a CFA that does not say so")
{
	struct bench b;

	/* RA at CFA + 8; the caller's at its CFA - 8, CFA = SP + 32 */
	bench__aarch64(&b, AT(0, 0x10));
	FUNCTION(&b, 0, 0x11, 30, 0x7f);
	FUNCTION(&b, 1, 0x0e, 32, 0x80 | 30, 1);
	FUNCTION(&b, 2, 0x07, 30);
	b.stack[1] = AT(1, 0x20);
	b.stack[2 + 3] = AT(2, 0x20);
	bench__walk_by(&b, "aarch64", "table");
	EXPECT(&b, UNWIND_OUTERMOST, AT(0, 0x10), AT(1, 0x20), AT(2, 0x20));
}

static void walk_plt(const char *code, size_t len, u32 at, u32 pushed)
{
	struct bench b;

	bench__x86(&b, TEXT + at);
	FUNCTION(&b, 1, 0x07, 16);
	b.elf.plt = 0x100;
	put(&b, 0, code, len);
	b.stack[pushed] = AT(1, 0x20);
	bench__walk_by(&b, "x86_64", "sframe,eh_frame");
	EXPECT(&b, UNWIND_OUTERMOST, TEXT + at, AT(1, 0x20));
}

TEST(leaf_plt, "walk: x86-64 and aarch64, PLTs that the linker has made no rows for")
{
	static const char lazy[] = "\xff\x35\1\1\1\1\xff\x25\1\1\1\1\x90\x90\x90\x90"
				   "\xff\x25\1\1\1\1\x68\0\0\0\0\xe9\0\0\0";
	static const char ibt[] = "\xff\x35\1\1\1\1\xff\x25\1\1\1\1\x90\x90\x90\x90"
				  "\xf3\x0f\x1e\xfa\x68\0\0\0\0\xe9\0\0\0\0\x90";
	static const char now[] = "\xff\x25\1\1\1\1\x66\x90";
	struct bench b;

	walk_plt(lazy, sizeof(lazy), 0, 1);
	walk_plt(lazy, sizeof(lazy), 6, 2);
	walk_plt(lazy, sizeof(lazy), 16, 0);
	walk_plt(lazy, sizeof(lazy), 16 + 11, 1);
	walk_plt(lazy, sizeof(lazy), 32 + 6, 0);
	walk_plt(ibt, sizeof(ibt), 16 + 4, 0);
	walk_plt(ibt, sizeof(ibt), 16 + 9, 1);
	walk_plt(now, sizeof(now), 8, 0);

	bench__aarch64(&b, TEXT + 4);
	FUNCTION(&b, 1, 0x07, 30);
	b.elf.plt = 0x100;
	put(&b, 0, "\xf0\x7b\xbf\xa9", 4); /* STP x16, x30, [SP, #-16]! */
	b.stack[1] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "eh_frame");
	EXPECT(&b, UNWIND_OUTERMOST, TEXT + 4, AT(1, 0x20));
	b.regs.v[32] = TEXT + 0x28;
	b.regs.v[30] = AT(1, 0x20);
	bench__walk_by(&b, "aarch64", "eh_frame");
	EXPECT(&b, UNWIND_OUTERMOST, TEXT + 0x28, AT(1, 0x20));
}
