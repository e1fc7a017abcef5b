// SPDX-License-Identifier: GPL-2.0-only
/* A Java virtual machine in a few kilobytes: its tables, its code cache, a method. */
#include <string.h>

#include "../../util/jit/jit-elf.h"
#include "../../util/runtime/hotspot-rows.h"
#include "../lib/fake-memory.h"
#include "../test.h"

#define BASE 0x100000ULL
#define SIZE 0x8000

/* Where things are. */
enum {
	STRUCTS = BASE, TYPES = BASE + 0x1000, STATICS = BASE + 0x1400, ARRAY = BASE + 0x1420,
	ELEMENTS = BASE + 0x1440, HEAP = BASE + 0x1500, SEGMAP = BASE + 0x1800,
	METHOD = BASE + 0x1900, CONSTANT = BASE + 0x1940, POOL = BASE + 0x1980,
	CLASS = BASE + 0x1a00, SYMBOLS = BASE + 0x1a40, TEXT = BASE + 0x1c00,
	CODE = BASE + 0x4000, CODE_SIZE = 0x4000, SEGMENT = 128,
};

struct vm {
	struct fake_memory memory;
	u8 bytes[SIZE];
	u64 entry, type, text; /* where the next one goes */
};

static void put(struct vm *vm, u64 at, u64 v, size_t size)
{
	memcpy(vm->bytes + (at - BASE), &v, size);
}

static u64 put_text(struct vm *vm, const char *s)
{
	u64 at = vm->text;

	memcpy(vm->bytes + (at - BASE), s, strlen(s) + 1);
	vm->text += strlen(s) + 1;
	return at;
}

static void put_field(struct vm *vm, const char *type, const char *field, bool is_static, u64 value)
{
	put(vm, vm->entry, put_text(vm, type), 8);
	put(vm, vm->entry + 8, put_text(vm, field), 8);
	put(vm, vm->entry + 24, is_static, 4);
	put(vm, vm->entry + (is_static ? 40 : 32), value, 8);
	vm->entry += 48;
}

static void put_type(struct vm *vm, const char *type, u64 size)
{
	put(vm, vm->type, put_text(vm, type), 8);
	put(vm, vm->type + 32, size, 8);
	vm->type += 40;
}

static void put_tables(struct vm *vm)
{
	static const struct { const char *type, *field; u64 offset; } fields[] = {
		{ "GrowableArrayBase", "_len", 0 }, { "GrowableArray<int>", "_data", 8 },
		{ "CodeHeap", "_memory", 0 }, { "CodeHeap", "_segmap", 112 },
		{ "CodeHeap", "_log2_segment_size", 248 }, { "VirtualSpace", "_low", 16 },
		{ "VirtualSpace", "_high", 24 }, { "HeapBlock::Header", "_used", 8 },
		{ "CodeBlob", "_name", 96 }, { "CodeBlob", "_code_begin", 32 },
		{ "CodeBlob", "_code_end", 40 }, { "CompiledMethod", "_method", 112 },
		{ "nmethod", "_compile_id", 304 }, { "Method", "_constMethod", 8 },
		{ "ConstMethod", "_constants", 8 }, { "ConstMethod", "_name_index", 34 },
		{ "ConstMethod", "_signature_index", 36 }, { "ConstantPool", "_pool_holder", 24 },
		{ "Klass", "_name", 24 }, { "Symbol", "_length", 4 }, { "Symbol", "_body[0]", 6 },
	};

	vm->entry = STRUCTS;
	vm->type = TYPES;
	vm->text = TEXT;
	put_field(vm, "CodeCache", "_heaps", true, STATICS);
	put_field(vm, "CodeCache", "_low_bound", true, STATICS + 8);
	put_field(vm, "CodeCache", "_high_bound", true, STATICS + 16);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		put_field(vm, fields[i].type, fields[i].field, false, fields[i].offset);
	put_type(vm, "HeapBlock", 16);
	put_type(vm, "ConstantPool", 72);
}

static void put_symbol(struct vm *vm, u64 at, const char *s)
{
	put(vm, at + 4, strlen(s), 2);
	memcpy(vm->bytes + (at - BASE) + 6, s, strlen(s));
}

/* "int Main.deep(int)". */
static void put_method(struct vm *vm)
{
	put(vm, METHOD + 8, CONSTANT, 8);
	put(vm, CONSTANT + 8, POOL, 8);
	put(vm, CONSTANT + 34, 1, 2);
	put(vm, CONSTANT + 36, 2, 2);
	put(vm, POOL + 24, CLASS, 8);
	put(vm, POOL + 72 + 8, SYMBOLS + 0x20, 8);
	put(vm, POOL + 72 + 16, SYMBOLS + 0x40, 8);
	put(vm, CLASS + 24, SYMBOLS, 8);
	put_symbol(vm, SYMBOLS, "Main");
	put_symbol(vm, SYMBOLS + 0x20, "deep");
	put_symbol(vm, SYMBOLS + 0x40, "(I)I");
}

