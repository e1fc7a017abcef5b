#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: the key a of report, and annotate on a terminal: code, jumps, calls, hottest rows, source text
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_cmd gcc objdump
need_event cpu-clock:u

cat >w.c <<'END'
volatile long x;
__attribute__((noinline, noclone)) void callee(int n)
{
	for (int i = 0; i < n; i++)
		x += i / 3;
}
__attribute__((noinline, noclone)) void caller(void)
{
	for (int i = 0; i < 60000; i++) {
		callee(300);
		for (int k = 0; k < 100; k++)
			x++;
	}
}
int main(void)
{
	caller();
	return 0;
}
END
gcc -O1 -g -o w w.c
perf record -q -e cpu-clock:u -F 2000 -o w.data -- ./w
perf annotate --stdio -i w.data callee >text
hottest=$(sed -nE 's/^ *([0-9.]+) : +([0-9a-f]+):.*/\1 \2/p' text | sort -rn | head -n 1)

browse
shows '\[\.\] callee'
keys a
shows '^callee  .*/w  [0-9]+ samples of cpu-clock:u'
shows "^ *${hottest% *} +[v^]? *${hottest#* }:  "
shows '^ +[0-9]+ +x \+= i / 3;$'
# Enter on a jump goes to its target, which is marked before.
keys Home && keys / && answer 'Find in the code' 'jg '
keys n
keys s
shows '^ +[0-9.]* +[v^*<> ] +[0-9a-f]+:  '
! grep -q 'x += i' screen.text || shows 'the source text is hidden'
keys t
shows '^ +[0-9]+ +[v^> ] +[0-9a-f]+:  '
keys p
shows 'percent of its samples'
keys h
shows '^TAB/shift.TAB .*next hottest'
keys q
keys q
shows '\[\.\] callee'
# From a call to the function, and back.
keys / && answer 'Functions whose names contain' caller
shows 'Symbol: caller'
keys a
shows '^caller  '
keys / && answer 'Find in the code' 'call '
keys Enter
shows '^callee  '
keys q
shows '^caller  '
keys q
shows 'Symbol: caller'
keys q
ended 0

# The command: a menu first.
COMMAND=annotate browse
shows '^ *[0-9.]+% +w +callee$'
keys Enter
shows '^callee  .*/w  '
keys q
shows '^ *[0-9.]+% +w +callee$'
keys q
ended 0
