#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: .debug_frame in a separate debug file, plain and compressed, in each place
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "the program is one of x86_64"
need_event cpu-clock
need_cmd od

data=$PERF_TEST_DIR/data/debug-frame
install -m 755 "$data/prog" prog
perf record -q -e cpu-clock -F 499 --call-graph dwarf -- ./prog 300

# whole NAME FILE: with the debug file there, all stacks are; and without it, none.
whole() {
	perf script -F ip,sym >text
	awk '/^$/ { if (s) print s; s = ""; next }
		$1 !~ /^ffff/ { s = s " " $2 }
		END { if (s) print s }' text >stacks
	[ "$(wc -l <stacks)" -ge 20 ] || fail "$1: only $(wc -l <stacks) samples"
	perf unwind stats >stats
	has stats 'debug_frame'
	has_not stats 'no unwind information'
	[ "$(grep -Ec '^ work( step){20} begin _start$' stacks)" -ge $(($(wc -l <stacks) * 9 / 10)) ] ||
		{ sort stacks | uniq -c | sort -rn | head; fail "$1: stacks are cut"; }
}
# By its code alone.
none() {
	perf unwind stats >stats
	has stats 'leaf'
	has_not stats 'eh_frame|debug_frame'
}

none
for form in prog.debug prog.gabi.debug prog.gnu.debug; do
	cp "$data/$form" prog.debug
	whole "$form"
	perf unwind rows prog >rows
	has rows ' debug_frame cfa=rsp\+80 ra=\*\(cfa-8\)$'
	rm prog.debug
	none
done
mkdir -p .debug
cp "$data/prog.debug" .debug/prog.debug
whole .debug/
rm .debug/prog.debug

id=$(od -An -tx1 -j $((0x130)) -N 20 prog | tr -d ' \n')
mkdir -p "$HOME/.debug/.build-id/${id:0:2}/${id:2}"
cp "$data/prog.debug" "$HOME/.debug/.build-id/${id:0:2}/${id:2}/debug"
whole 'the build-id cache'

# Another program's, by its name: not taken.
rm -r "$HOME/.debug/.build-id"
head -c 3000 "$data/prog.debug" >prog.debug
none
cp "$(type -P cat)" prog.debug
none

# While recording, too.
cp "$data/prog.debug" prog.debug
perf record -q -e cpu-clock -F 499 -g --defer=copy -- ./prog 300
perf script -F ip,sym >text
[ "$(grep -c _start text)" -ge $(($(grep -c work text) * 9 / 10)) ] || fail "recorded: stacks are cut"
