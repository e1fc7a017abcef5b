// SPDX-License-Identifier: GPL-2.0-only
#include "jitdump-out.h"

#include <string.h>

#include "../io/write-all.h"

int jitdump_out__begin(const struct jitdump_out *out, u16 machine)
{
	const u32 head[] = {
		0x4a695444, 1, 40, machine, JITDUMP_OWN_PADDING, out->pid
	};
	const u64 rest[] = { out->time, 0 };
	int err = write_all(out->fd, head, sizeof(head), NULL);

	return err ?: write_all(out->fd, rest, sizeof(rest), NULL);
}

static void put_prefix(jit_elf_bytes *b, const struct jitdump_out *out, u32 type, size_t size)
{
	const u32 head[] = { type, size + 16 };

	jit_elf__put(b, head, sizeof(head));
	jit_elf__put(b, &out->time, sizeof(out->time));
}

static void put_unwinding(jit_elf_bytes *b, const struct jitdump_out *out,
			  const jit_elf_bytes *frames)
{
	const u64 sizes[] = { frames->nr, 0, frames->nr };

	if (!frames->nr)
		return;
	put_prefix(b, out, JITDUMP_UNWINDING, sizeof(sizes) + frames->nr);
	jit_elf__put(b, sizes, sizeof(sizes));
	jit_elf__put(b, frames->v, frames->nr);
}

static void put_lines(jit_elf_bytes *b, const struct jitdump_out *out,
		      const struct jitdump_code *code)
{
	const u64 head[] = { code->addr, code->nr_lines };

	if (!code->nr_lines)
		return;
	put_prefix(b, out, JITDUMP_DEBUG_INFO, sizeof(head) + code->lines.nr);
	jit_elf__put(b, head, sizeof(head));
	jit_elf__put(b, code->lines.v, code->lines.nr);
}

static void put_load(jit_elf_bytes *b, struct jitdump_out *out, const struct jitdump_code *code)
{
	u64 index = out->number++ | (code->is_stub ? JITDUMP_STUB : 0);
	const u32 ids[] = { out->pid, out->pid };
	const u64 where[] = { code->addr, code->addr, code->size, index };
	size_t len = strnlen(code->name, JITDUMP_NAME_MAX - 1);

	put_prefix(b, out, JITDUMP_LOAD, sizeof(ids) + sizeof(where) + len + 1 + code->size);
	jit_elf__put(b, ids, sizeof(ids));
	jit_elf__put(b, where, sizeof(where));
	jit_elf__put(b, code->name, len);
	*vec__push(b) = 0;
	jit_elf__put(b, code->code, code->size);
}

int jitdump_out__code(struct jitdump_out *out, const struct jitdump_code *code)
{
	jit_elf_bytes b = {};
	int err;

	put_lines(&b, out, code);
	put_unwinding(&b, out, &code->unwinding);
	put_load(&b, out, code);
	err = write_all(out->fd, b.v, b.nr, NULL);
	vec__free(&b);
	return err;
}

int jitdump_out__gone(const struct jitdump_out *out, u64 number, u64 nr)
{
	const u32 ids[] = { out->pid, out->pid };
	jit_elf_bytes b = {};
	int err;

	for (u64 i = number; i < number + nr; i++) {
		const u64 where[] = { 0, 0, 0, 0, i }; /* its new address is none */

		put_prefix(&b, out, JITDUMP_MOVE, sizeof(ids) + sizeof(where));
		jit_elf__put(&b, ids, sizeof(ids));
		jit_elf__put(&b, where, sizeof(where));
	}
	err = write_all(out->fd, b.v, b.nr, NULL);
	vec__free(&b);
	return err;
}
