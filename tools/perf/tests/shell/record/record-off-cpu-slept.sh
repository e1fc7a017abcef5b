#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu -p: who sleeps all the time has a wait as long, with its stack
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event context-switches
[ -z "$U" ] || skip "needs the right to sample the kernel, as switches are sampled there"

# One thread sleeps, another process goes on: times begin with the first record. A third is woken by
# a shell that is not recorded, and sleeps most of the time.
"$PERF" test -w spell 1 300 0 >spelled & slept=$!
"$PERF" test -w spell 100000 0.01 0.001 >/dev/null & busy=$!
mkfifo words
cat <words >/dev/null & woken=$!
(while sleep 0.02; do echo word; done) >words & waker=$!
cleanup() { kill $slept $busy $woken $waker 2>/dev/null; }
trap cleanup EXIT
asleep() { sed 's/.*) //' /proc/$slept/stat | grep -q '^S'; }
wait_until asleep
grep -q '^-\?[0-9]' /proc/$slept/syscall || skip "what a process sleeps in may not be looked at here"

perf record --off-cpu -o o.data -p $slept,$busy,$woken -- sleep 1 2>err || { cat err; fail record; }
perf script -i o.data -F tid,event,period,ip,sym >script
awk -v tid=$slept '
	/offcpu-time/ { mine = $1 == tid; if (mine) { n++; period = $2 } }
	mine && /workload_wait/ { stack = 1 }
	END { print n, period; exit !(n == 1 && stack && period > 5e8) }' script ||
	{ grep -A30 "^ *$slept " script; fail "not one long wait in workload_wait()"; }
# Its account has the same, and nothing else.
perf report -i o.data --times thread | grep -w "$slept" >times || fail "no account of it"
awk '{ exit !($1 > 0.5 && $2 == 0) }' times || { cat times; fail "it was not blocked all the time"; }

# Who has only woken one of them is none of them.
others=$(awk -v ids="$slept $busy $woken" '
	BEGIN { split(ids, id); for (i in id) mine[id[i]] }
	/offcpu-time/ && !($1 in mine) { print $1 }' script | sort -u)
[ -z "$others" ] || fail "waits of threads that were not to be recorded: $others; the shell is $waker"
