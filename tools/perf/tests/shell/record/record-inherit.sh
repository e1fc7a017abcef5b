#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: children and threads are followed, with -i not
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock -o c.data -- "$PERF" test -w forker 3 0.1
[ "$(perf script -i c.data -F pid | sort -u | grep -c .)" -ge 3 ] || fail "children are missing"
perf record -q -e cpu-clock -o c.data -- "$PERF" test -w thloop 0.2 4
[ "$(perf script -i c.data -F tid | sort -u | grep -c .)" -ge 3 ] || fail "threads are missing"
perf record -q -i -e cpu-clock -o c.data -- "$PERF" test -w thloop 0.2 4
[ "$(perf script -i c.data -F tid | sort -u | grep -c .)" = 1 ] || fail "-i followed threads"
