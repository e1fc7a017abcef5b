#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu: a CPU came online that has no events: what follows is unknown
. "$PERF_TEST_DIR/shell/lib.sh"
own_mounts
need_root
need_python
need_event cpu-clock
need_cmd taskset
[ "$(nproc)" -gt 1 ] || skip "needs two CPUs"

# The list of CPUs that are online is a file of ours for this test and what it starts.
online=/sys/devices/system/cpu/online
all=$(cat $online)
echo 0 >cpus
mount --bind cpus $online 2>/dev/null || skip "nothing can be mounted over $online"

# Waits for half a second; then the other CPUs are there, and it spends a second on the last one.
cat >moves.py <<'END'
import os, re, sys, time

def spin(sec):
    end = time.monotonic() + sec
    while time.monotonic() < end:
        pass

def turns(nr):
    os.sched_setaffinity(0, {0})
    for i in range(nr):
        spin(0.002)
        time.sleep(0.005)

turns(100)
with open("cpus", "w") as f:
    f.write(sys.argv[1] + "\n")
os.sched_setaffinity(0, {int(re.split("[-,]", sys.argv[1])[-1])})
spin(1)
turns(20)
END
ln -s /usr/bin/python3 plug-moves # a name that no other test's program has
for cpus in "" -a "-C 0"; do
	echo 0 >cpus
	# From its exec on it is where events are.
	taskset -c 0 "$PERF" record $cpus -e cpu-clock --off-cpu -- ./plug-moves moves.py "$all" 2>err ||
		fail "$(cat err)"
	has err '^Warning: CPU [0-9]+ came online .* what ran there was not recorded, and times off' \
		'unknown from when a CPU came online'
	perf report --times thread >times 2>err
	grep -E 'blocked|plug-moves' times
	# Waits before that are known; neither the second nor what comes behind it is one.
	awk '$NF == "plug-moves" { found = 1; bad = $5 < 1.05 || $4 < 0.01 }
		END { exit !found || bad }' times || fail "'$cpus': $(cat times)"
done
