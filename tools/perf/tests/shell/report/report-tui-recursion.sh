#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --tui, --svg: all depths of a recursion are one path; R, --no-fold-recursion: each
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_event cpu-clock

perf record -q -F 2000 --call-graph dwarf -e cpu-clock$U -o w.data -- "$PERF" test -w deep 20 0.3
browse
shows 'workload_deep'
keys E
shows 'workload_deep x 20$'
! grep -B1 -E '\bworkload_deep$' screen.text | grep -qE 'workload_deep x 20$' || fail "a depth is on a line of its own"
keys R
shows 'each depth of a recursion is a path of its own'
has_not screen.text 'workload_deep x 20'
[ "$(grep -cE '^ +workload_deep$' screen.text)" -ge 10 ] || { cat screen.text; fail "the depths are not shown"; }
keys R
shows 'all depths of a recursion are one path'
keys q
ended 0
browse --no-fold-recursion
shows 'workload_deep'
keys E
shows '^ +workload_deep$'
has_not screen.text 'workload_deep x 20'
keys q
ended 0

# Some samples may be on a path of their own: of cut stacks, and where the program begins.
boxes() { grep -c "<title>workload_deep${1-} (" w.svg || true; }
perf report --svg w.svg -q -i w.data 2>err
has w.svg '<title>workload_deep x 20 \([0-9.]*%\)' '>workload_deep x 20</text>'
[ "$(boxes)" = 0 ] || fail "$(boxes) boxes for depths of a recursion"
paths=$(boxes ' x 20')
perf report --svg w.svg -q --no-fold-recursion -i w.data 2>err
[ "$(boxes)" = $((20 * paths)) ] || fail "$(boxes) boxes for 20 depths on $paths paths"
perf report --html w.html -q --no-fold-recursion -i w.data 2>err
has w.html '"each_depth":true'
fails 129 perf report --stdio --no-fold-recursion -i w.data 2>err
has err "no effect"
