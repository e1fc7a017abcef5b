#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: what the kernel refuses, and the setting that would allow it
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock
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
