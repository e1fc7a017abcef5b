#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e {...}:S: the threads of a program are read, too, or it says that they are not
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-terms.sh"

record -F 500 -e '{cpu-clock,task-clock}:S' -- "$PERF" test -w thloop 0.3 4
if [ "$(threads task-clock)" -lt 3 ]; then
	has err 'does not follow new threads and children'
else
	[ ! -s err ] || fail "$(cat err)"
	# Each thread's counts are its own: what a sample says is about its time.
	perf script -i t.data -F event,period | awk '/task-clock/ && $1 > 1e9 { bad = 1 } END { exit bad }' ||
		fail "a period of more than the recording"
fi
