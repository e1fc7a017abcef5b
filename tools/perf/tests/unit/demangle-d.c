// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of D, of druntime and phobos of two compilers. What is expected was compared with
 * `c++filt -s dlang`, which writes the types of delegates otherwise and does not know all of these.
 */
#include "../../util/base/mem.h"
#include "../../util/symbol/demangle.h"
#include "../test.h"

struct name {
	const char *mangled, *plain; /* plain: NULL when it is not one */
};

static void expect(const struct name *names, size_t nr)
{
	char buf[1024];

	for (size_t i = 0; i < nr; i++) {
		int len = d_name__demangle(names[i].mangled, buf, sizeof(buf));

		if (!names[i].plain != (len < 0) || (len >= 0 && strcmp(buf, names[i].plain)))
			TEST_FAIL("%s became %s", names[i].mangled, len < 0 ? "nothing" : buf);
		if (len >= 0)
			TEST_EQ(len, strlen(buf));
	}
}

TEST(demangle_d_functions, "symbols: D's functions, methods, nested ones, and what compilers make")
{
	static const struct name names[] = {
		{ "_Dmain", "D main" },
		{ "_D3std11mathspecial14betaIncompleteFNaNbNiNfeeeZe",
		  "std.mathspecial.betaIncomplete(real, real, real)" },
		{ "_D3std12experimental9allocator18RCISharedAllocator17alignedReallocateMOFNbKA"
		  "vmkZb",
		  "std.experimental.allocator.RCISharedAllocator.alignedReallocate(ref void[], "
		  "ulong, uint) shared" },
		{ "_D6object14TypeInfo_Tuple4swapMxFPvQcZv",
		  "object.TypeInfo_Tuple.swap(void*, void*) const" },
		{ "_D4core9exception13FinalizeError6__ctorMFNaNbNiNfC8TypeInfoC6object9Throwabl"
		  "eAyamZ"
		  "CQDdQDbQCu",
		  "core.exception.FinalizeError.this(TypeInfo, object.Throwable, "
		  "immutable(char)[], ulong)" },
		{ "_D6object12getArrayHashFNbNeMxC8TypeInfoMxPvxmZ15hasCustomToHashFNaNbNeMxQBrZb",
		  "object.getArrayHash(scope const(TypeInfo), scope const(void*), "
		  "const(ulong)).hasCustomToHash(scope const(TypeInfo))" },
		{ "_D3std11concurrency14FiberScheduler6createMFNbDFZvZ4wrapMQk",
		  "std.concurrency.FiberScheduler.create(void delegate()).wrap()" },
		{ "_D3gcc3deh15ExceptionHeader5stackPSQBhQBgQBf",
		  "gcc.deh.ExceptionHeader.stack" },
		{ "_D3std8encoding__T15EncoderInstanceHTuZ9__mixin136encodeFwDFuZvZv",
		  "std.encoding.EncoderInstance!(wchar).__mixin13.encode(dchar, void "
		  "delegate(wchar))" },
		{ "_D4core3sys5posix6dirent3DIR6__initZ",
		  "initializer for core.sys.posix.dirent.DIR" },
		{ "_D3std7process11environment6__vtblZ", "vtable for std.process.environment" },
		{ "_D4core4sync9semaphore11__moduleRefZ", "core.sync.semaphore.__moduleRef" },
		{ "_DThn16_4core8internal2gc4impl5protoQo7ProtoGC7disableMFZv",
		  "non-virtual thunk to core.internal.gc.impl.proto.gc.ProtoGC.disable()" },
		{ "_DTi16_D4core8internal2gc4impl5protoQo7ProtoGC10removeRootMFNbNiPvZv",
		  "non-virtual thunk to core.internal.gc.impl.proto.gc.ProtoGC.removeRoot(void*)" },
		{ "_D3std6mmfile6MmFile6mappedMFmZi.cold", "std.mmfile.MmFile.mapped(ulong).cold" },
	};

	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_d_templates, "symbols: D's templates with types, values, symbols, and references")
{
	static const struct name names[] = {
		{ "_D3std4conv__T4textTAyaTxaZQnFNaNbNfQqxaZQv",
		  "std.conv.text!(immutable(char)[], const(char)).text(immutable(char)[], "
		  "const(char))" },
		{ "_D3std4json9JSONValue7opIndexMNgFNaNcNfNkMAyaZNgSQBvQBuQBs",
		  "std.json.JSONValue.opIndex(return scope immutable(char)[]) inout" },
		{ "_D3std9algorithm9searching__T7canFindVAyaa6_6120213d2030Z__TQBfTAkZQBmFNaNbN"
		  "iNfQpZb",
		  "std.algorithm.searching.canFind!(\"a != 0\").canFind!(uint[]).canFind(uint[])" },
		{ "_D3std6digest__T15toHexStringImplVEQBhQBg5Orderi1VEQBx5ascii10LetterCasei0TG"
		  "16hTG32aZ"
		  "QCrFNaNbNiNfKxG16hKQyZv",
		  "std.digest.toHexStringImpl!(1, 0, ubyte[16], char[32]).toHexStringImpl(ref "
		  "const(ubyte[16]), ref char[32])" },
		{ "_D3std6base64__T10Base64ImplVai45Vai95Vai0Z12encodeLengthFNaNbNiNfImZm",
		  "std.base64.Base64Impl!('-', '_', '\\x00').encodeLength(in ulong)" },
		{ "_D3std6socket12InternetHost__T4hostVAyaa3_0a7801Vmi21Vii1043Vki7Vbi0VlN5TkZQ"
		  "bMFkZb",
		  NULL },
		{ "_D1a__T1fVAyaa3_0a7801Vmi21Viin", NULL },
		{ "_D1a__T1fVAyaa3_0a7801Vmi21ViN43Vki7Vbi0Vli5VPvnZ1gFZv",
		  "a.f!(\"\\nx\\x01\", 21uL, -43, 7u, false, 5L, null).g()" },
		{ "_D1a__T1fVde0A8P3VfeN1PN2VS1a1SS2i1a1_78VAiA2i1i2Z1gFZv",
		  "a.f!(0x0.A8p3, -0x1.p-2, a.S(1, \"x\"), [1, 2]).g()" },
		{ "_D2rt7tracegc__T15generateWrapperX10gc_reallocVEQBuQBu8ParamPosi1ZQByFNaNbNf"
		  "ZAya",
		  "rt.tracegc.generateWrapper!(gc_realloc, 1).generateWrapper()" },
		{ "_D3std11parallelism__T27__lazilyInitializedConstantTykVki4294967295S_DQCqQCp"
		  "13total"
		  "CPUsImplFNbNiNeZkZQDbFNaNbNdNiNfZyk",
		  "std.parallelism.__lazilyInitializedConstant!(immutable(uint), 4294967295u, "
		  "std.parallelism.totalCPUsImpl()).__lazilyInitializedConstant()" },
		{ "_D1a1fFHAyaiPFiZvB2ibNhG4fJiLiZv",
		  "a.f(int[immutable(char)[]], void function(int), Tuple!(int, bool), "
		  "__vector(float[4]), out int, lazy int)" },
		{ "_D1a1fFiYv", "a.f(int, ...)" },
		{ "_D1a1fFAiXv", "a.f(int[]...)" },
		/* The types of the parameters that it refers to have names. */
		{ "_D1a1fMFDFE1b1cZiZ3runMQo", "a.f(int delegate(b.c)).run(b.c)" },
	};

	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_d_values, "symbols: arguments of D's templates that are values")
{
	static const struct name names[] = {
		{ "_D1a__T1fVAiA3i1i2i3Z1fFZv", "a.f!([1, 2, 3]).f()" },
		{ "_D1a__T1fVHiAyaA1i1a2_6869Z1fFZv", "a.f!([1:\"hi\"]).f()" },
		{ "_D1a__T1fVyHiiA2i1i2i3i4Z1fFZv", "a.f!([1:2, 3:4]).f()" },
		{ "_D1a__T1fVS1b1SS2i1i2Z1fFZv", "a.f!(b.S(1, 2)).f()" },
		{ "_D1a__T1fVdeNANZ1fFZv", "a.f!(NaN).f()" },
		{ "_D1a__T1fVdeINFZ1fFZv", "a.f!(Inf).f()" },
		{ "_D1a__T1fVdeNINFZ1fFZv", "a.f!(-Inf).f()" },
		{ "_D1a__T1fVai97Z1fFZv", "a.f!('a').f()" },
		{ "_D1a__T1fVui97Z1fFZv", "a.f!('\\u0061').f()" },
		{ "_D1a__T1fVwi9786Z1fFZv", "a.f!('\\U0000263a').f()" },
		{ "_D1a__T1fVHiiA2i1Z1fFZv", NULL },
	};

	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_d_damaged, "symbols: what looks like a name of D and is none stays as it is")
{
	static const struct name names[] = {
		{ "_DYNAMIC", NULL }, { "_D", NULL }, { "_D3", NULL }, { "_D3std", NULL },
		{ "_D9std", NULL }, { "_D3std1fF", NULL }, { "_D3std1fFi", NULL },
		{ "_D3std1fFQaZv", NULL },                 /* refers to itself */
		{ "_D3std1fFQzZv", NULL },                 /* in front of the name */
		{ "_D99999999999999999999a", NULL }, { "_D1aQ", NULL }, { "_D1aQA", NULL },
		{ "_D1a__T1fVAyaa2_0gZ1gFZv", NULL }, { "_D1a__T9fZ1gFZv", NULL },
		{ "_D1a1fMZv", NULL }, { "_D1a1fFZvx", NULL }, { "_DThn_1a1fFZv", NULL },
	};
	char *deep = xmalloc(4096), *buf = xmalloc(1 << 20), small[8];
	size_t len = snprintf(deep, 4096, "_D1a1fF");

	expect(names, ARRAY_SIZE(names));
	memset(deep + len, 'A', 2000);
	memcpy(deep + len + 2000, "iZv", 4);
	TEST_EQ(d_name__demangle(deep, buf, 1 << 20), -1);
	/* Each of these types is gone through twice, and what is in it: no reference is needed. */
	len = snprintf(deep, 4096, "_D1a1fF");
	for (int i = 0; i < 11; i++)
		len += snprintf(deep + len, 4096 - len, "H");
	for (int i = 0; i < 12; i++)
		len += snprintf(deep + len, 4096 - len, "i");
	snprintf(deep + len, 4096 - len, "Zv");
	TEST_EQ(d_name__demangle(deep, buf, 1 << 20), -1);
	/* Pairs of pairs: each tuple has the one before twice. */
	len = snprintf(deep, 4096, "_D1a1fFB2ii");
	for (int i = 0; i < 40; i++)
		len += snprintf(deep + len, 4096 - len, "B2Q%cQ%c", i ? 'g' : 'e', i ? 'i' : 'g');
	snprintf(deep + len, 4096 - len, "Zv");
	TEST_EQ(d_name__demangle(deep, buf, 1 << 20), -1);
	TEST_EQ(d_name__demangle("_D3std6mmfile6MmFile6mappedMFmZi", small, sizeof(small)), -1);
	TEST_EQ(d_name__demangle("_D1a1fFZv", small, sizeof(small)), 5);
	TEST_EQ(d_name__demangle("_D1a1fFZv", small, 0), -1);
	TEST_EQ(d_name__demangle("_Dmain", small, 6), -1);
	free(buf);
	free(deep);
}
