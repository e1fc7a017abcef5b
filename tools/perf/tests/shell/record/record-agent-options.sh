#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: several events, --switch-output, --control and -D work with it
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

cat >work.py <<'END'
import mmap
import os
import sys
import time
def leaf(n):
    s = 0
    for i in range(n):
        s += i
    return s
def touching():
    leaf(2000)
    with mmap.mmap(-1, 64 * 4096) as m:
        for i in range(64):
            m[i * 4096] = 1
def outer():
    open("ready", "w").close()
    end = time.process_time() + 30
    while time.process_time() < end and not os.path.exists("stop"):
        touching() if len(sys.argv) < 2 else leaf(2000)
outer()
END
# of_python FILE EVENT: its samples with outer() among Python's functions.
of_python() {
	"$PERF" script -i "$1" -F event,ip,sym,dso | awk -v event="$2" '/^[^\t]*:[^0-9a-f]*$/ { e = $1; n = 1 }
		index(e, event) == 1 && / outer \(.*\/python-/ { all += n; n = 0 } END { print all + 0 }'
}

# Each sample counts for its own event.
"$PERF" record --agent -e cpu-clock,page-faults -F 1000 -o e.data -- /usr/bin/python3 work.py 2>err &
recorder=$!
wait_until test -e ready
python_pid=$(pgrep -P $recorder)
"$PERF" test -w waiter "$python_pid" 1
: >stop
wait $recorder || fail "$(cat err)"
[ "$(of_python e.data cpu-clock)" -gt 100 ] || fail "cpu-clock: $(cat err)"
[ "$(of_python e.data page-faults)" -gt 20 ] || fail "page-faults: $(cat err)"

# Each file can be read alone.
rm -f ready stop
"$PERF" record --agent -e cpu-clock -F 1000 --switch-output -o s.data -- /usr/bin/python3 work.py 2>err &
recorder=$!
wait_until test -e ready
python_pid=$(pgrep -P $recorder)
"$PERF" test -w waiter "$python_pid" 0.5
kill -USR2 $recorder
wait_until sh -c 'ls s.data.2* 2>/dev/null | grep -q .'
"$PERF" test -w waiter "$python_pid" 0.5
: >stop
wait $recorder || fail "$(cat err)"
nr=0
for f in s.data.2*; do
	[ -f "$f" ] || continue
	[ "$(of_python "$f" cpu-clock)" -gt 50 ] || fail "$f: $(cat err)"
	nr=$((nr + 1))
done
[ $nr = 2 ] || fail "$nr files"

# Disabled at first, enabled and disabled by words.
rm -f ready stop
mkfifo ctl ack
"$PERF" record --agent -e cpu-clock -D -1 -F 1000 --control fifo:ctl,ack -o c.data -- /usr/bin/python3 work.py leaf 2>err &
recorder=$!
exec 3>ctl 4<ack
wait_until test -e ready
python_pid=$(pgrep -P $recorder)
word() {
	echo "$1" >&3
	read -r answer <&4
	[ "$answer" = ack ] || fail "$1: $answer"
}
"$PERF" test -w waiter "$python_pid" 0.3
word enable
"$PERF" test -w waiter "$python_pid" 0.3
word disable
word 'enable cpu-clock'
"$PERF" test -w waiter "$python_pid" 0.3
word 'disable cpu-clock'
"$PERF" test -w waiter "$python_pid" 0.6
: >stop
wait $recorder || fail "$(cat err)"
nr=$(of_python c.data cpu-clock)
# 0.6 s of 1.5 s at 1 kHz, all in user space, and what the tools between take.
[ "$nr" -gt 300 ] || fail "$nr samples: $(cat err)"

# A time after which it begins.
rm -f ready stop
"$PERF" record --agent -e cpu-clock -D 50 -F 1000 -o d.data -- /usr/bin/python3 work.py 2>err &
recorder=$!
wait_until test -e ready
"$PERF" test -w waiter "$(pgrep -P $recorder)" 1
: >stop
wait $recorder || fail "$(cat err)"
[ "$(of_python d.data cpu-clock)" -gt 100 ] || fail "-D: $(cat err)"
