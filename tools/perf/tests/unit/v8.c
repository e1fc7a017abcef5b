// SPDX-License-Identifier: GPL-2.0-only
/* A heap of V8 in a few kilobytes: a function, its name, bytecodes, compiled code. */
#include <string.h>

#include "../../util/runtime/v8-heap.h"
#include "../../util/runtime/v8-rows.h"
#include "../lib/fake-memory.h"
#include "../test.h"

#define BASE 0x200000ULL
#define SIZE 0x4000

/* Where objects are; references have 1 added. */
enum {
	MAPS = BASE, FUNCTION = BASE + 0x1000, MOVED = BASE + 0x1040, SHARED = BASE + 0x1080,
	SCOPE = BASE + 0x10c0, SCRIPT = BASE + 0x1140, NAME = BASE + 0x1180, PATH = BASE + 0x11c0,
	LEFT = BASE + 0x1200, RIGHT = BASE + 0x1240, BYTECODES = BASE + 0x1280,
	CODE = BASE + 0x12c0, DEOPT = BASE + 0x1340, STREAM = BASE + 0x2000 - 16,
	CODE_SIZE = 0x500,
};

/* Types, and the number of their map. */
enum {
	ONE_BYTE = 8, TWO_BYTE = 0, CONS = 9, SLICED = 11, META = 200, FUNCTION_TYPE, SHARED_TYPE,
	SCOPE_TYPE, SCRIPT_TYPE, BYTECODES_TYPE, CODE_TYPE, STREAM_TYPE, ARRAY_TYPE,
};

struct vm {
	struct fake_memory memory;
	u8 bytes[SIZE];
};

static void put(struct vm *vm, u64 at, u64 v, size_t size)
{
	memcpy(vm->bytes + (at - BASE), &v, size);
}

static u64 map_of(u32 type)
{
	return MAPS + 16 * type + 1;
}

static void put_object(struct vm *vm, u64 at, u32 type)
{
	put(vm, at, map_of(type), 8);
}

static void put_string(struct vm *vm, u64 at, const char *s)
{
	put_object(vm, at, ONE_BYTE);
	put(vm, at + 12, strlen(s), 4);
	memcpy(vm->bytes + (at - BASE) + 16, s, strlen(s));
}

static const struct { const char *name; s32 value; } variables[] = {
	{ "class_Map__instance_type__uint16_t", 12 },
	{ "class_JSFunction__shared__SharedFunctionInfo", 24 },
	{ "class_SharedFunctionInfo__name_or_scope_info__Object", 16 },
	{ "class_SharedFunctionInfo__script__Tagged_HeapObject_", 32 },
	{ "class_Script__name__Object", 16 }, { "class_String__length__int32_t", 12 },
	{ "class_SeqOneByteString__chars__char", 16 },
	{ "class_SeqTwoByteString__chars__char", 16 },
	{ "class_ConsString__first__String", 16 }, { "class_ConsString__second__String", 24 },
	{ "class_SlicedString__parent__String", 16 }, { "class_SlicedString__offset__SMI", 24 },
	{ "class_ThinString__actual__String", 16 }, { "class_FixedArray__data__uintptr_t", 16 },
	{ "class_InstructionStream__instruction_start__uintptr_t", 16 },
	{ "scopeinfo_idx_ncontextlocals", 2 }, { "scopeinfo_idx_first_vars", 3 },
	{ "off_fp_context_or_frame_type", -8 }, { "off_fp_function", -16 },
	{ "off_fp_bytecode_array", -32 }, { "off_fp_bytecode_offset", -40 },
	{ "type_JSFunction__JS_FUNCTION_TYPE", FUNCTION_TYPE },
	{ "type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", SHARED_TYPE },
	{ "type_Code__CODE_TYPE", CODE_TYPE },
	{ "type_BytecodeArray__BYTECODE_ARRAY_TYPE", BYTECODES_TYPE },
	{ "type_ScopeInfo__SCOPE_INFO_TYPE", SCOPE_TYPE },
	{ "type_Script__SCRIPT_TYPE", SCRIPT_TYPE },
	{ "type_Map__MAP_TYPE", META }, { "FirstNonstringType", 128 },
	{ "StringRepresentationMask", 7 }, { "ConsStringTag", 1 }, { "SlicedStringTag", 3 },
	{ "ThinStringTag", 5 }, { "SeqStringTag", 0 }, { "StringEncodingMask", 8 },
	{ "OneByteStringTag", 8 }, { "SmiShiftSize", 31 },
	{ "type_InstructionStream__INSTRUCTION_STREAM_TYPE", STREAM_TYPE },
};

