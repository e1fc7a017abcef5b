#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what is refused, and that the words say what to do
. "$PERF_TEST_DIR/shell/lib.sh"

fails 129 perf record -e cycels -- true 2>err
has err "unknown event 'cycels'. Did you mean cycles\?"
fails 129 perf record -e cpu-clock:q -- true 2>err
has err "unknown modifier"
fails 129 perf record -F 0 -- true 2>err
fails 129 perf record -F x -- true 2>err
fails 129 perf record -F 100 -c 100 -- true 2>err
has err 'exclude each other'
fails 129 perf record -m 0 -- true 2>err
fails 129 perf record --stack-size 100000 -- true 2>err
has err '65528'
fails 129 perf record --call-graph lbr -- true 2>err
fails 129 perf record --defer=maybe -- true 2>err
has err 'auto, kernel and copy'
fails 129 perf record -p 12x 2>err
has err "'12x' is not a list"
fails 129 perf record -j no_such -- true 2>err
has err "'no_such' is not a branch filter" 'any_call'
fails 129 perf record --vmlinux x -- true 2>err
has err "vmlinux. of Linux perf is not supported: BPF"
for o in snapshot aux-sample kcore threads off-cpu; do
	fails 129 perf record --$o -- true 2>err
	has err "$o. of Linux perf is not supported"
done

# What is refused when events are open, or by the kernel, where it lets us ask.
need_event cpu-clock
for with in -b '-j any_call,u'; do
	fails 1 perf record $with -e cpu-clock -- true 2>err
	has err 'has no branch stacks on this machine' 'LBR'
done
fails 1 perf record -o /no/such/folder/perf.data -- true 2>err
has err '/no/such/folder/perf.data.*No such file'
fails 1 perf record -p 2147483647 2>err
has err 'no process or thread 2147483647'
fails 1 perf record -C 9999 -- true 2>err
has err 'CPU 9999 is not online|not a list of CPUs'
[ ! -e perf.data ] || fail "a refused recording left a file"

need_root
need_cmd setpriv
# A copy, since the folder that perf lies in may be closed to others.
cp "$PERF" perf-copy
chmod 777 .
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all ./perf-copy "$@"; }
level=$(cat /proc/sys/kernel/perf_event_paranoid)
[ "$level" = 2 ] || skip "kernel.perf_event_paranoid is $level, the messages differ"
fails 1 nobody record -o u.data -a -- true 2>err
has err 'kernel.perf_event_paranoid is 2; this needs 0 or less' 'CAP_PERFMON'
fails 1 nobody record -o u.data -e cpu-clock:k -- true 2>err
has err 'sysctl kernel.perf_event_paranoid=1'
fails 1 nobody record -o u.data -e cpu-clock -p 1 2>err
has err 'another user'
fails 1 nobody record -o u.data -m 256M -- true 2>err
has err 'perf_event_mlock_kb' '-m'
fails 1 nobody record -o u.data -e cpu-clock --phys-data -- true 2>err
has err 'sysctl kernel.perf_event_paranoid=1, or leave out --phys-data'
fails 1 nobody record -o u.data -e cpu-clock --namespaces -- true 2>err
has err '^--namespaces needs CAP_PERFMON'
fails 1 nobody record -o u.data -r 1 -e cpu-clock -- true 2>err
has err 'CAP_SYS_NICE'
for with in --per-thread '--per-thread --defer=copy' '-z -D 20' '-P -d -s -k mono'; do
	nobody record -q $with -o u.data -e cpu-clock -- ./perf-copy test -w noploop 0.1 2>err
done
# User space only, without being asked for it.
nobody record -o u.data -e cpu-clock -- ./perf-copy test -w noploop 0.1 2>err
has err 'user space only'
