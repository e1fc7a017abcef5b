#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -r: runs at that real-time priority, or says which it cannot have
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock
chrt -f 1 true 2>/dev/null || skip "the kernel gives no real-time priority here"
work=("$PERF" test -w noploop)

perf record -q -r 1 -e cpu-clock -o r.data -- "${work[@]}" 0.1
fails 1 perf record -r 1000 -e cpu-clock -o r.data -- true 2>err
has err 'real-time priority 1000'
