#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e EVENT/overwrite/: its ring is overwritten; wrong terms are refused
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-terms.sh"

record -F 500 -e cpu-clock/overwrite/ -- "${work[@]}"
attr cpu-clock | grep -q 'write_backward = 1' || fail "$(attr cpu-clock)"
[ "$(perf script -i t.data -F event | grep -c cpu-clock)" -gt 20 ] || fail "overwrite: no samples"
for wrong in 'cpu-clock/overwrite/,task-clock' 'cpu-clock/stack-size=64/' 'cpu-clock/call-graph=lbr/'; do
	fails 129 perf record -e "$wrong" -o t.data -- true 2>err
done
has err 'must be fp, dwarf or no'
