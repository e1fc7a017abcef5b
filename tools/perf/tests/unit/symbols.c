// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../../util/binary/own-file.h"
#include "../../util/symbol/kallsyms.h"
#include "../../util/symbol/perf-map.h"
#include "../../util/symbol/symtab.h"
#include "../lib/machine-fixture.h"

static void add(struct symtab *t, u64 start, u64 size, const char *name, u8 rank)
{
	symtab__add(t, &(struct raw_symbol){ .start = start, .end = start + size, .name = name,
					     .rank = rank, .is_code = true });
}

static const char *name_in(struct symtab *t, u64 addr)
{
	const struct symbol *sym = symtab__find(t, addr);

	return sym ? sym->name : "none";
}

TEST(symbols_table, "symbols: gaps, nested symbols, symbols without a size")
{
	struct symtab t = {};

	add(&t, 0x300, 0, "open_ended", SYMBOL_GLOBAL);
	add(&t, 0x100, 0x100, "outer", SYMBOL_GLOBAL);
	add(&t, 0x120, 0x10, "inner", SYMBOL_GLOBAL);
	add(&t, 0x124, 0x4, "innermost", SYMBOL_GLOBAL);
	add(&t, 0x400, 0, "last", SYMBOL_GLOBAL);
	add(&t, (u64)-16, 16, "wraps", SYMBOL_GLOBAL);
	symtab__add(&t, &(struct raw_symbol){ .start = 0x380, .end = 0x380, .name = "data" });
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0xff), "none");
	TEST_STR(name_in(&t, 0x100), "outer");
	TEST_STR(name_in(&t, 0x120), "inner");
	TEST_STR(name_in(&t, 0x127), "innermost");
	TEST_STR(name_in(&t, 0x128), "inner");
	TEST_STR(name_in(&t, 0x130), "outer");
	TEST_STR(name_in(&t, 0x1ff), "outer");
	TEST_STR(name_in(&t, 0x200), "none");
	TEST_STR(name_in(&t, 0x37f), "open_ended");
	TEST_STR(name_in(&t, 0x380), "none");
	TEST_STR(name_in(&t, 0x400), "last");
	TEST_STR(name_in(&t, (u64)-8), "none");
	symtab__free(&t);
}

TEST(symbols_aliases, "symbols: which of several names for one address is shown")
{
	static const struct {
		const char *a, *b;
		u8 a_rank, b_rank;
		u64 a_size, b_size;
	} cases[] = {
		{ .a = "good", .b = "weak", .a_rank = SYMBOL_GLOBAL, .b_rank = SYMBOL_WEAK,
		  .a_size = 4, .b_size = 4 },
		{ .a = "good", .b = "local_longer", .a_rank = SYMBOL_GLOBAL, .b_rank = SYMBOL_LOCAL,
		  .a_size = 4, .b_size = 4 },
		{ .a = "good", .b = "weak", .a_rank = SYMBOL_LOCAL, .b_rank = SYMBOL_WEAK,
		  .a_size = 4, .b_size = 4 },
		{ .a = "good", .b = "__good", .a_rank = SYMBOL_GLOBAL, .b_rank = SYMBOL_GLOBAL,
		  .a_size = 4, .b_size = 4 },
		{ .a = "good_longer", .b = "good", .a_rank = SYMBOL_GLOBAL, .b_rank = SYMBOL_GLOBAL,
		  .a_size = 4, .b_size = 4 },
		/* Judged as they are read: signed and unsigned char, i.e. the longer one. */
		{ .a = "_Z1fh", .b = "_Z1fa", .a_rank = SYMBOL_GLOBAL, .b_rank = SYMBOL_GLOBAL,
		  .a_size = 4, .b_size = 4 },
		{ .a = "_Z3foov", .b = "good", .a_rank = SYMBOL_GLOBAL, .b_rank = SYMBOL_GLOBAL,
		  .a_size = 4, .b_size = 4 },
	};
	struct arena *arena = arena__new();

	for (size_t i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		struct symtab t = { .demangle_into = arena };

		if (i % 2)
			add(&t, 0x100, cases[i / 2].b_size, cases[i / 2].b, cases[i / 2].b_rank);
		add(&t, 0x100, cases[i / 2].a_size, cases[i / 2].a, cases[i / 2].a_rank);
		if (!(i % 2))
			add(&t, 0x100, cases[i / 2].b_size, cases[i / 2].b, cases[i / 2].b_rank);
		symtab__seal(&t);
		TEST_STR(name_in(&t, 0x100), symbol_name__demangle(arena, cases[i / 2].a, NULL));
		symtab__free(&t);
	}
	arena__free(arena);
}

