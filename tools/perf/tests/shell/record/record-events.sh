#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: modifiers, periods, CPUs, the whole system, tracepoints
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
own_mounts
need_event cpu-clock

# u and k: what the samples' own addresses are (the kernel's have the top bit).
perf record -q -e cpu-clock:u -o u.data -- "$PERF" test -w faulter 0.2
perf script -i u.data -F ip >lines
has lines '[0-9a-f]'
has_not lines '^[[:space:]]*[89a-f][0-9a-f]{15}'
perf record -q --all-user -e cpu-clock -o u.data -- "$PERF" test -w faulter 0.2
perf script -i u.data -F ip >lines
has_not lines '^[[:space:]]*[89a-f][0-9a-f]{15}'

# -c: every sample stands for as much; -F: about as many as asked for.
perf record -q -e cpu-clock -c 1000000 -o c.data -- "$PERF" test -w noploop 0.3
perf script -i c.data -F period | sort | uniq -c >periods
has periods '1000000'
[ "$(wc -l <periods)" = 1 ] || fail "different periods: $(cat periods)"
n=$(perf script -i c.data -F comm | wc -l)
[ "$n" -gt 50 ] && [ "$n" -lt 600 ] || fail "$n samples in 0.3 s at one a millisecond"
perf record -q -F 200 -e cpu-clock -o f.data -- "$PERF" test -w noploop 0.5
n=$(perf script -i f.data -F comm | wc -l)
[ "$n" -gt 50 ] && [ "$n" -lt 200 ] || fail "$n samples in 0.5 s at 200 Hz"

# Groups, and terms of a PMU.
perf record -q -e '{cpu-clock,page-faults}:u,context-switches' -o g.data -- "$PERF" test -w faulter 0.2
perf script -i g.data -F event | sort -u >events
has events '^ *cpu-clock:' '^ *page-faults:'
perf report --header-only -i g.data >header
has_not header 'missing features.* GROUP_DESC'
if [ -e /sys/bus/event_source/devices/software/type ]; then
	perf record -q -e software/config=0,period=1000000,name=mine/u -o s.data -- "$PERF" test -w noploop 0.1
	perf script -i s.data -F event,period | sort -u >events
	has events '^ *1000000 mine'
fi
# Terms of an event that needs no PMU to be named.
perf record -q -e cpu-clock/period=1000000,name=mine/u,cpu-clock/freq=500/ -o s.data -- "$PERF" test -w noploop 0.1
perf script -i s.data -F event,period | awk '/mine/ && $1 != 1000000 { exit 1 }' || fail "period=1000000"
perf report --header-only -i s.data >header
has header 'cpu-clock/freq=500/.*sample_freq } = 500'
fails 129 perf record -e no-such-pmu/config=1/ -- true 2>err
has err "no PMU 'no-such-pmu'" 'PMUs of this machine:'

need_root
perf record -q -a -e cpu-clock -o a.data -- "$PERF" test -w noploop 0.3
perf script -i a.data -F comm,cpu >lines
has lines '^ *perf +\[[0-9]+\]'
perf record -q -C 0 -e cpu-clock -o cpu.data -- "$PERF" test -w thloop 0.3 4
perf script -i cpu.data -F cpu | sort -u >cpus
[ "$(cat cpus)" = "[000]" ] || [ "$(tr -d ' ' <cpus)" = "[000]" ] || fail "-C 0: $(cat cpus)"

need_event sched:sched_process_exec
perf record -q -e sched:sched_process_exec,cpu-clock -g -o t.data -- sh -c 'ls >/dev/null; exit 0'
perf script -i t.data -F comm,event,trace,ip,sym >lines
has lines 'sched:sched_process_exec: *filename=/.*ls pid='
perf record -q -e 'sched:sched_process_*' -o g.data -- sh -c 'ls >/dev/null; exit 0'
perf script -i g.data -F event | sort -u >events
has events sched_process_exec sched_process_exit
