// SPDX-License-Identifier: GPL-2.0-only
/* Names of functions as people read them: names of real binaries, and of hostile ones. */
#include <stdlib.h>
#include <string.h>

#include "../../util/symbol/short-name.h"
#include "../../util/symbol/short-names.h"
#include "../test.h"

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

/* The name, what it is at first, and what it is if another one has that; "=": the same. */
static const struct {
	const char *full, *brief, *longer;
} names[] = {
	/* libstdc++ */
	{ "void std::__sort<__gnu_cxx::__normal_iterator<" STRING "*, std::vector<" STRING
	  ", std::allocator<" STRING " > > >, __gnu_cxx::__ops::_Iter_less_iter>(__gnu_cxx::"
	  "__normal_iterator<int*, std::vector<int, std::allocator<int> > >)",
	  "std::__sort<...>", "std::__sort<__normal_iterator<...>, __ops::_Iter_less_iter>" },
	{ STRING "::swap(" STRING "&)", "std::string::swap", "=" },
	{ STRING "::swap(" STRING "&)@plt", "std::string::swap@plt", "=" },
	{ "std::ostream& std::operator<< <std::char_traits<char> >(std::basic_ostream<char, "
	  "std::char_traits<char> >&, char const*)",
	  "std::operator<< <std::char_traits<...>>", "=" },
	{ "std::function<int (char, bool)>::operator()(char, bool) const",
	  "std::function<...>::operator()", "std::function<int (char, bool)>::operator()" },
	{ "std::_Function_handler<void (), main::{lambda()#1}>::_M_invoke(std::_Any_data const&)",
	  "std::_Function_handler<...>::_M_invoke",
	  "std::_Function_handler<void (), main::{lambda#1}>::_M_invoke" },
	{ "std::__1::vector<int, std::__1::allocator<int>>::push_back[abi:v15006](int const&)",
	  "std::vector<int>::push_back", "=" },
	{ "decltype (declval<int>()) ns::g<int>(int)", "ns::g<int>", "=" },
	{ "std::enable_if<true, void>::type foo<int>()", "foo<int>", "=" },
	{ "operator new(unsigned long)", "operator new", "=" },
	{ "operator delete[](void*)", "operator delete[]", "=" },
	{ "Foo::operator unsigned long() const", "Foo::operator unsigned long", "=" },
	{ "bool operator<(A const&, B const&)", "operator<", "=" },
	{ "A::operator->() const", "A::operator->", "=" },
	{ "foo(int) const::{lambda(auto:1)#2}::operator()<int>(int) const",
	  "foo::{lambda#2}::operator()<int>", "=" },
	{ "non-virtual thunk to A::f()", "non-virtual thunk to A::f", "=" },
	{ "foo(int) [clone .cold]", "foo [clone .cold]", "=" },
	{ "main", "=", "=" },
	{ "spin (0x1139)", "spin", "=" }, /* one of several */
	/* gcc, LLVM, Qt, boost */
	{ "ggc_internal_alloc(unsigned long, void (*)(void*), unsigned long, unsigned long)",
	  "ggc_internal_alloc", "=" },
	{ "hash_table<named_decl_hash, false, xcallocator>::find_slot_with_hash(tree_node* const&, "
	  "unsigned int, insert_option)", "hash_table<...>::find_slot_with_hash",
	  "hash_table<named_decl_hash, false, xcallocator>::find_slot_with_hash" },
	{ "llvm::(anonymous namespace)::Pass::run(llvm::Function&)", "llvm::(anon)::Pass::run",
	  "=" },
	{ "llvm::PassManager<llvm::Function, llvm::AnalysisManager<llvm::Function>>::run("
	  "llvm::Function&, llvm::AnalysisManager<llvm::Function>&)",
	  "llvm::PassManager<...>::run",
	  "llvm::PassManager<llvm::Function, llvm::AnalysisManager<...>>::run" },
	{ "QHash<QString, QList<QPair<int, int> > >::insert(QString const&, QList<int> const&)",
	  "QHash<QString, QList<...>>::insert", "=" },
	{ "boost::asio::detail::scheduler::do_run_one(boost::asio::detail::"
	  "conditionally_enabled_mutex::scoped_lock&, boost::system::error_code const&)",
	  "boost::asio::detail::scheduler::do_run_one", "=" },
	/* rustc, ripgrep */
	{ "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop", "alloc::vec::Vec<T,A>::drop",
	  "=" },
	{ "core::fmt::num::<impl core::fmt::Display for u32>::fmt", "core::fmt::num::u32::fmt",
	  "=" },
	{ "core::ops::function::FnOnce::call_once{{vtable.shim}}", "=", "=" },
	{ "<grep_searcher::searcher::Searcher>::search_path::<&grep_regex::matcher::RegexMatcher, "
	  "&std::path::Path>", "grep_searcher::searcher::Searcher::search_path::<...>",
	  "grep_searcher::searcher::Searcher::search_path::<&grep_regex::matcher::RegexMatcher, "
	  "&std::path::Path>" },
	{ "std::sys::backtrace::__rust_begin_short_backtrace::h0123456789abcdef",
	  "std::sys::backtrace::__rust_begin_short_backtrace", "=" },
	/* Go, D */
	{ "github.com/user/project/part.(*Type).Method", "part.(*Type).Method", "=" },
	{ "net/http.(*conn).serve.func1", "http.(*conn).serve.func1", "=" },
	{ "runtime.(*mcache).refill", "=", "=" },
	{ "std.stdio.File.writeln!(string, immutable(char)[]).writeln(string)",
	  "std.stdio.File.writeln!(...).writeln",
	  "std.stdio.File.writeln!(string, immutable(char)[]).writeln" },
	/* Of others, and where it is not clear what is what. */
	{ "closure #1 (Swift.Int) -> () in main.foo()", "=", "=" },
	{ "void (*foo(int))(char)", "=", "=" },
	{ "Ljava/lang/String;::hashCode", "=", "=" },
	{ "py::fn:/usr/lib/python3/x.py", "=", "=" },
	{ "base:GHC.Base.++_info", "=", "=" },
	{ "x<y", "=", "=" },
	{ "f((", "=", "=" },
	{ ")(", "=", "=" },
	{ "operator", "=", "=" },
	{ "::", "=", "=" },
	{ "cc1plus+0x1b26e20", "=", "=" },
};