TEST(symbols_control_characters, "symbols: names forge no lines, and say nothing to terminals")
{
	static const char *const names[][2] = {
		{ "two\nlines", "two?lines" }, { "a\ttab", "a?tab" }, { "e\033[31m", "e?[31m" },
		{ "c\xc2\x9b" "31m", "c??31m" }, { "g\xc3\xb6", "g\xc3\xb6" },
		{ "\xff\xfe", "\xff\xfe" }, { "_Z3a\nbv", "a?b()" },
	};
	struct arena *arena = arena__new();
	struct symtab t = { .demangle_into = arena };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		add(&t, 0x100 * (i + 1), 0x10, names[i][0], SYMBOL_GLOBAL);
	symtab__seal(&t);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		TEST_STR(name_in(&t, 0x100 * (i + 1)), names[i][1]);
	symtab__free(&t);
	arena__free(arena);
}

TEST(symbols_sizeless_aliases, "symbols: of names without a size the last one is shown")
{
	struct symtab t = {};

	add(&t, 0x100, 0, "memcpy", SYMBOL_GLOBAL);
	add(&t, 0x100, 0, "__pi_memcpy", SYMBOL_GLOBAL);
	add(&t, 0x200, 0, "label", SYMBOL_GLOBAL);
	add(&t, 0x200, 0x10, "__function", SYMBOL_LOCAL);
	add(&t, 0x300, 0x10, "function", SYMBOL_GLOBAL);
	add(&t, 0x300, 0, "a_longer_label_behind_it", SYMBOL_GLOBAL);
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0x308), "function");
	TEST_STR(name_in(&t, 0x110), "__pi_memcpy");
	TEST_STR(name_in(&t, 0x20f), "__function");
	TEST_STR(name_in(&t, 0x210), "none");
	symtab__free(&t);
}

TEST(symbols_demangle, "symbols: names of C++, Rust and others as people read them")
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "_Z", "_Z" },
		{ "_ZN2ns3fooEi", "ns::foo(int)" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back(int const&)" },
		{ "_Z3foov.cold", "foo() [clone .cold]" },
		{ "_ZN4core3fmt5write17h1234567890abcdefE", "core::fmt::write" },
		{ "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
		  "<&T as core::fmt::Debug>::fmt" },
		{ "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17hfedcba9876543210E",
		  "std::rt::lang_start::{{closure}}" },
		{ "_ZN4core3fmt5write17h1234567890abcdefE.llvm.123456", "core::fmt::write" },
		{ "_ZN4core3fmt5write17h1234567890abcdefE.cold", "core::fmt::write.cold" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
		{ "_RNCNvCs7cHAXpWPjCf_4demo4main0B3_", "demo::main::{closure#0}" },
		{ "_RNvXs_C3fooINtB4_3BarlENtB4_5Trait6method",
		  "<foo::Bar<i32> as foo::Trait>::method" },
		{ "_RINvC3foo3barKj7b_E.llvm.A5310EB9", "foo::bar::<123>" },
		{ "_RINvC3foo3barDG_INtNtNtC4core3ops8function6FnOnceTRL0_hEEp6OutputuEL_E",
		  "foo::bar::<dyn for<'a> core::ops::function::FnOnce<(&'a u8,), Output = ()>>" },
		{ "_RNvC3foo3bar_junk", "_RNvC3foo3bar_junk" },
		{ "_RINvC3foo3barBa_E", "_RINvC3foo3barBa_E" }, /* refers to itself */
		{ "camlStdlib__List__map_12", "Stdlib.List.map_12" },
		{ "_o2", "_o2" }, /* no "o" for OCaml */
		{ "_output_line", "_output_line" },
		{ "caml_alloc", "caml_alloc" },
		{ "_D3std6mmfile6MmFile6mappedMFmZi", "std.mmfile.MmFile.mapped(ulong)" },
		{ "_DYNAMIC", "_DYNAMIC" },
	};
	struct arena *arena = arena__new();
	char *endless = xmalloc(1 << 20);

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		TEST_STR(symbol_name__demangle(arena, cases[i][0], NULL), cases[i][1]);
	memset(endless, 'P', 1 << 20);
	memcpy(endless, "_Z1f", 4);
	endless[(1 << 20) - 1] = '\0';
	TEST_TRUE(symbol_name__demangle(arena, endless, NULL) == endless);
	free(endless);
	arena__free(arena);
}

