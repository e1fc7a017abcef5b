#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: names of C++: short for people, apart from each other; full with --demangle=full and for programs
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd g++
need_event cpu-clock:u

cat >w.cc <<'END'
#include <map>
#include <string>
#include <vector>
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
template <typename T> NOINLINE void work(T const &v) { for (int i = 0; i < 3000; i++) x += i + v.size(); }
struct A { NOINLINE void run(std::vector<std::string> const &v) { work(v); x++; } };
int main()
{
	std::vector<std::string> v(3);
	std::map<std::string, std::vector<std::string>> m;
	A a;
	for (int i = 0; i < 30000; i++) { a.run(v); work(m); }
}
END
g++ -O1 -o w w.cc
perf record -q -e cpu-clock:u -F 2000 -g --defer=copy -o w.data -- ./w

perf report --stdio --no-children -i w.data >text
has text '\] work<std::vector<\.\.\.>> *$' '\] work<std::map<\.\.\.>> *$'
has text '[-| ]A::run$'
has_not text 'basic_string' 'void ' 'A::run\('
perf report --about A::run -i w.data >text
has text "w.data: A::run \\[w\\]" "work<std::vector"
perf report --brief -i w.data >text
has text 'work<std::vector<\.\.\.>> \[w\]' 'A::run > work'
for full in --demangle=full -t, '-g folded'; do
	perf report --stdio --no-children -i w.data $full >text
	has text '\] void work<std::vector<std::__cxx11::basic_string<char[,.] std::char_traits<char>.*const&\)'
	has_not text '\] work<'
done
perf report --stdio --no-children --no-demangle -i w.data >text
has text '\] _Z4workI'
perf report --json -i w.data >text
has text '"sym":"void work<std::vector<std::__cxx11::'
perf script -i w.data >text
has text 'void work<std::vector<std::__cxx11::' 'A::run\(std::vector<'
perf data convert --to folded -i w.data -o folded 2>err
has folded ';A::run\(std::vector<.*;void work<std::vector<std::__cxx11::'
perf annotate --stdio --no-source -i w.data >text
has text '<work<std::vector<\.\.\.>>>:$' 'j.* <work<std::map<\.\.\.>>\+0x[0-9a-f]+>$'
has_not text '<.*basic_string'
perf annotate --stdio --no-source --demangle=full -i w.data >text
has text '<void work<std::vector<std::__cxx11::.*const&\)>:$'
fails 129 perf report --stdio --demangle=half -i w.data 2>err
has err '--demangle=half: must be full or short'

# The picture has both, the page, too.
perf report -i w.data --svg=w.svg 2>err
has w.svg '<title>void work&lt;std::vector&lt;std::__cxx11::' '<text [^>]*>work&lt;std::'
perf report -i w.data --html=w.html 2>err
grep -aoE '\["A::run\(std::vector[^]]*\]' w.html >text
has text ',"A::run"\]$'
perf report -i w.data --demangle=full --html=w.html 2>err
! grep -qF ',"A::run"]' w.html || fail "--demangle=full has short names on the page"
