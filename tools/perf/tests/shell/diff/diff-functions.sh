#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff: functions without a name of their own are known again by file or code, or not at all; names are short
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc g++ strip nm
need_event cpu-clock:u
[ "$(uname -m)" = x86_64 ] || skip "knows the instructions of x86-64 alone"

n=0
# take NAME: records ./w, which keeps a place of its own
take() {
	mkdir "$1.dir"
	mv w "$1.dir/w"
	perf record -q -e cpu-clock:u -F 1000 -g --defer=copy -o "$1" -- "$1.dir/w"
}
difference() { perf diff -d w "$@" 2>err; }

# Static functions of one name: by file, also when their code has changed.
cat >f.h <<'END'
#define NOINLINE __attribute__((noinline, noclone))
END
for f in one two; do
	cat >$f.c <<-END
		#include "f.h"
		volatile long ${f}_x;
		static NOINLINE void spin(int n) { while (n--) ${f}_x += n CHANGE; }
		void $f(void) { spin(100000); ${f}_x++; }
	END
done
cat >m.c <<'END'
void one(void); void two(void);
#ifdef NEW
__attribute__((noinline)) void added(volatile long *x) { for (int i = 0; i < 100000; i++) *x ^= i; }
#endif
int main(void)
{
	for (int i = 0; i < 600; i++) {
		one(); two();
#ifdef NEW
		long x = 0;
		added(&x);
#endif
	}
}
END
gcc -g -O1 -DCHANGE= -o w m.c one.c two.c && take old$((++n)).data
gcc -g -O1 -DCHANGE='* 3' -DNEW -o w m.c two.c one.c && take new$n.data
difference "old$n.data" "new$n.data" >text
for f in one two; do
	has text "^ +[0-9.]+% +[-+][0-9.]+%  .*\\] spin \\($f\\.c\\) *\$"
done

# Without debug information the changed ones cannot be; those of equal code are not taken at random.
gcc -O1 -DCHANGE= -o w m.c one.c two.c && take old$((++n)).data
gcc -O1 -DCHANGE= -DNEW -o w m.c two.c one.c && take new$n.data
difference "old$n.data" "new$n.data" >text
[ "$(grep -cE '^ +[0-9.]+% {2,}.*\] spin \(0x' text)" = 2 ] || fail "functions of equal code were taken for another"
[ "$(grep -cE '^ +\+[0-9.]+%  .*\] spin \(0x' text)" = 2 ] || fail "functions of equal code were taken for another"
has err '4 functions without a name of their own, such as spin \(0x.*\), cannot be looked for'
# In the same build they are.
perf record -q -e cpu-clock:u -F 1000 -g --defer=copy -o again.data -- new2.data.dir/w
difference new2.data again.data >text
[ "$(grep -cE '^ +[0-9.]+% +[-+][0-9.]+%  .*\] spin \(0x' text)" = 2 ] || fail "same build"
has_not err 'looked for'
# The same without any name; main() is another one where a sample meets it.
gcc -O1 -DCHANGE= -o w m.c one.c two.c && strip w && take old$((++n)).data
gcc -O1 -DCHANGE= -DNEW -o w m.c two.c one.c && strip w && take new$n.data
difference "old$n.data" "new$n.data" >text
has err '[4-6] functions without a name of their own, such as w\+0x.*, cannot be looked for'

# C++
cat >w.cc <<'END'
#include <string>
#include <vector>
volatile long x;
template <typename T> __attribute__((noinline, noclone)) void work(T const &v) { for (int i = 0; i < 3000; i++) x += i + v.size(); }
int main()
{
	std::vector<std::string> v(3);
	for (int i = 0; i < 30000; i++) { work(v); work(v[0]); }
}
END
g++ -O1 -o w w.cc && cp w again && take old$((++n)).data
mv again w && take new$n.data
difference "old$n.data" "new$n.data" >text
has text '\] work<std::vector<\.\.\.>> *$' '\] work<std::string> *$'
for full in --demangle=full -t,; do
	difference $full "old$n.data" "new$n.data" >text
	has text '\] void work<std::vector<std::__cxx11::basic_string<char[,.] .*const&\)'
done
difference --format=markdown --all "old$n.data" "new$n.data" >text
has text 'work&#60;std'
has_not text 'basic&#95;string'