/* f(A<int, int>, A<A<int, int>, A<int, int>>, ...), each parameter twice as long as the last. */
static char *doubling_name(int nr)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *name = xstrdup("_Z1f1AIiiE"), *longer;

	for (int i = 0; i < nr; i++) {
		longer = xasprintf("%sS_IS%c_S%c_E", name, digits[i], digits[i]);
		free(name);
		name = longer;
	}
	return name;
}

TEST_LIMIT(symbols_demangle_bomb, "symbols: names that would grow without end stay as they are", 20)
{
	struct demangler d = { .work.left = NAMES_WORK };
	struct arena *arena = arena__new();
	char *name = doubling_name(8);

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	TEST_TRUE(mangled_name__is_heavy(name));
	TEST_TRUE(strlen(symbol_name__demangle(arena, name, &d)) > 5000);
	free(name);
	name = doubling_name(36);
	TEST_TRUE(symbol_name__demangle(arena, name, &d) == name);
	free(name);
	TEST_TRUE(arena__bytes(arena) < 1 << 20);
	demangler__end(&d);
	arena__free(arena);
}

/* What it costs does not grow with the table: n, 2n and 4n names that take what they can. */
TEST_LIMIT(symbols_demangle_budget, "symbols: names that take a process are bounded, each and all",
	   120)
{
	struct demangler d = { .work.left = 2 * HEAVY_NAME_WORK };
	struct arena *arena = arena__new();
	char *endless = doubling_name(36), *heavy_but_good = doubling_name(8);

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	TEST_TRUE(strlen(symbol_name__demangle(arena, heavy_but_good, &d)) > 5000);
	TEST_TRUE(d.work.left > HEAVY_NAME_WORK && d.work.left < 2 * HEAVY_NAME_WORK);
	d.work.left = 2 * HEAVY_NAME_WORK;
	for (int i = 0; i < 400; i++)
		TEST_TRUE(symbol_name__demangle(arena, endless, &d) == endless);
	TEST_TRUE(d.work.left < HEAVY_NAME_WORK && d.nr_left > 0);
	TEST_TRUE(symbol_name__demangle(arena, heavy_but_good, &d) == heavy_but_good);
	TEST_STR(symbol_name__demangle(arena, "_Z1fi", &d), "f(int)");
	demangler__end(&d);
	free(endless);
	free(heavy_but_good);
	arena__free(arena);
}

TEST(symbols_demangle_process, "symbols: all heavy names share a process, until it dies")
{
	struct demangler d = { .work.left = NAMES_WORK };
	struct arena *arena = arena__new();
	char *name = doubling_name(8);
	pid_t child = 0;

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	for (int i = 0; i < 300; i++) {
		TEST_TRUE(symbol_name__demangle(arena, name, &d) != name);
		if (!child)
			child = fixture__only_child();
		TEST_EQ(child, fixture__only_child());
	}
	/* One that it does not survive stays as it is; the next one has another process. */
	TEST_EQ(kill(child, SIGKILL), 0);
	TEST_TRUE(symbol_name__demangle(arena, name, &d) == name);
	TEST_EQ(d.nr_left, 1);
	TEST_TRUE(symbol_name__demangle(arena, name, &d) != name);
	demangler__end(&d);
	/* The one that was killed may have been left before it was gone. */
	while (waitpid(-1, NULL, 0) == child)
		;
	TEST_EQ(waitpid(-1, NULL, 0), -1);
	free(name);
	arena__free(arena);
}

