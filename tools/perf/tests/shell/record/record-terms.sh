#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: terms of single events, weak groups, groups that are read with their threads
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_event task-clock

attr() { perf report --header-only -i t.data | grep -E "^# event : name = $1"; }
record() { perf record -q -o t.data "$@" 2>err || fail "$*: $(cat err)"; }
work=("$PERF" test -w deep 20 0.2)

# Callchains by event, whatever is asked for all of them.
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
perf script -i t.data -F ip,sym | awk -v RS= 'NF && split($0, a, "\n") > 4 { bad = 1 } END { exit bad }' ||
	fail "more frames than max-stack=3 allows"
fails 1 perf record -g -e cpu-clock/max-stack=65000/ -o t.data -- true 2>err
has err 'kernel.perf_event_max_stack'

# Threads and children are followed or not.
threads() { perf script -i t.data -F event,tid | awk -v e="$1" '$2 ~ e { print $1 }' | sort -u | wc -l; }
record -F 500 -e cpu-clock/no-inherit/,task-clock -- "$PERF" test -w thloop 0.2 3
[ "$(threads '^task-clock')" -ge 3 ] || fail "task-clock: $(threads '^task-clock') threads"
[ "$(threads '^cpu-clock')" -le 1 ] || fail "no-inherit: $(threads '^cpu-clock') threads"

record -F 500 -e cpu-clock/overwrite/ -- "${work[@]}"
attr cpu-clock | grep -q 'write_backward = 1' || fail "$(attr cpu-clock)"
[ "$(perf script -i t.data -F event | grep -c cpu-clock)" -gt 20 ] || fail "overwrite: no samples"
for wrong in 'cpu-clock/overwrite/,task-clock' 'cpu-clock/stack-size=64/' 'cpu-clock/call-graph=lbr/'; do
	fails 129 perf record -e "$wrong" -o t.data -- true 2>err
done
has err 'must be fp, dwarf or no'

# A group that the kernel refuses, since a member is pinned: with W each event is for itself.
if ! perf record -q -e '{cpu-clock,task-clock:D}' -o t.data -- true 2>/dev/null; then
	record -F 500 -e '{cpu-clock,task-clock:D}:W' -- "${work[@]}"
	[ "$(perf script -i t.data -F event | grep -c task-clock:D)" -gt 20 ] || fail "W: no samples"
fi
record -e 'cpu-clock:b,task-clock:X' -- true

# S: the threads of a program are read, too, or it is said that they are not.
record -F 500 -e '{cpu-clock,task-clock}:S' -- "$PERF" test -w thloop 0.3 3
if [ "$(threads task-clock)" -lt 3 ]; then
	has err 'does not follow new threads and children'
else
	[ ! -s err ] || fail "$(cat err)"
	# Each thread's counts are its own: what a sample says is about its time.
	perf script -i t.data -F event,period | awk '/task-clock/ && $1 > 1e9 { bad = 1 } END { exit bad }' ||
		fail "a period of more than the recording"
fi

# The second size is of AUX areas.
record -m 64,16 -e cpu-clock -- true
record -m ,16 -e cpu-clock -- true
fails 129 perf record -m 64,x -o t.data -- true 2>err
fails 129 perf record -m , -o t.data -- true 2>err