static void check(const char *full, unsigned int level, const char *want)
{
	char *text = name__shorten(full, level);

	TEST_STR(text ?: "=", want);
	TEST_TRUE(!text || strlen(text) <= strlen(full));
	free(text);
}

TEST(short_names_rules, "names for people: of C++, Rust, Go and D")
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		check(names[i].full, 0, names[i].brief);
		check(names[i].full, 1, *names[i].longer == '=' ? names[i].brief : names[i].longer);
	}
}

TEST(short_names_apart, "names for people: no two functions look the same")
{
	static const char *const full[] = {
		"f(int)", "f(char)", "f", "std::vector<A, std::allocator<A> >::g(int)",
		"std::vector<B, std::allocator<B> >::g(int)", "std::vector<B, other<B> >::g(int)",
		"g::h1(X<Y<Z<1>>>)", "g::h1(X<Y<Z<2>>>)", "std::__cxx11::a()", "std::a()",
		"<A as B>::c", "<A as C>::c", "x/y.f", "z/y.f", "q::h0123456789abcdef",
		"q::h0123456789abcdee",
	};
	struct short_names n = {};

	for (size_t i = 0; i < ARRAY_SIZE(full); i++)
		short_names__add(&n, full[i], full[i], NULL, NULL);
	short_names__make(&n);
	for (size_t i = 0; i < ARRAY_SIZE(full); i++)
		for (size_t k = 0; k < i; k++)
			TEST_TRUE(strcmp(short_names__of(&n, full[i], ""),
					 short_names__of(&n, full[k], "")));
	TEST_STR(short_names__of(&n, full[0], ""), "f(int)");
	TEST_STR(short_names__of(&n, full[12], ""), "x/y.f");
	TEST_STR(short_names__of(&n, "key", "never added"), "never added");
	short_names__free(&n);
}

