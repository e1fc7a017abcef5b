// SPDX-License-Identifier: GPL-2.0-only
/* Names of Rust, which a library demangles: what perf expects of it, and adds. */
#include "../../util/base/mem.h"
#include "../../util/symbol/demangle.h"
#include "../test.h"

struct name {
	const char *mangled, *plain; /* plain: NULL when it is not one */
};

static void expect(const struct name *names, size_t nr)
{
	struct demangler d = { .work.left = NAMES_WORK };
	struct arena *arena = arena__new();

	for (size_t i = 0; i < nr; i++)
		TEST_STR(symbol_name__demangle(arena, names[i].mangled, &d),
			 names[i].plain ?: names[i].mangled);
	demangler__end(&d);
	arena__free(arena);
}

#ifndef HAVE_LIBIBERTY_SUPPORT
#define NEED_LIBRARY TEST_SKIP("built without libiberty")
#else
#define NEED_LIBRARY
#endif

TEST(demangle_rust, "symbols: names of Rust become paths without hashes; suffixes stay")
{
	static const struct name names[] = {
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "_RNCNvC7mycrate3foos_0", "mycrate::foo::{closure#1}" },
		{ "_RNvXC1aNtC1a1SNtC1a1T1f", "<a::S as a::T>::f" },
		{ "_RNvC1au8gdel_5qa", "a::gödel" },
		{ "_RINvC1a1fmEC1b", "a::f::<u32>" }, /* the crate that made it */
		{ "_RINvC1a1fAhj10_SlTEThETmxEE",
		  "a::f::<[u8; 16], [i32], (), (u8,), (u32, i64)>" },
		{ "_RINvC1a1fFG_RL0_hEuE", "a::f::<for<'a> fn(&'a u8)>" },
		{ "_RINvC1a1fDNtC1a1Ip4ItemmNtC1a1SEL_E", "a::f::<dyn a::I<Item = u32> + a::S>" },
		{ "_RINvC1a1fTmNtC1a1SEB7_E", "a::f::<(u32, a::S), (u32, a::S)>" },
		{ "_RINvC1a1fKln5_KpE", "a::f::<-5, _>" },
		{ "_RNvC1a1f.llvm.123", "a::f" },
		{ "_RNvC1a1f.cold", "a::f.cold" },
	};

	NEED_LIBRARY;
	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_rust_legacy, "symbols: escapes and hashes of Rust's older names")
{
	static const struct name names[] = {
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE.llvm.123", "core::fmt::write" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE.cold", "core::fmt::write.cold" },
		{ "_ZN29_$LT$a..S$u20$as$u20$a..T$GT$1f17h0123456789abcdefE",
		  "<a::S as a::T>::f" },
		{ "_ZN1a28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "a::{{closure}}" },
	};

	NEED_LIBRARY;
	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_rust_damaged, "symbols: what looks like a name of Rust and is none stays as it is")
{
	static const struct name names[] = {
		{ "_R", NULL }, { "_Rv", NULL }, { "_RZ", NULL }, { "_RNvC1a", NULL },
		{ "_RNvC1a9f", NULL }, { "_RNvC1a1fX", NULL }, { "_RINvB2_1fE", NULL },
		{ "_RINvC1a1fKz3_E", NULL }, { "_RNvC99999999999999999999991f", NULL },
	};

	expect(names, ARRAY_SIZE(names));
}

/* "B" and a position, which "_R" is in front of, in base 62. */
static size_t refer(char *to, size_t position)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	TEST_TRUE(position > 0 && position - 1 < 62 * 62);
	return snprintf(to, 5, "B%c%c_", digits[(position - 1) / 62], digits[(position - 1) % 62]);
}

/* Pairs of pairs, each made of the one before it, twice. */
static char *doubling_name(int levels)
{
	char *name = xzalloc(1024);
	size_t len = snprintf(name, 1024, "_RINvC1a1fTuuE"), last = len - 4;

	for (int i = 0; i < levels; i++) {
		size_t at = len;

		name[len++] = 'T';
		len += refer(name + len, last - 2); /* the position of its T, behind "_R" */
		len += refer(name + len, last - 2);
		name[len++] = 'E';
		last = at;
	}
	name[len] = 'E';
	return name;
}

TEST_LIMIT(demangle_rust_bomb,
	   "symbols: names of Rust that double at each reference are given up", 20)
{
	struct demangler d = { .work.left = NAMES_WORK };
	struct arena *arena = arena__new();
	char *sound = doubling_name(9), *endless = doubling_name(40);

	NEED_LIBRARY;
	TEST_TRUE(mangled_name__is_heavy(sound));
	TEST_TRUE(strlen(symbol_name__demangle(arena, sound, &d)) > 1000);
	TEST_TRUE(symbol_name__demangle(arena, endless, &d) == endless);
	TEST_TRUE(symbol_name__demangle(arena, endless, NULL) == endless);
	demangler__end(&d);
	free(sound);
	free(endless);
	arena__free(arena);
}
