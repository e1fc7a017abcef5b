#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e EVENT/call-graph=.../: callchains by event, whatever is asked for all
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-terms.sh"

record -g -F 500 -e cpu-clock/call-graph=no/,task-clock -- "${work[@]}"
attr cpu-clock | grep -q CALLCHAIN && fail "$(attr cpu-clock)"
attr task-clock | grep -q CALLCHAIN || fail "$(attr task-clock)"
record -F 500 -e cpu-clock/call-graph=dwarf,stack-size=1024/,task-clock/call-graph=fp/ -- "${work[@]}"
attr cpu-clock | grep -q 'sample_stack_user = 1024' || fail "$(attr cpu-clock)"
attr task-clock | grep -q STACK_USER && fail "$(attr task-clock)"
[ "$(perf script -i t.data -F event,ip,sym | grep -c workload_deep)" -gt 100 ] || fail "few frames"

# Unwound while recording: only the event that has copies.
record -F 500 --defer=copy -e cpu-clock,task-clock/call-graph=no/ -- "${work[@]}"
attr task-clock | grep -q CALLCHAIN && fail "$(attr task-clock)"
perf script -i t.data -F event,ip,sym | awk -v RS= '/cpu-clock(:u)?: / && /workload_loop/ && /main/ { n++ }
	END { exit n < 30 }' || fail "no whole stacks of cpu-clock"

record -g -F 500 -e cpu-clock/max-stack=3/ -- "${work[@]}"
perf script --no-inline -i t.data -F ip,sym |
	awk -v RS= 'NF && split($0, a, "\n") > 4 { bad = 1 } END { exit bad }' ||
	fail "more frames than max-stack=3 allows"
fails 1 perf record -g -e cpu-clock/max-stack=65000/ -o t.data -- true 2>err
has err 'kernel.perf_event_max_stack'
