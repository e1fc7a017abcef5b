#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: too few descriptors are said, or the soft limit is raised
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w thloop 200 21 & many=$!
wait_until has_threads $many 21
(ulimit -n 16; fails 1 perf record -e cpu-clock -o n.data -p $many -- true 2>err)
has err '^Error: too many open files: .* are needed, the limit is 16' '^Raise it \(ulimit -n'
(ulimit -Sn 16; perf record -q --defer=copy -e cpu-clock -o n.data -p $many -- $(while_on_cpu $many 0.1))
[ "$(samples n.data)" -gt 10 ] || fail "ulimit -Sn 16: $(samples n.data) samples"
end $many
