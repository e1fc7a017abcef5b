#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: the terminal interface reads a recording again with --parallelism
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_event cpu-clock:u

perf record -q -e cpu-clock:u --latency -o w.data -- "$PERF" test -w noploop 0.2 2>err ||
	skip "cannot record switches here: $(tail -n 1 err)"
browse --parallelism 1-64 -s sym
shows 'noploop'
keys o && answer 'Sort by' 'comm,sym'
shows 'perf +.*noploop'
keys q
ended 0
