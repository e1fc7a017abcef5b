// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that says that it runs Python, whose memory is an input, at each address anew: its
 * table of places, threads, frames, and code objects with their names and lines.
 */
#include "../../util/runtime/python-code.h"
#include "input-memory.h"

#define READS_MAX 100000

static void fuzz_code(u64 addr, struct python_code *code, const struct python_runtime *py,
		      const struct runtime_memory *m)
{
	jit_elf_bytes lines = {};
	u64 print;

	if (python_code__print(addr, &print, py, m))
		fuzz__touch(&print, sizeof(print));
	if (!python_code__read(code, addr, py, m))
		return;
	FUZZ_TRUE(code->name[0] && strnlen(code->name, PYTHON_NAME_MAX) < PYTHON_NAME_MAX);
	FUZZ_TRUE(strnlen(code->file, PYTHON_NAME_MAX) < PYTHON_NAME_MAX);
	FUZZ_TRUE(code->size && code->size <= PYTHON_BYTECODE_MAX);
	(void)python_code__lines(code, addr, &lines, py, m);
	fuzz__touch(lines.v, lines.nr);
	vec__free(&lines);
}

FUZZ_TARGET(python, "memory of processes that run Python")
{
	struct input_memory memory = { { data, size }, READS_MAX };
	const struct runtime_memory m = { input_memory__read, &memory };
	struct python_code *code = xzalloc(sizeof(*code));
	struct python_runtime py = {};
	u64 type = 0;

	if (size > 8)
		memcpy(&type, data + 8, sizeof(type) <= size - 8 ? sizeof(type) : size - 8);
	for (u32 version = 0x30a; version <= 0x30f; version++) {
		py = (struct python_runtime){ .version = version, .code_type = type };
		(void)python_runtime__read(&py, &m);
		for (u64 addr = 0; addr < 4096; addr += 64)
			fuzz_code(addr, code, &py, &m);
	}
	free(code);
}
