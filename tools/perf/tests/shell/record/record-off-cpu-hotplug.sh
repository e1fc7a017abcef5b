#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a CPU comes online: -a opens events there; else what follows is unknown
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

# Waits for half a second; then the other CPUs are there, and it goes to the last one. If its second
# argument is "joins" it is there until perf, which has started it, has more events, and says for how
# long it went on after that.
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

def events():
    folder = "/proc/%d/fd/" % os.getppid()
    found = 0
    for fd in os.listdir(folder):
        try:
            found += "perf_event" in os.readlink(folder + fd)
        except OSError: # closed meanwhile
            pass
    return found

turns(100)
before = events()
with open("cpus", "w") as f:
    f.write(sys.argv[1] + "\n")
os.sched_setaffinity(0, {int(re.split("[-,]", sys.argv[1])[-1])})
joins = sys.argv[2] == "joins"
end = time.monotonic() + 20
while joins and events() <= before and time.monotonic() < end:
    pass
if joins:
    spin(0.3) # the last of the events is enabled
began = time.monotonic()
spin(1)
turns(20)
print(time.monotonic() - began)
END
ln -s /usr/bin/python3 plug-moves # a name that no other test's program has

record() { # JOINS OPTION...
	echo 0 >cpus
	# From its exec on it is where events are.
	taskset -c 0 "$PERF" record "${@:2}" -e cpu-clock --off-cpu -- \
		./plug-moves moves.py "$all" "$1" >went_on 2>err || fail "$(cat err)"
	perf report --times thread >times 2>report_err
	grep -E 'blocked|plug-moves' times
}

for cpus in "" "-C 0"; do
	record no $cpus
	has err '^Warning: CPU [0-9]+ came online .* what ran there was not recorded, and times off' \
		'unknown from when a CPU came online'
	# Waits before that are known; neither the second nor what comes behind it is one.
	awk '$NF == "plug-moves" { found = 1; bad = $5 < 1.05 || $4 < 0.01 }
		END { exit !found || bad }' times || fail "'$cpus': $(cat times)"
done

# What follows is known, but for the moment in which there was none.
record joins -a
has err 'a CPU came online, and was recorded from then on'
has_not err 'Warning: CPU|unknown from when' 'records? lost'
last=${all##*[-,]}
perf script --comm plug-moves --cpu "$last" -F comm,event,cpu >there
[ "$(grep -c cpu-clock there)" -gt 0 ] || fail "no samples on CPU $last: $(cat err)"
# Its time before, some 0.7 s, and what it says.
awk -v said="$(cat went_on)" '$NF == "plug-moves" { found = 1; bad = $1 - $5 < said }
	END { exit !found || bad }' times || fail "it went on for $(cat went_on) s: $(cat times)"
