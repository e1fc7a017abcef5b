#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report, annotate, exports: static functions of one name are two, by their files or by where they begin
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc nm
need_event cpu-clock:u

for f in one two; do
	cat >$f.c <<-END
		volatile long ${f}_x;
		static __attribute__((noinline)) void spin(int n) { while (n--) ${f}_x += n; }
		void $f(void) { spin(100000); ${f}_x++; }
	END
done
echo 'void one(void); void two(void); int main(void) { for (int i = 0; i < 1000; i++) { one(); two(); } }' >m.c
gcc -g -O1 -o w m.c one.c two.c
perf record -q -e cpu-clock:u -F 1000 -g --defer=copy -o w.data -- ./w

for form in --stdio --stdio\ --demangle=full; do
	perf report $form --no-children -g caller -d w -i w.data >text
	has text '^ +[0-9.]+% .*\[\.\] spin \(one\.c\) *$' '^ +[0-9.]+% .*\[\.\] spin \(two\.c\) *$'
	has_not text ' spin *$'
done
perf report --brief -i w.data >text
has text 'spin \(one\.c\)' 'spin \(two\.c\)'
perf report -i w.data --html=w.html 2>err
grep -qF '"spin (one.c)"' w.html && grep -qF '"spin (two.c)"' w.html || fail "the page has one spin()"
perf report -i w.data --svg=w.svg 2>err
grep -qF 'spin (two.c)' w.svg || fail "the image has one spin()"
# Programs have the name as it is, and the file elsewhere.
perf report -t, --no-children -g none -d w -i w.data >csv
[ "$(grep -c '\[\.\] spin$' csv)" = 2 ] || fail "-t"
perf data convert --to speedscope -i w.data -o w.json 2>err
[ "$(grep -o '"name":"spin"[^}]*' w.json | sort -u | wc -l)" = 2 ] || fail "speedscope has one spin()"
perf annotate --stdio -i w.data >text
[ "$(grep -cE '^ .*<spin>:$' text)" = 2 ] || fail "annotate"

# Without debug information.
gcc -O1 -o w m.c one.c two.c
perf record -q -e cpu-clock:u -F 1000 -g --defer=copy -o w.data -- ./w
perf report --stdio --no-children -g none -d w -i w.data >text
for at in $(nm w | awk '$3 == "spin" { sub(/^0*/, "", $1); print $1 }'); do
	has text "\\[\\.\\] spin \\(0x$at\\) *\$"
done
