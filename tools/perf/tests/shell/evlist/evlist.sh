#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf evlist: names, groups, frequencies and fields of a recording's events, as in perf
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_event page-faults

perf record -q -e "{cpu-clock:u,task-clock:u}" -e page-faults:u -F 500 -o a.data -- "$PERF" test -w noploop 0.05
perf evlist -i a.data >out
[ "$(head -n 3 out | tr '\n' ' ')" = 'cpu-clock:u task-clock:u page-faults:u ' ] || fail "$(cat out)"
has out "^# Tip: use 'perf evlist -g' to show group information$"
perf evlist -g -i a.data >out
[ "$(tr '\n' ' ' <out)" = '{cpu-clock:u,task-clock:u} page-faults:u ' ] || fail "$(cat out)"
perf evlist -F -i a.data >out
has out '^cpu-clock:u: sample_freq=500$'
perf evlist -v -i a.data >out
has out '^task-clock:u: type: 1 \(PERF_TYPE_SOFTWARE\), size: [0-9]+, config: 0x1 \(PERF_COUNT_SW_TASK_CLOCK\), \{ sample_period, sample_freq \}: 500, sample_type: IP\|TID'
perf record -q -e cpu-clock:u -c 1000000 -o - -- true | perf evlist -F -i - >out
has out '^cpu-clock:u: sample_period=1000000$'
fails 129 perf evlist -g -F -i a.data 2>err
has err 'leave out -F'
fails 129 perf evlist a.data 2>err
has err 'name a file with -i'
fails 1 perf evlist -i no-such.data 2>err
has err 'no-such.data'
# A file may end anywhere.
size=$(stat -c %s a.data)
for at in 0 8 100 200 $((size / 2)); do
	head -c "$at" a.data >cut.data
	status=0
	perf evlist -v -i cut.data >out 2>err || status=$?
	[ $status -le 1 ] || fail "cut at $at: status $status"
	[ -s out ] || [ -s err ] || fail "cut at $at: not a word"
done
need_upstream
for o in '' -F -g -v; do
	"$UPSTREAM" evlist $o -i a.data 2>/dev/null | grep -v '^# Tip' | sed 's/config: \([1-9]\) /config: 0x\1 /' >want
	[ "$o" != -v ] || grep -q PERF_TYPE want || continue # 6.1 has numbers only
	perf evlist $o -i a.data | grep -v '^# Tip' >out
	diff want out || fail "perf evlist $o"
done