/* _Z1f, and a template's instance of which each contains the one before it twice. */
static char *nested_name(u32 levels)
{
	char *name = xstrdup("_Z1f"), *old;

	for (u32 i = 0; i < levels; i++, free(old))
		name = xasprintf("%s1BI", old = name);
	old = name;
	name = xasprintf("%s99a%098d", old, 0);
	free(old);
	for (u32 i = 0; i < levels; i++, free(old))
		name = xasprintf("%sS%c_E", old = name, "0123456789ABCDEFGHIJKLMN"[levels + i - 1]);
	return name;
}

/* Counted by what they print: 100 kB here, of which nobody sees any. */
TEST(symbols_demangle_work, "symbols: names that print much for nothing are bounded together")
{
	struct demangler d = { .work.left = 300000 };
	struct arena *arena = arena__new();
	char *name = nested_name(10);
	u64 left;

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	TEST_TRUE(!mangled_name__is_heavy(name));
	for (int n = 1; n <= 4; n *= 2) {
		d.work.left = 20 << 20;
		for (int i = 0; i < n; i++)
			TEST_TRUE(symbol_name__demangle(arena, name, &d) == name);
		left = (20 << 20) - d.work.left;
		TEST_TRUE(left > n * 100000ULL && left < n * 200000ULL);
	}
	d.work.left = 1000;
	TEST_TRUE(symbol_name__demangle(arena, name, &d) == name);
	TEST_EQ(d.work.left, 1000);
	TEST_STR(symbol_name__demangle(arena, "_Z1fi", &d), "f(int)");

#ifdef HAVE_LIBIBERTY_SUPPORT
	d.work.left = NAME_MS_BYTES / 4;
	TEST_STR(symbol_name__demangle(arena, "_RINvC1a1bTB2_B2_B2_B2_B2_B2_B2_B2_B2_EE", &d),
		 "a::b::<(a, a, a, a, a, a, a, a, a)>");
	TEST_EQ(d.work.left, NAME_MS_BYTES / 4 - strlen("a::b::<(a, a, a, a, a, a, a, a, a)>"));
#endif
	free(name);
	arena__free(arena);
}

TEST(symbols_long_names, "symbols: names of megabytes are cut, demangled or not")
{
	struct arena *arena = arena__new();
	char *name = xmalloc(SYMBOL_NAME_MAX + 2);
	const char *found;

	for (u32 len = SYMBOL_NAME_MAX; len <= SYMBOL_NAME_MAX + 1; len++)
		for (int keep = 0; keep < 2; keep++) {
			struct symtab t = { .demangle_into = arena, .keep_mangled = keep };

			memset(name, 'x', len);
			name[len] = '\0';
			add(&t, 0x100, 4, name, SYMBOL_GLOBAL);
			symtab__seal(&t);
			found = name_in(&t, 0x100);
			TEST_EQ(strlen(found), SYMBOL_NAME_MAX + (len > SYMBOL_NAME_MAX ? 3 : 0));
			TEST_EQ(!strcmp(found + strlen(found) - 3, "..."), len > SYMBOL_NAME_MAX);
			TEST_TRUE(name_in(&t, 0x100) == found);
			symtab__free(&t);
		}
	free(name);
	arena__free(arena);
}

