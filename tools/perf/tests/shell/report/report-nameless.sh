#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report and all others: functions of a stripped program are known by where they begin
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc strip nm objdump
need_event cpu-clock:u

cat >w.c <<'END'
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
#ifdef NEW
NOINLINE void added(int n) { for (int i = 0; i < n; i++) x ^= n; }
#endif
NOINLINE void leaf(int n) { for (int i = 0; i < n; i++) x += i; }
NOINLINE void one(void) { leaf(3000); x++; }
NOINLINE void two(int n) { for (int i = 0; i < n; i++) x -= 3; }
int main(void)
{
	for (int i = 0; i < 20000; i++) { one(); two(2000); }
#ifdef NEW
	for (int i = 0; i < 20000; i++) added(2000);
#endif
	return 0;
}
END
mkdir old new
gcc -O1 -o w.named w.c
strip -o old/w w.named
gcc -O1 -DNEW -o new.named w.c
strip -o new/w new.named
perf record -q -e cpu-clock:u -F 2000 -g --defer=copy -o old.data -- old/w
perf record -q -e cpu-clock:u -F 2000 -g --defer=copy -o new.data -- new/w

# spelled NAME [FILE]: how the function is shown
spelled() { echo "w+0x$(nm "${2:-w.named}" | awk -v n="$1" '$3 == n { print $1 }' | sed 's/^0*//')"; }
leaf=$(spelled leaf) one=$(spelled one) two=$(spelled two)
re_leaf=${leaf/+/\\+} re_one=${one/+/\\+} re_two=${two/+/\\+} # as patterns

# One row for each function, and none for an address.
perf report --stdio --no-children -g none -d w -i old.data >text
has text "\\[\\.\\] $re_leaf *\$" "\\[\\.\\] $re_two *\$"
[ "$(grep -c "$leaf" text)" = 1 ] || fail "$leaf has several rows"
has_not text '\[\.\] 0x' '\[unknown\]'
perf report --stdio --children -g none -d w -i old.data >text
awk -v f="$one" '$NF == f && $1 + 0 > 30 { found = 1 } END { exit !found }' text ||
	fail "$one has not what it calls"

# The same spelling everywhere.
perf report --stdio -t, --no-children -g none -i old.data >csv
has csv ",.*\\[\\.\\] $re_leaf\$"
for to in folded gecko speedscope html svg otlp json; do
	perf data convert --to $to -i old.data -o "out.$to" 2>err || { cat err; fail "$to"; }
	grep -qaF "$leaf" "out.$to" || fail "$to has no $leaf"
	! grep -qaF '[w]' "out.$to" || fail "$to has all functions as [w]"
done
perf data convert --to pprof -i old.data -o out.pb.gz 2>err
gzip -dc out.pb.gz | grep -qaF "$leaf" || fail "pprof has no $leaf"
perf script -i old.data >text
has text "$re_leaf\\+0x[0-9a-f]+ \\(.*/old/w\\)" "$re_one\\+0x[0-9a-f]+ \\(.*/old/w\\)"
perf report --brief -i old.data >text
has text "$re_leaf \\[w\\]" 'is in w without a name'
perf report --about "$leaf" -i old.data >text
has text "$re_leaf" "$re_one"
perf annotate --stdio -i old.data "$leaf" >text
has text "Source code & Disassembly of w" "<$re_leaf>:"
has_not text "<$re_one>:"
# It is not resolved to a symbol.
perf report --stdio --no-children -g none -U -d w -i old.data >text
has_not text "$re_leaf"

# Another build has it elsewhere; what begins at its address is another function.
if [ "$(uname -m)" = x86_64 ]; then
	moved=$(spelled leaf new.named)
	re_moved=${moved/+/\\+}
	[ "$moved" != "$leaf" ] || fail "the new build has the function at the same address"
	perf diff --dsos w old.data new.data >text
	has text "^ +[0-9.]+% +[-+][0-9.]+% .*\\] $re_leaf *\$" \
		 "^ +[0-9.]+% +[-+][0-9.]+% .*\\] $re_two *\$" '^ +\+[0-9.]+% .*\] w\+0x[0-9a-f]+'
	has_not text "\\] $re_moved *\$"
fi
