#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: the stack below a signal handler that has its own is read where it stands
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

# Handlers of 0.4 s, and others of 8 ms, in turns below via_a() and via_b(): nothing but the return
# addresses tells which.
record() { # OPTIONS...: of the program's own stacks
	perf record -v -e "cpu-clock$U" -F 1999 -g -o r.data "$@" 2>err || { cat err; fail record; }
	perf data convert --to folded -i r.data -o - -q >folded
}
count() { awk -v re="$1" '$0 ~ re { n += $NF } END { print n / 500250 }' folded; }

# What is not read says what is missing; the file is as good for that as the recorder.
record --no-stitch --call-graph dwarf -- "$PERF" test -w otherstack 1 0.2
grep -q 'callers on another stack.*;in_a;other_stack_work' folded ||
	{ cat folded; fail "no reason for what is on the other stack"; }

# What is read later than that is another stack. Where breakpoints are never hit, nothing is read.
for turns in 100,0.02 6,0.4; do
	record --defer=copy -- "$PERF" test -w otherstack ${turns/,/ }
	wrong=$(count 'via_a;.*;in_b;|via_b;.*;in_a;|after_all;.*;in_[ab]')
	[ "$wrong" = 0 ] || { cat folded; fail "$wrong samples with the callers of another turn"; }
done

if grep -q "cannot be watched" err && ! grep -q 'other_stack_turns;via_.*;other_stack_work' folded; then
	skip "no breakpoints here: $(grep -m 1 'cannot be watched' err)"
fi
whole=$(count 'other_stack_turns;via_.*;other_stack_work')
cut=$(count 'callers on another stack.*;other_stack_work')
awk -v w="$whole" -v c="$cut" 'BEGIN { exit !(w > c && w > 0) }' ||
	{ tail -5 err; cat folded; fail "whole in handlers: $whole samples, not whole: $cut"; }
