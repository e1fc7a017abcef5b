#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -a, -C: all CPUs, or one
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock

perf record -q -a -e cpu-clock -o a.data -- "$PERF" test -w noploop 0.3
perf script -i a.data -F comm,cpu >lines
has lines '^ *perf +\[[0-9]+\]'
perf record -q -C 0 -e cpu-clock -o cpu.data -- "$PERF" test -w thloop 0.3 5
perf script -i cpu.data -F cpu | sort -u >cpus
[ "$(cat cpus)" = "[000]" ] || [ "$(tr -d ' ' <cpus)" = "[000]" ] || fail "-C 0: $(cat cpus)"