static void vm__make(struct vm *vm, struct v8_heap *h)
{
	memset(vm, 0, sizeof(*vm));
	vm->memory = (struct fake_memory){ BASE, SIZE, vm->bytes };
	*h = (struct v8_heap){ .memory = { fake_memory__read, &vm->memory } };
	v8_layout__init(&h->layout);
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		*v8_layout__field(&h->layout, variables[i].name) = variables[i].value;
	for (u32 type = 0; type < 0xff; type++) {
		put(vm, map_of(type) - 1, map_of(META), 8);
		put(vm, map_of(type) - 1 + 12, type, 2);
	}
	put_object(vm, FUNCTION, FUNCTION_TYPE);
	put(vm, FUNCTION + 24, SHARED + 1, 8);
	put_object(vm, SHARED, SHARED_TYPE);
	put(vm, SHARED + 8, BYTECODES + 1, 8);
	put(vm, SHARED + 16, SCOPE + 1, 8);
	put(vm, SHARED + 32, SCRIPT + 1, 8);
	put_object(vm, BYTECODES, BYTECODES_TYPE);
	/* One variable, its properties, and then the name. */
	put_object(vm, SCOPE, SCOPE_TYPE);
	put(vm, SCOPE + 8 + 16, 1ULL << 32, 8);
	put(vm, SCOPE + 8 + 24, RIGHT + 1, 8);
	put(vm, SCOPE + 8 + 32, 7ULL << 32, 8);
	put(vm, SCOPE + 8 + 40, NAME + 1, 8);
	put_object(vm, SCRIPT, SCRIPT_TYPE);
	put(vm, SCRIPT + 16, PATH + 1, 8);
	put_string(vm, NAME, "next");
	put_string(vm, PATH, "/srv/app.js");
	put_string(vm, LEFT, "Module");
	put_string(vm, RIGHT, ".load");
	put_object(vm, STREAM, STREAM_TYPE);
	put(vm, STREAM + 8, CODE + 1, 8);
	put_object(vm, CODE, CODE_TYPE);
	put(vm, CODE + 16, DEOPT + 1, 8);
	put(vm, CODE + 40, STREAM + 16, 8);
	put(vm, CODE + 56, CODE_SIZE, 4);
	put_object(vm, DEOPT, ARRAY_TYPE);
	put(vm, DEOPT + 16 + 48, SHARED + 1, 8);
}

TEST(v8_layout, "Node: what a machine does not export, and is needed, is named")
{
	static struct vm vm;
	struct v8_heap h;

	vm__make(&vm, &h);
	TEST_TRUE(!v8_layout__lacks(&h.layout));
	TEST_TRUE(!v8_layout__field(&h.layout, "class_Map__instance_size__char"));
	TEST_TRUE(!v8_layout__field(&h.layout, "off_fp_function_data"));
	for (size_t i = 0; i + 1 < ARRAY_SIZE(variables); i++) {
		s32 *field = v8_layout__field(&h.layout, variables[i].name);
		const char *lacks;

		*field = V8_NONE;
		lacks = v8_layout__lacks(&h.layout);
		TEST_TRUE(lacks);
		TEST_EQ(v8_layout__field(&h.layout, variables[i].name), field);
		*field = variables[i].value;
	}
}

