#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -G: samples of the tasks of cgroups, an event for each; ids told
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# A wrong name, and no cgroup without whole CPUs.
fails 129 perf record -G x -a -- true 2>err
has err 'must follow the event'
fails 129 perf record -e cpu-clock -G x,y -a -- true 2>err
has err 'must follow the event'
fails 129 perf record -e cpu-clock -G x -- true 2>err
has err 'G needs -a or -C'
need_root
top=$(awk '$3 == "cgroup" && ("," $4 ",") ~ /,perf_event,/ { print $2; exit }' /proc/mounts)
[ "$top" ] || top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ "$top" ] || skip "no hierarchy of cgroups is mounted"
fails 1 perf record -e cpu-clock -a -G no/such/group -- true 2>err
has err 'no access to cgroup .*/no/such/group: No such file'

group=perf-test-$$
mkdir "$top/$group" 2>err || skip "cannot make a cgroup: $(cat err)"
pids=()
leave() {
	[ ${#pids[@]} = 0 ] || kill "${pids[@]}" || true
	wait || true
	wait_until rmdir "$top/$group" 2>/dev/null
}
trap leave EXIT
for _ in 1 2; do "$PERF" test -w noploop 300 & pids+=($!); done
echo "${pids[0]}" >"$top/$group/cgroup.procs" || skip "cannot move a process into a cgroup"

# One name is for all events; an empty one for none.
perf record -q -a -e cpu-clock,page-faults -G $group -o one.data -- $(while_on_cpu "${pids[0]}" 0.1)
perf script -i one.data -F pid,event,ip,sym >lines
has lines "^ *${pids[0]} +cpu-clock: .*noploop"
awk -v pid="${pids[0]}" '$1 != pid { exit 1 }' lines || fail "-G $group: others, too"
perf record -q -a -e cpu-clock,task-clock -G $group, -o two.data -- $(while_on_cpu "${pids[1]}" 0.1)
perf script -i two.data -F pid,event >lines
awk -v pid="${pids[0]}" '/cpu-clock/ && $1 != pid { exit 1 }' lines || fail "-G $group,: others, too"
has lines "^ *${pids[1]} +task-clock:"

# The ids of cgroups are told, and are those of the samples.
perf record -q -a --all-cgroups -e cpu-clock -o all.data -- true
perf report -D -i all.data >dump
has dump 'PERF_RECORD_CGROUP cgroup: [0-9]+ /$' "PERF_RECORD_CGROUP cgroup: [0-9]+ /$group\$"
perf record -q -a --all-cgroups --synth=task -e cpu-clock -o none.data -- true
perf report -D -i none.data >dump
has_not dump "PERF_RECORD_CGROUP .*/$group\$"
# Samples are of them: what ran here does so at the top, or wherever the test was started.
perf record -q --all-cgroups -e cpu-clock -c 500000 -o own.data -- "$PERF" test -w noploop 0.2
perf script -i own.data -F comm,cgroup >lines
has lines '^ *perf[^ ]* +/'
has_not lines unknown
perf report -i own.data -q --no-children -s cgroup >out
has out '^ +[0-9.]+%  /'
perf script -i own.data -F +cgroup --json >json
has json '"cgroup": ?"/'
fails 1 perf script -i two.data -F comm,cgroup 2>err
has err "do not have CGROUP attribute set. Cannot print 'cgroup' field"