TEST(short_names_static, "names for people: static functions of one name in one binary are two")
{
	static const struct dso a = { .kind = DSO_USER, .path = "/a", .short_name = "a" };
	static const struct dso b = { .kind = DSO_USER, .path = "/b", .short_name = "b" };
	static const struct dso code = { .kind = DSO_JIT, .path = "", .short_name = "jit" };
	static const struct {
		const struct dso *dso;
		const char *name;
		u64 start;
		bool inlined;
		const char *want, *full;
	} v[] = {
		{ &a, "n::help(int)", 0x10, false, "n::help (0x10)", "n::help(int) (0x10)" },
		{ &a, "n::help(int)", 0x30, false, "n::help (0x30)", "n::help(int) (0x30)" },
		{ &a, "n::help(int)", 0x50, true, "n::help", "n::help(int)" },
		{ &a, "n::help(int)", 0x30, false, "n::help (0x30)", "n::help(int) (0x30)" },
		{ &b, "n::help(int)", 0x10, false, "n::help", "n::help(int)" },
		{ &code, "f", 0x10, false, "f", "f" },
		{ &code, "f", 0x30, false, "f", "f" },
	};

	for (unsigned int full = 0; full < 2; full++) {
		struct short_names n = { .full = full };

		for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
			struct symbol sym = { .start = v[i].start, .inlined = v[i].inlined };

			short_names__add(&n, &v[i], v[i].name, v[i].dso, &sym);
		}
		short_names__make(&n);
		for (size_t i = 0; i < ARRAY_SIZE(v); i++)
			TEST_STR(short_names__of(&n, &v[i], ""), full ? v[i].full : v[i].want);
		short_names__free(&n);
	}
}

TEST(short_names_fit, "names for people: what is cut is what the function is in, not its name")
{
	TEST_STR(name__fit("a::b::c", 7), "a::b::c");
	TEST_STR(name__fit("a::b::c", 5), "b::c");
	TEST_STR(name__fit("a::b<c::d>::long_name", 3), "long_name");
	TEST_STR(name__fit("long_name", 3), "long_name");
	TEST_STR(name__fit("python3.11+0x4fb540", 12), "+0x4fb540");
	TEST_STR(name__fit("", 0), "");
}

/*
 * Names of a hostile binary: @nr times @part, between two others. Steps are counted: one of which
 * anything is left out has not taken more than it may.
 */
static void check_hostile(const char *before, const char *part, size_t nr, const char *after,
			  bool shorter)
{
	size_t len = strlen(part);
	char *name = xmalloc(strlen(before) + nr * len + strlen(after) + 1), *at, *text;

	at = stpcpy(name, before);
	for (size_t i = 0; i < nr; i++)
		at = stpcpy(at, part);
	memcpy(at, after, strlen(after) + 1);
	for (unsigned int level = 0; level < SHORT_NAME_LEVELS; level++) {
		text = name__shorten(name, level);
		TEST_TRUE(!text || strlen(text) <= strlen(name));
		TEST_TRUE(level || !text == !shorter);
		free(text);
	}
	free(name);
}

TEST(short_names_hostile, "names for people: 100 kB of brackets take few steps for each byte")
{
	check_hostile("f", "<", 100000, "", false);
	check_hostile("f<", "a<b>, ", 16000, "c>(int)", true);
	check_hostile("f<", "a<b>, ", 16000, "c>::g(int)", true);
	check_hostile("<", "<", 50000, "", false);
	check_hostile("", "<a as ", 10000, "", false);
	check_hostile("", "<a as b>::", 10000, "f", true);
	check_hostile("<", "<a as b>::", 10000, "f as t>::g", true);
	check_hostile("<impl ", "a ", 50000, " for b>::f", true);
	check_hostile("", "f(", 50000, "", false);
	check_hostile("x", "(int)", 20000, "", true);
	check_hostile("operator", "<", 100000, "", false);
	check_hostile("f", " const", 16000, "", false);
	check_hostile("f()", " const", 16000, "::g()", true);
	check_hostile("", "a::", 33000, "f()", true);
	check_hostile("", "a/", 50000, "b.f", true);
	check_hostile("\x01\x7f\n", "\t", 1000, "<\xff>(\x80)", true);
	check_hostile("f", ", std::allocator<", 6000, ">", false);
	check_hostile("f<int", ", std::allocator<int>", 6000, ">::g()", true);
}
