#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: which CPUs share sockets, dies and cores is in the header, also of a pipe; report by socket
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

# By socket, and those of one only.
socket=$(printf %03d "$(<$cpus/cpu0/topology/physical_package_id)")
perf record -q -e cpu-clock$U -C 0 -o s.data -- "$PERF" test -w noploop 0.1 2>err ||
	{ grep -q paranoid err || fail "$(cat err)"; exit 0; }
perf report -s socket -i s.data >out
has out '^# Overhead  Socket' "^ +100[.]00%  +$socket"
perf report -s cpu --socket-filter "$((10#$socket))" -i s.data >out
has out "^# Processor Socket: $((10#$socket))\$" '^ +100[.]00%  000'
perf report -s cpu --socket-filter 4000 -i s.data >out
has_not out '%  000'
perf report --json -s socket -i s.data | grep -q "\"socket\":\"$socket\"" || fail "no socket in --json"
fails 1 perf report --socket-filter one -i s.data 2>err
has err "'one' is not a number"