TEST(v8_names, "Node: names of functions and scripts, also of strings in parts")
{
	static struct vm vm;
	char name[V8_NAME_MAX];
	struct v8_heap h;

	vm__make(&vm, &h);
	TEST_EQ(v8_heap__shared(&h, FUNCTION + 1), SHARED + 1);
	TEST_EQ(v8_heap__bytecodes(&h, SHARED + 1), BYTECODES + 1);
	TEST_TRUE(v8_heap__name(&h, SHARED + 1, name));
	TEST_STR(name, "next /srv/app.js");
	/* Without a name it is what it was guessed to be, in two parts. */
	put(&vm, NAME + 12, 0, 4);
	put(&vm, SCOPE + 8 + 48, 0, 8);
	put(&vm, SCOPE + 8 + 56, MOVED + 1, 8);
	put_object(&vm, MOVED, CONS);
	put(&vm, MOVED + 12, 11, 4);
	put(&vm, MOVED + 16, LEFT + 1, 8);
	put(&vm, MOVED + 24, RIGHT + 1, 8);
	TEST_TRUE(v8_heap__name(&h, SHARED + 1, name));
	TEST_STR(name, "Module.load /srv/app.js");
	/* A part of it. */
	put_object(&vm, NAME, SLICED);
	put(&vm, NAME + 12, 7, 4);
	put(&vm, NAME + 16, MOVED + 1, 8);
	put(&vm, NAME + 24, 4ULL << 32, 8);
	TEST_TRUE(v8_heap__name(&h, SHARED + 1, name));
	TEST_STR(name, "le.load /srv/app.js");
	/* One that consists of itself, or has what no name has. */
	put(&vm, MOVED + 16, MOVED + 1, 8);
	TEST_TRUE(v8_heap__name(&h, SHARED + 1, name));
	TEST_STR(name, "(anonymous) /srv/app.js");
	put_string(&vm, NAME, "a\nb");
	TEST_TRUE(v8_heap__name(&h, SHARED + 1, name));
	TEST_STR(name, "(anonymous) /srv/app.js");
	/* Wide characters. */
	put_object(&vm, NAME, TWO_BYTE);
	put(&vm, NAME + 12, 2, 4);
	put(&vm, NAME + 16, 0xd80000e9, 4); /* one half of a pair */
	TEST_TRUE(v8_heap__name(&h, SHARED + 1, name));
	TEST_STR(name, "\303\251? /srv/app.js");
}

TEST(v8_moved, "Node: a function that was moved is found, and nothing else taken for it")
{
	static struct vm vm;
	struct v8_heap h;

	vm__make(&vm, &h);
	memcpy(vm.bytes + (MOVED - BASE), vm.bytes + (FUNCTION - BASE), 32);
	put(&vm, FUNCTION, MOVED, 8);
	TEST_EQ(v8_heap__shared(&h, FUNCTION + 1), SHARED + 1);
	put_object(&vm, MOVED, SCOPE_TYPE);
	TEST_EQ(v8_heap__shared(&h, FUNCTION + 1), 0);
	put(&vm, FUNCTION, BASE + SIZE, 8);
	TEST_EQ(v8_heap__shared(&h, FUNCTION + 1), 0);
	TEST_EQ(v8_heap__shared(&h, SHARED + 1), 0);
	TEST_EQ(v8_heap__shared(&h, FUNCTION), 0);
}

