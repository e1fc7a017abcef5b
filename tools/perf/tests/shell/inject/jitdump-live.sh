#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: stacks go through code whose jitdump file is being written
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/inject/lib-jit.sh"

perf record -k mono -F 500 -e cpu-clock:u --defer=copy -o live -- \
	/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 >pid 2>err
perf script -i live -F ip,sym >out
all_whole out
has_not err 'JIT compiler'

# What is written too late waits, with its stack copies, for who reads the recording.
late() {
	perf record -k mono -F 500 -e cpu-clock:u --defer=copy "$@" -o live -- \
		/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 late >pid 2>err
	has err 'stack copies were written without being unwound, .* JIT compiler'
	perf script -i live -F ip,sym >out
	all_whole out
	perf evlist -v -i live >events
}
late --no-stitch-rest
has events STACK_USER
has_not err 'perf stitch: '

# Who reads it is `perf stitch`, unless it is told not to be.
late
has_not events STACK_USER
has err 'perf stitch: .* whole user stacks \((100\.0|99\.[0-9]) %( of [0-9,]+)?\)' 'MB became .* live'
late -z
perf report --header-only -i live >header
has header '^# compressed : Zstd'
