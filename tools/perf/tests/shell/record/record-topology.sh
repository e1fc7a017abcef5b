#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: which CPUs share sockets, dies and cores is in the header, also of a pipe
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
cpus=/sys/devices/system/cpu
[ -e $cpus/cpu0/topology/core_cpus_list ] || skip "this kernel has no lists of CPUs that share a core"

perf record -q -e cpu-clock$U -o t.data -- true
perf report --header-only -i t.data >header
sed -n 's/^# sibling threads : //p' header | sort >got
cat $cpus/cpu[0-9]*/topology/core_cpus_list | sort -u | cmp - got
n=$(<$cpus/cpu0/topology/core_id)
has header "^# CPU 0: Core ID $n, .*Socket ID $(<$cpus/cpu0/topology/physical_package_id)\$" '^# sibling sockets : '
has_not header 'missing features.* CPU_TOPOLOGY'

perf record -q -e cpu-clock$U -o - -- true | perf report --header-only -i - >piped
has piped '^# captured on    : [A-Z]'
cmp <(grep -E '^# (sibling|CPU )' header) <(grep -E '^# (sibling|CPU )' piped)