TEST(v8_code, "Node: the function whose compiled code has an address")
{
	static struct vm vm;
	u64 start = STREAM + 16;
	struct v8_code code;
	struct v8_heap h;

	vm__make(&vm, &h);
	for (u64 at = start - 64; at < start + CODE_SIZE + 64; at += 20)
		TEST_EQ(v8_heap__code(&h, at, &code), at >= start && at < start + CODE_SIZE);
	TEST_TRUE(v8_heap__read_code(&h, start, &code));
	TEST_EQ(code.shared, SHARED + 1);
	TEST_EQ(code.end, start + CODE_SIZE);
	/* Made of bytecodes. */
	put(&vm, CODE + 16, BYTECODES + 1, 8);
	TEST_TRUE(v8_heap__read_code(&h, start, &code));
	TEST_EQ(code.shared, 0);
	TEST_EQ(code.bytecodes, BYTECODES + 1);
	put(&vm, SHARED + 8, CODE + 1, 8);
	TEST_EQ(v8_heap__bytecodes(&h, SHARED + 1), BYTECODES + 1);
	/* Code of no function, and such that says that it is elsewhere. */
	put(&vm, CODE + 16, 0, 8);
	TEST_TRUE(!v8_heap__read_code(&h, start, &code));
	put(&vm, CODE + 16, DEOPT + 1, 8);
	put(&vm, CODE + 40, start + 64, 8);
	TEST_TRUE(!v8_heap__code(&h, start + 100, &code));
}

/* Returns: the number of the rules for @pc, in the order in which they were made; or -1. */
static int rules_at(const jit_elf_bytes *rows, u64 size, u64 pc)
{
	u64 rules[8] = {};
	u32 words[4], nr = 0;

	for (u64 at = 0; at + 16 <= rows->nr; at += 4 + words[0]) {
		s64 start;

		memcpy(words, rows->v + at, sizeof(words));
		if (!words[1]) {
			rules[nr++ % 8] = at;
			continue;
		}
		start = (s64)(s32)words[2] + (s64)(at + 8) + (s64)align_up(size, 8);
		for (u32 i = 0; i < nr && (s64)pc >= start && (s64)pc < start + words[3]; i++)
			if (rules[i] == at + 4 - words[1])
				return i;
	}
	return -1;
}

TEST(v8_rows, "Node: where compiled code has its frame, and how it leaves it")
{
	/* test eax,eax; push rbp; mov rbp,rsp; nop; call; mov rsp,rbp; pop rbp; cmp rcx,2; jg 3;
	 * ret 16; pop r10; push r10; ret; nop; jmp *rax; a word of a table; call */
	static const u8 code[] = {
		0x85, 0xc0, 0x55, 0x48, 0x8b, 0xec, 0x90, 0xe8, 0, 0, 0, 0, 0x48, 0x8b, 0xe5, 0x5d,
		0x48, 0x83, 0xf9, 2, 0x7f, 3, 0xc2, 16, 0, 0x41, 0x5a, 0x41, 0x52, 0xc3, 0x90,
		0xff, 0xe0, 0x5d, 0x5d, 0xe8, 0, 0, 0, 0, 0x90,
	};
	enum { IN_FRAME, IS_ENTERED, IS_PUSHED, IS_UNKNOWN };
	static const struct { u8 at; int want; } places[] = {
		{ 0, IS_ENTERED }, { 2, IS_ENTERED }, { 3, IS_PUSHED }, { 6, IN_FRAME },
		{ 11, IN_FRAME }, { 15, IN_FRAME }, { 16, IS_ENTERED }, { 22, IS_ENTERED },
		{ 25, IS_ENTERED }, { 27, IS_UNKNOWN }, { 29, IS_UNKNOWN }, { 30, IN_FRAME },
		{ 31, IN_FRAME }, { 33, -1 }, { 39, IN_FRAME }, { 40, -1 },
	};
	static const u8 no_frame[] = { 0x85, 0xc0, 0xc3, 0x55, 0x48, 0x8b, 0xec, 0xc3 };
	jit_elf_bytes rows = {};

	v8_rows__of_code(&rows, code, sizeof(code));
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		TEST_EQ(rules_at(&rows, sizeof(code), places[i].at), places[i].want);
	rows.nr = 0;
	v8_rows__of_code(&rows, no_frame, sizeof(no_frame));
	TEST_EQ(rows.nr, 0);
	vec__free(&rows);
}
