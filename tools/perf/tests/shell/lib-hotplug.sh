# SPDX-License-Identifier: GPL-2.0-only
# Beside lib.sh, for tests with CPUs that come online while recording: $online says that CPU 0 is the only
# one, until moves.py writes the others; $all is the list of all, $last the last of them.
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
# long it went on after that. Then it becomes the command of the other arguments, there.
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
last = {int(re.split("[-,]", sys.argv[1])[-1])}
os.sched_setaffinity(0, last)
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
if sys.argv[3:]:
    os.sched_setaffinity(0, last)
    os.execvp(sys.argv[3], sys.argv[3:])
END
last=${all##*[-,]}
