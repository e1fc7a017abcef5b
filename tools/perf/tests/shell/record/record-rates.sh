#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -c, -F: each sample stands for as much; about as many as asked for
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock -c 1000000 -o c.data -- "$PERF" test -w noploop 0.3
perf script -i c.data -F period | sort | uniq -c >periods
has periods '1000000'
[ "$(wc -l <periods)" = 1 ] || fail "different periods: $(cat periods)"
n=$(perf script -i c.data -F comm | wc -l)
[ "$n" -gt 50 ] && [ "$n" -lt 600 ] || fail "$n samples in 0.3 s at one a millisecond"
perf record -q -F 200 -e cpu-clock -o f.data -- "$PERF" test -w noploop 0.5
n=$(perf script -i f.data -F comm | wc -l)
[ "$n" -gt 50 ] && [ "$n" -lt 200 ] || fail "$n samples in 0.5 s at 200 Hz"
