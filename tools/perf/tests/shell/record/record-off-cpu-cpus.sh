#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu -C: what a thread runs on other CPUs counts as that
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_event cpu-clock
need_cmd taskset
[ "$(nproc)" -gt 1 ] || skip "needs two CPUs"
taskset -c 0,1 true 2>/dev/null || skip "may not run on CPUs 0 and 1"

# Sleeps on the CPU that is recorded, uses 0.4 s of the other one, and is back.
cat >moves.py <<'END_OF_MOVES'
import os, time

def turns(cpu, nr, run):
    os.sched_setaffinity(0, {cpu})
    for i in range(nr):
        end = time.process_time() + run
        while time.process_time() < end:
            pass
        time.sleep(0.005)

turns(0, 100, 0.001)
turns(1, 4, 0.1)
turns(0, 20, 0.001)
END_OF_MOVES
ln -s /usr/bin/python3 cpu-moves # a name that no other test's program has
taskset -c 0 "$PERF" record -C 0 -e cpu-clock --off-cpu -- ./cpu-moves moves.py 2>err ||
	fail "$(cat err)"
has err 'off-cpu with -C: intervals that begin on other CPUs have no stacks'
if grep -q 'lost' err; then
	skip "this machine was too busy: records were lost"
fi
perf report --times thread >times 2>/dev/null
grep -E 'blocked|cpu-moves' times
# elapsed, on, runnable, blocked, unknown
awk '$NF == "cpu-moves" { found = 1; bad = $2 < 0.45 || $4 < 0.3 || $5 > $1 / 10 }
	END { exit !found || bad }' times || fail "$(cat times)"
# Samples of waits are those that began on the CPU of -C.
perf script -F comm,event >waits
nr=$(grep -c '^ *cpu-moves .*offcpu-time' waits)
((nr >= 60)) || fail "$nr waits of 120"
