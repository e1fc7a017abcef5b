#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes the recordings again, on s390x (here QEMU's, with Debian 12 and its perf 6.1), where
# ../perf-5.10/deep.c is /usr/bin/deep: bash make.sh DIR
set -eu
cd "$1"
hostname s390
perf record -q -B -e cpu-clock:u -e page-faults:u -F 4 --call-graph dwarf,1024 -o copy.data -- deep
perf record -q -B -e cpu-clock:u -F 4 --call-graph dwarf,1024 -z -o packed.data -- deep
perf record -q -B -e cpu-clock:u -F 4 --call-graph dwarf,1024 -o - -- deep >copy.pipe
perf record -q -B -e sched:sched_switch -a -g -o trace.data -- sleep 0.1
for f in copy.data packed.data copy.pipe; do
	perf script --no-inline -F comm,pid,tid,time,event,ip,sym,dso -i $f >$f.txt
done
perf script --no-inline -F comm,pid,tid,time,event,trace,ip -i trace.data >trace.data.txt
