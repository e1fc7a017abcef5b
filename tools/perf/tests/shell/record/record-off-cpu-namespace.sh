#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu: processes in another PID namespace, and a recorder in one
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event context-switches
need_root
unshare -pf --mount-proc true 2>/dev/null || skip "no PID namespaces here"

ten_waits() { # FILE: ten waits of 50 ms of one thread, which has no unknown time
	perf script -i "$1" -F tid,event,period,ip,sym >script
	perf report -i "$1" --times thread | grep -v '^#' >times
	tid=$(awk '/offcpu-time/ { t = $1; long = $2 >= 50000000 }
		/workload_wait/ && long { n[t]++; long = 0 }
		END { for (t in n) if (n[t] >= 10) print t }' script)
	[ -n "$tid" ] || { cat times; fail "$1: no thread with ten waits in workload_wait()"; }
	awk -v tid="$tid" '$7 == tid { n++; good = $4 >= 0.5 && $5 == 0 && $1 >= $4 }
		END { exit !(n == 1 && good) }' times ||
		{ cat times; fail "$1: the account of thread $tid"; }
}

# The program is number 1 there; it is recorded by the number that it has here.
perf record --off-cpu -o inside.data -- unshare -pf --mount-proc \
	"$PERF" test -w spell 10 0.05 0.01 >spelled 2>err || { cat spelled err; fail "record inside"; }
ten_waits inside.data
[ "$tid" -gt 1 ] || fail "the thread has the number of the other namespace"

# The recorder is there, too: wakes have numbers of the first namespace, and would hit others.
unshare -pf --mount-proc "$PERF" record -v --off-cpu -o both.data -- \
	"$PERF" test -w spell 10 0.05 0.01 >spelled 2>err || { cat spelled err; fail "record both"; }
ten_waits both.data
has err 'in a PID namespace'
perf evlist -i both.data >events
has_not events sched_waking