TEST(symbols_perf_map, "symbols: perf-PID.map, with 0x, repeated, overlapping and broken lines")
{
	struct arena *arena = arena__new();
	struct symtab t = {};

	fixture__write("map", "1000 10 plain\n0x2000 0x10 with 0x and blanks\n3000 20 old\n"
			  "3000 20 new\n4000 100 reused\n4040 20 later\n5000\nxyz 10 junk\n"
			  "6000 0 empty\nfffffffffffffff0 ff wraps\n11112222333344445 10 too_long\n"
			  "7040 40 first\n7000 60 second\r\n8000 10 no_newline");
	TEST_EQ(perf_map__load(&t, arena, own_file__open("map")), 0);
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0x100f), "plain");
	TEST_STR(name_in(&t, 0x1010), "none");
	TEST_STR(name_in(&t, 0x2000), "with 0x and blanks");
	TEST_STR(name_in(&t, 0x3010), "new");
	TEST_STR(name_in(&t, 0x4000), "reused");
	TEST_STR(name_in(&t, 0x4050), "later");
	TEST_STR(name_in(&t, 0x6000), "none");
	TEST_STR(name_in(&t, 0x7050), "second");
	TEST_STR(name_in(&t, 0x7070), "first");
	TEST_STR(name_in(&t, 0x8000), "no_newline");
	symtab__free(&t);

	TEST_EQ(symlink("map", "link"), 0);
	TEST_TRUE(own_file__open("link") < 0);
	if (!geteuid()) {
		TEST_EQ(chown("map", 4321, 4321), 0);
		TEST_EQ(own_file__open("map"), -EPERM);
	}
	arena__free(arena);
}

TEST(symbols_perf_map_layers, "symbols: perf-PID.map: of lines that overlap, the latest holds")
{
	struct arena *arena = arena__new();
	struct symtab t = {};

	fixture__write("map", "1008 22 a\n1009 10 c\n1000 10 b\n"
			  "2010 10 old\n2008 40 older\n2000 80 under\n2000 20 top\n"
			  "2018 4 newest\n");
	TEST_EQ(perf_map__load(&t, arena, own_file__open("map")), 0);
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0x1008), "b");
	TEST_STR(name_in(&t, 0x100f), "b");
	TEST_STR(name_in(&t, 0x1010), "c");
	TEST_STR(name_in(&t, 0x1019), "none");
	TEST_STR(name_in(&t, 0x2017), "top");
	TEST_STR(name_in(&t, 0x201b), "newest");
	TEST_STR(name_in(&t, 0x201c), "none");
	for (size_t i = 1; i < t.nr; i++)
		TEST_TRUE(t.v[i - 1].end <= t.v[i].start);
	symtab__free(&t);
	arena__free(arena);
}

static const char kallsyms_text[] =
	"ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
	"ffffffff81000100 t helper\nffffffff81000200 W weak_it\nffffffff81000200 T do_it\n"
	"ffffffff81000300 D data\n0000000000000000 A cpu_counter\n"
	"ffffffffc0000000 t ext4_one\t[ext4]\nffffffffc0000080 t ext4_two\t[ext4]\nbroken\n\n";

TEST(symbols_kallsyms, "symbols: kallsyms of the kernel and of modules")
{
	struct arena *arena = arena__new();
	struct kallsyms k;

	fixture__write("kallsyms", kallsyms_text);
	TEST_EQ(kallsyms__load(&k, "kallsyms", arena), 0);
	TEST_STR(name_in(&k.kernel, 0xffffffff81000180), "helper");
	TEST_STR(name_in(&k.kernel, 0xffffffff810002ff), "do_it");
	TEST_STR(name_in(&k.kernel, 0xffffffff81000300), "none");
	TEST_EQ(k.text_addr, 0xffffffff81000000);
	TEST_STR(name_in(kallsyms__module(&k, "[ext4]"), 0xffffffffc0000090), "ext4_two");
	TEST_TRUE(!kallsyms__module(&k, "[xfs]"));
	kallsyms__free(&k);

	fixture__write("hidden", "0000000000000000 T _stext\n"
				 "0000000000000000 t ext4_one\t[ext4]\n");
	TEST_EQ(kallsyms__load(&k, "hidden", arena), -EACCES);
	TEST_EQ(kallsyms__load(&k, "none", arena), -ENOENT);
	arena__free(arena);
}
