// SPDX-License-Identifier: GPL-2.0-only
#include "rows-out.h"

#include "../jit/jit-frames.h"

static void put_u32(jit_elf_bytes *out, u32 v)
{
	jit_elf__put(out, &v, sizeof(v));
}

size_t rows_out__rules(jit_elf_bytes *out, const u8 *program, size_t size)
{
	size_t begin = out->nr;

	put_u32(out, 0);
	put_u32(out, 0);
	*vec__push(out) = 1;
	jit_elf__put(out, "zR", 3);
	jit_frames__put_leb(out, 1, false);
	jit_frames__put_leb(out, -8, true);
	*vec__push(out) = RA;
	jit_frames__put_leb(out, 1, false);
	*vec__push(out) = PCREL_SDATA4;
	jit_elf__put(out, program, size);
	jit_frames__end(out, begin);
	return begin;
}

void rows_out__range(jit_elf_bytes *out, u64 code_size, u64 at, u64 size, size_t rules)
{
	size_t begin = out->nr;

	put_u32(out, 0);
	put_u32(out, begin + 4 - rules);
	put_u32(out, (u32)(at - align_up(code_size, 8) - out->nr));
	put_u32(out, size);
	jit_frames__put_leb(out, 0, false);
	jit_frames__end(out, begin);
}

void rows_out__end(jit_elf_bytes *out)
{
	put_u32(out, 0);
}

bool rows_out__is_behind_call(const u8 *code, u64 at)
{
	return (at >= 5 && code[at - 5] == 0xe8) ||
	       (at >= 2 && code[at - 2] == 0xff && (code[at - 1] & 0xf8) == 0xd0);
}
