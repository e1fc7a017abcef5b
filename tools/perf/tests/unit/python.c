// SPDX-License-Identifier: GPL-2.0-only
/* A CPython 3.12 or 3.13 in a few kilobytes: an interpreter, a thread, a frame, a code object. */
#include <string.h>

#include "../../util/runtime/python-code.h"
#include "../lib/fake-memory.h"
#include "../test.h"

#define BASE 0x100000ULL
#define SIZE 0x2000

enum {
	RUNTIME = BASE, INTERPRETER = BASE + 0x400, THREAD = BASE + 0x600, CFRAME = BASE + 0x800,
	FRAME = BASE + 0x880, CODE = BASE + 0x900, NAME = BASE + 0xb00, FILE_NAME = BASE + 0xc00,
	LINES = BASE + 0xd00, TYPE = BASE + 0xe00, OTHER_TYPE = BASE + 0xe80,
	UNITS = 8, FIRST_LINE = 40,
};

struct vm {
	struct fake_memory memory;
	u8 bytes[SIZE];
};

static void put(struct vm *vm, u64 at, u64 v, size_t size)
{
	memcpy(vm->bytes + (at - BASE), &v, size);
}

/* @kind: bytes of a character */
static void put_string(struct vm *vm, u64 at, u32 kind, bool ascii, const u32 *s, u64 nr)
{
	put(vm, at + PYTHON_STR_LENGTH, nr, 8);
	put(vm, at + PYTHON_STR_HASH, at, 8);
	put(vm, at + PYTHON_STR_STATE, kind << PYTHON_STR_KIND_SHIFT | 1 << 5 |
	    (u32)ascii << PYTHON_STR_ASCII_SHIFT, 8);
	for (u64 i = 0; i < nr; i++)
		put(vm, at + 40 + (ascii ? 0 : 16) + i * kind, s[i], kind);
}

static void put_text(struct vm *vm, u64 at, const char *s)
{
	u32 wide[64];
	u64 nr = strlen(s);

	for (u64 i = 0; i < nr; i++)
		wide[i] = s[i];
	put_string(vm, at, 1, true, wide, nr);
}

static void put_code(struct vm *vm)
{
	static const u8 lines[] = { 0x80 | 1 << 3 | 1, 0, 0x80 | 11 << 3 | 5, 0, 0 };

	put(vm, CODE + PYTHON_OB_TYPE, TYPE, 8);
	put(vm, CODE + PYTHON_OB_SIZE, UNITS, 8);
	put(vm, CODE + 68, FIRST_LINE, 4);
	put(vm, CODE + 92, 7, 4); /* its number */
	put(vm, CODE + 112, FILE_NAME, 8);
	put(vm, CODE + 128, NAME, 8);
	put(vm, CODE + 136, LINES, 8);
	put_text(vm, NAME, "Point.move");
	put_text(vm, FILE_NAME, "/srv/app.py");
	put(vm, LINES + PYTHON_OB_SIZE, sizeof(lines), 8);
	memcpy(vm->bytes + (LINES - BASE) + PYTHON_BYTES_DATA, lines, sizeof(lines));
}

/* A process that runs that code, of 3.12. */
static struct python_runtime vm__make(struct vm *vm)
{
	memset(vm, 0, sizeof(*vm));
	vm->memory = (struct fake_memory){ BASE, SIZE, vm->bytes };
	put(vm, RUNTIME + 40, INTERPRETER, 8);
	put(vm, INTERPRETER + 72, THREAD, 8);
	put(vm, THREAD + PYTHON_STATE_INTERPRETER, INTERPRETER, 8);
	put(vm, THREAD + 56, CFRAME, 8);
	put(vm, CFRAME, FRAME, 8);
	put(vm, FRAME, CODE, 8);
	put_code(vm);
	return (struct python_runtime){ .runtime = RUNTIME, .code_type = TYPE, .version = 0x30c };
}

TEST(python_runtime, "Python: a version is known by what runs, and others are refused")
{
	static struct vm vm;
	struct python_runtime py = vm__make(&vm), other;
	const struct runtime_memory m = { fake_memory__read, &vm.memory };

	TEST_EQ(python_runtime__read(&py, &m), PYTHON_READY);
	TEST_EQ(py.layout.threads, INTERPRETER + 72);
	TEST_TRUE(py.layout.has_cframe && py.layout.numbered && !py.layout.marks_entry);
	for (u32 version = 0x30a; version <= 0x30f; version++) {
		other = (struct python_runtime){
			.runtime = RUNTIME, .code_type = TYPE, .version = version,
		};
		if (version != 0x30b && version != 0x30c)
			TEST_EQ(python_runtime__read(&other, &m), PYTHON_REFUSED);
	}
	/* Nothing runs so far; or what runs is no code. */
	put(&vm, FRAME, FILE_NAME, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_NOT_YET);
	put(&vm, FRAME, CODE, 8);
	put(&vm, CODE + PYTHON_OB_TYPE, OTHER_TYPE, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_NOT_YET);
	put(&vm, CODE + PYTHON_OB_TYPE, TYPE, 8);
	/* The list of interpreters leads back to itself. */
	put(&vm, INTERPRETER, INTERPRETER, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_NOT_YET);
	put(&vm, INTERPRETER, 0, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_READY);
}

