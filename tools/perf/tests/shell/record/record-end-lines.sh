#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: says how many samples it wrote, is quiet with -q, and keeps the old file
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -e cpu-clock -o a.data -- "$PERF" test -w noploop 0.3 2>err
has err '^\[ perf record: Woken up [0-9]+ times to write data \]$' \
	'^\[ perf record: Captured and wrote [0-9]+\.[0-9]{3} MB a\.data \([0-9]+ samples\) \]$'
n=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err)
[ "$n" -gt 200 ] || fail "only $n samples in 0.3 s"
[ "$(samples a.data)" = "$n" ] || fail "the file has $(samples a.data) samples, not $n"
perf record -q -e cpu-clock -o a.data -- true >out 2>&1
[ ! -s out ] || fail "-q is not quiet"
[ -s a.data.old ] || fail "the old file is gone"
