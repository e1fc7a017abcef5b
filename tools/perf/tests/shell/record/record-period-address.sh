#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -P, -d, -s: periods, addresses and times of threads are there
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -P -d -c 1 -e page-faults -o p.data -- "$PERF" test -w noploop 0.01
perf script -i p.data -F period,addr >lines
has lines '^ +1 +[0-9a-f]+ *$'
perf record -q -s -e cpu-clock -o s.data -- "$PERF" test -w thloop 0.1 3
[ "$(perf script -i s.data -F comm | wc -l)" -gt 10 ] || fail "-s: samples are missing"