TEST(python_runtime_table, "Python 3.13: its table says what is where; without a lock: refused")
{
	static struct vm vm;
	struct python_runtime py = vm__make(&vm);
	const struct runtime_memory m = { fake_memory__read, &vm.memory };
	const struct { u8 word; u64 value; } table[] = {
		{ PYTHON_TABLE_VERSION, 0x30d0000 }, { PYTHON_TABLE_INTERPRETERS, 0x300 },
		{ PYTHON_TABLE_INTERPRETER_NEXT, 0 }, { PYTHON_TABLE_THREADS, 72 },
		{ 21, PYTHON_STATE_NEXT }, { 22, PYTHON_STATE_INTERPRETER }, { 23, 72 },
		{ 24, 136 }, { 29, 8 }, { 30, 0 }, { 31, 56 }, { 33, 70 }, { 35, 112 }, { 37, 128 },
		{ 38, 136 },
		{ 39, 68 }, { 43, 192 }, { 45, PYTHON_OB_TYPE }, { 66, PYTHON_BYTES_DATA },
		{ 69, PYTHON_STR_LENGTH }, { 70, 40 },
	};

	py.version = 0x30d;
	memcpy(vm.bytes, "xdebugpy", 8);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		put(&vm, RUNTIME + 8 * table[i].word, table[i].value, 8);
	put(&vm, RUNTIME + 0x300, INTERPRETER, 8);
	put(&vm, THREAD + 72, FRAME, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_READY);
	TEST_TRUE(!py.layout.has_cframe);
	put(&vm, RUNTIME + 8 * PYTHON_TABLE_FREE_THREADED, 1, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_IS_FREE);
	put(&vm, RUNTIME + 8 * PYTHON_TABLE_FREE_THREADED, 0, 8);
	/* A place that the program in the kernel cannot reach. */
	put(&vm, RUNTIME + 8 * 31, PYTHON_FRAME_SIZE, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_REFUSED);
	put(&vm, RUNTIME + 8 * 31, 56, 8);
	put(&vm, RUNTIME, 0, 8);
	TEST_EQ(python_runtime__read(&py, &m), PYTHON_REFUSED);
}

TEST(python_code, "Python: the name, file, lines and print of a code object")
{
	static const u32 wide[] = { 'f', 0xe4, 0x20ac, 0x1f600 }, control[] = { 'f', 0x1b };
	static struct vm vm;
	struct python_runtime py = vm__make(&vm);
	const struct runtime_memory m = { fake_memory__read, &vm.memory };
	struct python_code c;
	jit_elf_bytes lines = {};
	u64 print, at[2];
	u32 line[2];

	TEST_EQ(python_runtime__read(&py, &m), PYTHON_READY);
	TEST_TRUE(python_code__read(&c, CODE, &py, &m));
	TEST_STR(c.name, "Point.move");
	TEST_STR(c.file, "/srv/app.py");
	TEST_EQ(c.start, CODE + 192);
	TEST_EQ(c.size, UNITS * PYTHON_CODE_UNIT);
	/* Two instructions of the first line, six of the one behind it. */
	TEST_EQ(python_code__lines(&c, CODE, &lines, &py, &m), 2);
	memcpy(&at[0], lines.v, 8);
	memcpy(&line[0], lines.v + 8, 4);
	memcpy(&at[1], lines.v + 16 + strlen("/srv/app.py") + 1, 8);
	memcpy(&line[1], lines.v + 16 + strlen("/srv/app.py") + 9, 4);
	TEST_EQ(at[0], c.start);
	TEST_EQ(line[0], FIRST_LINE);
	TEST_EQ(at[1], c.start + 2 * PYTHON_CODE_UNIT);
	TEST_EQ(line[1], FIRST_LINE + 1);
	vec__free(&lines);

	put_string(&vm, NAME, 4, false, wide, ARRAY_SIZE(wide));
	TEST_TRUE(python_code__read(&c, CODE, &py, &m));
	TEST_STR(c.name, "f\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	put_string(&vm, NAME, 1, true, control, ARRAY_SIZE(control));
	TEST_TRUE(!python_code__read(&c, CODE, &py, &m));
	put_text(&vm, NAME, "f");

	/* Another one in its place has another number; one without tells nothing. */
	print = c.print;
	put(&vm, CODE + 92, 8, 4);
	TEST_TRUE(python_code__read(&c, CODE, &py, &m));
	TEST_TRUE(c.print != print);
	put(&vm, CODE + 92, 0, 4);
	TEST_TRUE(!python_code__print(CODE, &print, &py, &m));
	TEST_TRUE(!python_code__print(FRAME, &print, &py, &m));
}
