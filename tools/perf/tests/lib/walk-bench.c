// SPDX-License-Identifier: GPL-2.0-only
#include "walk-bench.h"

#include <elf.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/space/backend.h"
#include "../test.h"

static int open_bench(void *ctx, u32 module)
{
	return module == 7 ? ((struct bench *)ctx)->fd : -ENOENT;
}

u64 random_u64(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	return *seed ^= *seed << 17;
}

static void bench__damage(struct bench *b)
{
	off_t size = lseek(b->fd, 0, SEEK_END);

	for (u32 i = 0; i < b->flips; i++) {
		off_t at = random_u64(&b->seed) % (size - ELF_TEXT_SIZE);
		u8 byte;

		/* The headers of the file in front are short: half of the flips go there. */
		if (i & 1)
			at %= 120;
		if (at >= (off_t)ELF_TEXT)
			at += ELF_TEXT_SIZE;
		TEST_EQ(pread(b->fd, &byte, 1, at), 1);
		byte ^= 1 << (random_u64(&b->seed) & 7);
		TEST_EQ(pwrite(b->fd, &byte, 1, at), 1);
	}
}

void bench__open(struct bench *b, const char *arch, const char *backend)
{
	struct unwind_mapping map = { TEXT, TEXT + ELF_TEXT_SIZE, ELF_TEXT, 7 };

	mapfile__init();
	b->fd = elf_build__fd(&b->elf);
	bench__damage(b);
	TEST_EQ(unwinder__by_name(&b->u, backend, unwind_arch__parse(arch), NULL), 0);
	if (b->no_work)
		b->u->code.left = 0;
	unwinder__on_open(b->u, open_bench, b);
	b->space = unwind_space__new(b->u);
	unwind_space__add(b->space, &map);
	if (b->jit)
		unwind_space__add(b->space, &(struct unwind_mapping){
			.start = b->jit, .end = b->jit + 0x1000, .module = UNWIND_NO_FILE,
		});
	map.start = b->again;
	map.end = b->again + ELF_TEXT_SIZE;
	if (b->again)
		unwind_space__add(b->space, &map);
}

void bench__close(struct bench *b)
{
	unwind_space__free(b->space);
	unwinder__free(b->u);
	close(b->fd);
}

void bench__walk_by(struct bench *b, const char *arch, const char *backend)
{
	struct unwind_stack stack = {
		.start = SP, .data = (u8 *)b->stack, .size = sizeof(b->stack),
		.by_fp = b->by_fp, .nr_by_fp = b->nr_by_fp,
	};

	bench__open(b, arch, backend);
	b->chain = (struct unwind_chain){ .ips = b->ips, .max = 16 };
	unwind__walk(b->space, &b->regs, &stack, &b->chain);
	bench__close(b);
}

void bench__walk(struct bench *b, const char *arch)
{
	struct unwind_chain first;
	u64 ips[16], seed = b->seed;

	bench__walk_by(b, arch, "libdw");
	first = b->chain;
	memcpy(ips, b->ips, sizeof(ips));
	b->seed = seed;
	bench__walk_by(b, arch, "table");
	if (b->broken)
		return;
	TEST_EQ(b->chain.nr, first.nr);
	TEST_EQ(b->chain.stop, first.stop);
	for (u32 i = 0; i < first.nr; i++)
		TEST_EQ(b->ips[i], ips[i]);
}

static const u8 x86_cie[] = { 0x0c, 7, 8, 0x80 | 16, 1 };

void bench__x86(struct bench *b, u64 pc)
{
	memset(b, 0, sizeof(*b));
	elf_build__init(&b->elf, EM_X86_64, false, 16, x86_cie, sizeof(x86_cie));
	b->regs.known = BIT_ULL(8) | BIT_ULL(7) | BIT_ULL(6);
	b->regs.v[8] = pc;
	b->regs.v[7] = SP;
}

void bench__aarch64(struct bench *b, u64 pc)
{
	static const u8 cie[] = { 0x0c, 31, 0 };

	memset(b, 0, sizeof(*b));
	elf_build__init(&b->elf, EM_AARCH64, false, 30, cie, sizeof(cie));
	b->regs.known = BIT_ULL(32) | BIT_ULL(31) | BIT_ULL(30) | BIT_ULL(29);
	b->regs.v[32] = pc;
	b->regs.v[31] = SP;
}
