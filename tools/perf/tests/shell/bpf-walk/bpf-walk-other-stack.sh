#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: of a stack that only a copy serves, the other stack that it came from is copied, too
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"

# Handlers of 8 ms and less on a stack of their own, which call by way of code without a file: the
# program cannot walk that. Turns look alike, but for the return addresses on the other stack.
perf record -e cpu-clock:u -F 1999 -g --defer=bpf -o r.data -- "$PERF" test -w otherstack 100 0.02 thunk 2>err ||
	{ cat err; fail record; }
perf data convert --to folded -i r.data -o - -q >folded
count() { awk -v re="$1" '$0 ~ re { n += $NF } END { print n / 500250 }' folded; }

wrong=$(count 'via_a;.*;in_b;|via_b;.*;in_a;|after_all;.*;in_[ab]')
[ "$wrong" = 0 ] || { cat folded; fail "$wrong samples with the callers of another turn"; }
whole=$(count '^perf;_start;.*other_stack_turns;via_[ab];.*;on_other_stack;[^;]*;in_[ab];other_stack_work')
all=$(count 'other_stack_work')
awk -v w="$whole" -v a="$all" 'BEGIN { exit !(a >= 100 && w >= 0.6 * a) }' ||
	{ cat err folded; fail "$whole of $all are whole"; }