/* The heap: a free segment, then a method of four. */
static void put_code(struct vm *vm)
{
	u64 block = CODE + SEGMENT, blob = block + 16;

	put(vm, STATICS, ARRAY, 8);
	put(vm, STATICS + 8, CODE, 8);
	put(vm, STATICS + 16, CODE + CODE_SIZE, 8);
	put(vm, ARRAY, 1, 4);
	put(vm, ARRAY + 8, ELEMENTS, 8);
	put(vm, ELEMENTS, HEAP, 8);
	put(vm, HEAP + 16, CODE, 8);
	put(vm, HEAP + 24, CODE + CODE_SIZE, 8);
	put(vm, HEAP + 112 + 16, SEGMAP, 8);
	put(vm, HEAP + 248, 7, 4);
	memset(vm->bytes + (SEGMAP - BASE), 0xff, CODE_SIZE / SEGMENT);
	put(vm, SEGMAP + 1, 0x01020100, 4); /* the last one leads to its neighbour */
	put(vm, block + 8, 1, 1);
	put(vm, blob + 96, put_text(vm, "nmethod"), 8);
	put(vm, blob + 32, block + 200, 8);
	put(vm, blob + 40, block + 500, 8);
	put(vm, blob + 112, METHOD, 8);
	put(vm, blob + 304, 17, 4);
}

static void vm__make(struct vm *vm)
{
	memset(vm, 0, sizeof(*vm));
	vm->memory = (struct fake_memory){ BASE, SIZE, vm->bytes };
	put_tables(vm);
	put_method(vm);
	put_code(vm);
}

TEST(hotspot_layout, "Java: a table that lacks a field, or is not filled yet, is not taken for one")
{
	static struct vm vm;
	const struct runtime_memory m = { fake_memory__read, &vm.memory };
	struct hotspot_layout l;

	vm__make(&vm);
	TEST_TRUE(!hotspot_layout__read(&l, &m, STRUCTS, TYPES));
	TEST_EQ(l.heaps, STATICS);
	TEST_EQ(l.array_len, 0);
	TEST_EQ(l.heap_memory, 0); /* from OpenJDK 21 on */
	TEST_EQ(l.heap_log2, 248);
	TEST_EQ(l.pool_size, 72);
	TEST_EQ(l.frame_size, HOTSPOT_NONE);
	for (u64 entry = STRUCTS; entry < vm.entry; entry += 48) {
		u64 offset = 0, type = 0;

		fake_memory__read(&vm.memory, entry + 32, &offset, 8);
		fake_memory__read(&vm.memory, entry, &type, 8);
		put(&vm, entry + 32, 0, 8);
		if (offset)
			TEST_TRUE(hotspot_layout__read(&l, &m, STRUCTS, TYPES));
		put(&vm, entry + 32, offset, 8);
		put(&vm, entry, TEXT + 1, 8); /* a type of another name */
		TEST_TRUE(hotspot_layout__read(&l, &m, STRUCTS, TYPES));
		put(&vm, entry, type, 8);
	}
	TEST_TRUE(!hotspot_layout__read(&l, &m, STRUCTS, TYPES));
}

TEST(hotspot_code, "Java: the method that has an address, and its name")
{
	static struct vm vm;
	const struct runtime_memory m = { fake_memory__read, &vm.memory };
	u64 block = CODE + SEGMENT, start = block + 200, end = block + 500;
	const struct hotspot_heap *heap;
	struct hotspot_heaps heaps = {};
	char name[HOTSPOT_NAME_MAX];
	struct hotspot_layout l;
	struct hotspot_blob b;

	vm__make(&vm);
	TEST_TRUE(!hotspot_layout__read(&l, &m, STRUCTS, TYPES));
	TEST_TRUE(hotspot_heaps__read(&heaps, &l, &m));
	TEST_EQ(heaps.nr, 1);
	TEST_TRUE(!hotspot_heaps__find(&heaps, CODE - 1));
	heap = hotspot_heaps__find(&heaps, CODE);
	for (u64 at = CODE; at < CODE + CODE_SIZE; at += 20) {
		bool found = hotspot_blob__find(&b, heap, at, &l, &m);

		TEST_EQ(found, at >= start && at < end);
		if (found)
			TEST_EQ(b.compile_id, 17);
	}
	TEST_TRUE(hotspot_blob__find(&b, heap, start, &l, &m));
	TEST_TRUE(hotspot_blob__name(&b, name, &l, &m));
	TEST_STR(name, "int Main.deep(int)");

	/* What comes and goes changes the heap's object. */
	TEST_EQ(heap->epoch, 1);
	TEST_TRUE(hotspot_heaps__read(&heaps, &l, &m));
	TEST_EQ(heap->epoch, 1);
	put(&vm, HEAP + 300, 1, 1);
	TEST_TRUE(hotspot_heaps__read(&heaps, &l, &m));
	TEST_EQ(heap->epoch, 2);

	put(&vm, SYMBOLS + 0x20 + 6, '\n', 1); /* no name */
	TEST_TRUE(!hotspot_blob__name(&b, name, &l, &m));
	put(&vm, block + 8, 0, 1); /* not used */
	TEST_TRUE(!hotspot_blob__find(&b, heap, start, &l, &m));
}
