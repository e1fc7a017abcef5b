#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e EVENT/no-inherit/: threads are followed or not, by event
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-terms.sh"

record -F 500 -e cpu-clock/no-inherit/,task-clock -- "$PERF" test -w thloop 0.2 4
[ "$(threads '^task-clock')" -ge 3 ] || fail "task-clock: $(threads '^task-clock') threads"
[ "$(threads '^cpu-clock')" -le 1 ] || fail "no-inherit: $(threads '^cpu-clock') threads"
