#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -p: a running process until it ends, with names and maps
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w thloop 1.5 3 & pid=$!
perf record -q -e cpu-clock -g -o p.data -p $pid
wait $pid
[ "$(samples p.data)" -gt 50 ] || fail "only $(samples p.data) samples of a running process"
perf script -i p.data -F comm,sym >p.txt
has p.txt 'thloop|noploop|loop'
has_not p.txt '^ *:[0-9]+'
