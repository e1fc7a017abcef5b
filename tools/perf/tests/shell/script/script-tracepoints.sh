#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script, report: fields of tracepoints, and callchains below them
. "$PERF_TEST_DIR/shell/lib.sh"
own_mounts
need_event sched:sched_switch

perf record -q -a -e sched:sched_switch -o plain.data -- sleep 0.1
perf script -i plain.data >text
has text '^ *\S.* +[0-9]+ \[[0-9]{3}\] +[0-9]+\.[0-9]{6}: sched:sched_switch: prev_comm=.* prev_pid=[0-9]+ .*==> next_comm=.* next_pid=[0-9]+'
# A line for each sample, but for commands whose names have newlines: others may run such.
[ "$(grep -c "sched:sched_switch: prev_comm=" text)" = "$(perf script -i plain.data -F time | wc -l)" ] || fail "a line of another form"
# Tracepoints alone are counted by what they say.
perf report -i plain.data >report
has report '^# Overhead  Trace output' '%  prev_comm=.*==> next_comm='
perf report --raw-trace -i plain.data >report
has report '%   prev_comm=.* prev_pid=.* next_comm='
has_not report '==>'

# Addresses of kernel functions have names, where the kernel lets us see them.
if [ -e /sys/kernel/tracing/events/timer/hrtimer_start ] && [ "$(sed -n '1s/ .*//p' /proc/kallsyms | tr -d 0)" ]; then
	perf record -q -a -e timer:hrtimer_start -o timer.data -- "$PERF" test -w noploop 0.1
	perf script -i timer.data -F trace >text
	has text ' function=[a-z_]+ '
	has_not text ' function=0xffff'
	perf report -i timer.data >report
	has report '%  hrtimer=0x[0-9a-f]+ function=[a-z_]+ '
fi

perf record -q -a -g -e sched:sched_switch -e cpu-clock -F 99 -o both.data -- sleep 0.1
perf script -i both.data -F trace:comm,trace >text
has text '^ *\S.* prev_comm=.*==> next_comm='
perf script -i both.data >text
has text ' sched:sched_switch: prev_comm=' '^	ffff[0-9a-f]+ __schedule\+0x'
perf report -i both.data -g none >report
has report "of event 'sched:sched_switch'" '^# Children      Self  Command +Shared Object +Symbol'
perf script -i both.data -F trace: >text
has_not text 'sched_switch'
fails 129 perf script -i both.data -F sw:trace 2>err
has err "'trace' is not valid"
