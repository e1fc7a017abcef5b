// SPDX-License-Identifier: GPL-2.0-only
/* Names of Rust. What is expected was compared with binutils' c++filt, but for what it adds. */
#include "../../util/base/mem.h"
#include "../../util/symbol/demangle.h"
#include "../test.h"

struct name {
	const char *mangled, *plain; /* plain: NULL when it is not one */
};

static void expect(const struct name *names, size_t nr)
{
	char buf[256];

	for (size_t i = 0; i < nr; i++) {
		int len = rust_v0__demangle(names[i].mangled, buf, sizeof(buf));

		if (!names[i].plain != (len < 0) || (len >= 0 && strcmp(buf, names[i].plain)))
			TEST_FAIL("%s became %s", names[i].mangled, len < 0 ? "nothing" : buf);
		if (len >= 0)
			TEST_EQ(len, strlen(buf));
	}
}

TEST(demangle_rust_paths, "symbols: Rust's paths, closures and impls")
{
	static const struct name names[] = {
		{ "_RNvC7mycrate3foo", "mycrate::foo" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "_RNCNvC7mycrate3foo0", "mycrate::foo::{closure#0}" },
		{ "_RNCNvC7mycrate3foos_0", "mycrate::foo::{closure#1}" },
		{ "_RNCNvC7mycrate3foos9_0", "mycrate::foo::{closure#11}" },
		{ "_RNCNvC7mycrate3foosA_0", "mycrate::foo::{closure#38}" },
		{ "_RNSNvC1a1b6vtable", "a::b::{shim:vtable#0}" },
		{ "_RNXNvC1a1b1c", "a::b::{X:c#0}" },
		{ "_RNvMC1aNtC1a1S1f", "<a::S>::f" },
		{ "_RNvMs_C1aNtC1a1S1f", "<a::S>::f" },
		{ "_RNvXC1aNtC1a1SNtC1a1T1f", "<a::S as a::T>::f" },
		{ "_RNvYNtC1a1SNtC1a1T1f", "<a::S as a::T>::f" },
		{ "_RNvC1a2_bc", "a::bc" }, /* the "_" stands in front of a name that has one */
		{ "_RNvC1au8gdel_5qa", "a::gödel" },
		{ "_RNvC1au3tda", "a::ü" },
		{ "_RNvC1au19_____jwnaagf6fva6a0o", "a::გამარჯობა___" },
		{ "_RNvC1au10wgv71a119e", "a::日本語" },
		{ "_RNvC1au3_7ba", "a::Ä" },
		{ "_RNvC1au5gdel_", "a::punycode{gdel_}" },
		{ "_RNvC1au3_999", "a::punycode{999}" },
		{ "_RNvC1au3a_A", "a::punycode{a_A}" },
		{ "_RINvC1a1fmEC1b", "a::f::<u32>" }, /* the crate that made it */
		{ "_RNvC1a1f.llvm.123", "a::f" },
		{ "_RNvC1a1f.cold", "a::f.cold" },
	};

	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_rust_types, "symbols: Rust's types, lifetimes and back references")
{
	static const struct name names[] = {
		{ "_RINvC1a1fabcdefhijlmnopstuvxyzE",
		  "a::f::<i8, bool, char, f64, str, f32, u8, isize, usize, i32, u32, i128, u128, "
		  "_, i16, u16, (), ..., i64, u64, !>" },
		{ "_RINvC1a1fRmQhPaOsE", "a::f::<&u32, &mut u8, *const i8, *mut i16>" },
		{ "_RINvC1a1fAhj10_SlTEThETmxEE",
		  "a::f::<[u8; 16], [i32], (), (u8,), (u32, i64)>" },
		{ "_RINvC1a1fL_E", "a::f::<'_>" },
		{ "_RINvC1a1fFUKCmjEbE", "a::f::<unsafe extern \"C\" fn(u32, usize) -> bool>" },
		{ "_RINvC1a1fFK10rust_abi_xEuE", "a::f::<extern \"rust-abi-x\" fn()>" },
		{ "_RINvC1a1fFG_RL0_hEuE", "a::f::<for<'a> fn(&'a u8)>" },
		{ "_RINvC1a1fFG0_RL0_hRL1_tEuE", "a::f::<for<'a, 'b> fn(&'b u8, &'a u16)>" },
		{ "_RINvC1a1fDNtC1a1TEL_E", "a::f::<dyn a::T>" },
		{ "_RINvC1a1fDG_INtC1a1TRL0_hEEL_E", "a::f::<dyn for<'a> a::T<&'a u8>>" },
		{ "_RINvC1a1fDNtC1a1Ip4ItemmNtC1a1SEL_E", "a::f::<dyn a::I<Item = u32> + a::S>" },
		{ "_RINvC1a1fDINtC1a1IhEp1ObEL_E", "a::f::<dyn a::I<u8, O = bool>>" },
		{ "_RINvC1a1fFG_DNtC1a1TEL0_EuE", "a::f::<for<'a> fn(dyn a::T + 'a)>" },
		{ "_RINvC1a1fTmNtC1a1SEB7_E", "a::f::<(u32, a::S), (u32, a::S)>" },
		{ "_RINvC1a1fFGp_RL0_hRLp_hEuE",
		  "a::f::<for<'a, 'b, 'c, 'd, 'e, 'f, 'g, 'h, 'i, 'j, 'k, 'l, 'm, 'n, 'o, 'p, 'q, "
		  "'r, 's, 't, 'u, 'v, 'w, 'x, 'y, 'z, '_26> fn(&'_26 u8, &'b u8)>" },
	};

	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_rust_constants, "symbols: Rust's constants among the parameters")
{
	static const struct name names[] = {
		{ "_RINvC1a1fKj3_E", "a::f::<3>" },
		{ "_RINvC1a1fKln5_KpE", "a::f::<-5, _>" },
		{ "_RINvC1a1fKb1_Kb0_E", "a::f::<true, false>" },
		{ "_RINvC1a1fKc61_Kc27_Kc5c_E", "a::f::<'a', '\\'', '\\\\'>" },
		{ "_RINvC1a1fKc1f600_E", "a::f::<'\\u{1f600}'>" },
		{ "_RINvC1a1fKyffffffffffffffff_E", "a::f::<18446744073709551615>" },
		{ "_RINvC1a1fKo123456789abcdef01_E", "a::f::<0x123456789abcdef01>" },
		{ "_RINvC1a1fKj3_KB8_E", "a::f::<3, 3>" },
	};

	expect(names, ARRAY_SIZE(names));
}

TEST(demangle_rust_damaged, "symbols: what looks like a name of Rust and is none stays as it is")
{
	static const struct name names[] = {
		{ "_ZN1a1fE", NULL }, { "_R", NULL }, { "_Rv", NULL }, { "_RZ", NULL },
		{ "_RNvC1a", NULL }, { "_RNvC1a9f", NULL }, { "_RNvC1a1fX", NULL },
		{ "_RNvC1a01f", NULL }, { "_RNvC1as-_1f", NULL },
		{ "_RINvC1a1fL1_E", NULL },                 /* no binder around */
		{ "_RINvC1a1fDNtC1a1TEE", NULL },           /* a dyn type has a lifetime */
		{ "_RINvC1a1fKz3_E", NULL }, { "_RINvC1a1fKj3E", NULL },
		{ "_RINvB2_1fE", NULL },                    /* goes to itself */
		{ "_RINvC1a1fNtC1a1SBa_E", NULL },          /* goes forward */
		{ "_RNvC99999999999999999999991f", NULL },
		{ "_RNvCsZZZZZZZZZZZZZZ_1a1f", NULL },
		{ "_RINvC1a1fFG9z_EuE", NULL },             /* more lifetimes than depth */
	};
	char deep[512] = "_RINvC1a1f", buf[1024], small[8];

	expect(names, ARRAY_SIZE(names));
	memset(deep + 10, 'S', 100);
	memcpy(deep + 110, "hE", 3);
	TEST_TRUE(rust_v0__demangle(deep, buf, sizeof(buf)) > 0);
	memset(deep + 10, 'S', 200);
	memcpy(deep + 210, "hE", 3);
	TEST_EQ(rust_v0__demangle(deep, buf, sizeof(buf)), -1);
	TEST_EQ(rust_v0__demangle("_RNvC7mycrate3foo", small, sizeof(small)), -1);
	TEST_EQ(rust_v0__demangle("_RNvC1a3foo", small, sizeof(small)), 6);
	TEST_EQ(rust_v0__demangle("_RNvC1a3foo", small, 0), -1);
}

/* "B" and a position, which "_R" is in front of, in base 62. */
static size_t refer(char *to, size_t position)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	TEST_TRUE(position > 0 && position - 1 < 62 * 62);
	return snprintf(to, 5, "B%c%c_", digits[(position - 1) / 62], digits[(position - 1) % 62]);
}

TEST(demangle_rust_bomb, "symbols: names of Rust that double at each back reference are given up")
{
	char name[1024] = "_RINvC1a1fTuuE", *buf = xmalloc(1 << 20);
	size_t len = strlen(name), last = len - 4;

	/* Pairs of pairs: the position of each is that of its T, behind "_R". */
	for (int i = 0; i < 14; i++) {
		size_t at = len;

		name[len++] = 'T';
		len += refer(name + len, last - 2);
		len += refer(name + len, last - 2);
		name[len++] = 'E';
		last = at;
		if (i == 3) { /* so far it is sound */
			memcpy(name + len, "E", 2);
			TEST_TRUE(rust_v0__demangle(name, buf, 1 << 20) > 100);
		}
	}
	memcpy(name + len, "E", 2);
	TEST_EQ(rust_v0__demangle(name, buf, 1 << 20), -1);
	free(buf);
}

TEST(demangle_rust_legacy, "symbols: escapes and hashes of Rust's older names")
{
	static const struct name names[] = {
		{ "core::fmt::write::h0123456789abcdef", "core::fmt::write" },
		{ "_$LT$a..S$u20$as$u20$a..T$GT$::f::h0123456789abcdef", "<a::S as a::T>::f" },
		{ "a::f$RF$$BP$$LP$x$C$$SP$$RP$::h0123456789abcdef", "a::f&*(x,@)" },
		{ "a::$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "a::{{closure}}" },
		{ "g$uf6$del::$u1f600$::h0123456789abcdef", "gödel::😀" },
		{ "a::$ud800$$u85$$u110000$::h0123456789abcdef", "a::$ud800$$u85$$u110000$" },
		{ "a::$u7$b::h0123456789abcdef", "a::$u7$b" },   /* no character that is printed */
		{ "a::$uzz$b$x::h0123456789abcdef", "a::$uzz$b$x" },
		{ "a::$x7b$::h0123456789abcdef", "a::$x7b$" },
		{ "a::f::h0123456789abcdeg", NULL },
		{ "a::f::x0123456789abcdef", NULL },
		{ "::h0123456789abcdef", NULL },
		{ "short", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *name = xstrdup(names[i].mangled);

		TEST_EQ(rust_legacy__clean(name), names[i].plain ? 0 : -1);
		TEST_STR(name, names[i].plain ?: names[i].mangled);
		free(name);
	}
}
