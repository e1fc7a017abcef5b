#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent -p: a process that has the agent loaded is recorded with it, again and again
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

cat >work.py <<'END'
import ctypes
import os
import signal
import sys
import threading
import time
libc = ctypes.CDLL(None)
def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def outer(name):
    libc.prctl(15, name.encode())
    while not os.path.exists("stop"):
        leaf(20000)
def short():
    leaf(20000)
# The recorder needs the rights of a debugger, unless it is root.
libc.prctl(0x59616d61, -1)
# Descriptors that a daemon would close.
if "close" in sys.argv:
    os.closerange(3, 4096)
for i in range(20):
    t = threading.Thread(target=short)
    t.start()
    t.join()
t = threading.Thread(target=outer, args=("thread",))
t.start()
pid = os.fork()
if not pid:
    outer("child")
    os._exit(0)
open("ready", "w").close()
outer("main")
t.join()
os._exit(os.waitpid(pid, 0)[1])
END
AGENT=$(dirname "$(realpath "$PERF")")/libperf-agent.so
[ -e "$AGENT" ] || AGENT=$PERF_EXEC_PATH/libperf-agent.so
[ -e "$AGENT" ] || AGENT=$(find "$(dirname "$PERF")/.." -name libperf-agent.so | head -n 1)

# of_python FILE NAME: samples of a thread with outer() among Python's functions.
of_python() {
	"$PERF" script -i "$1" -F comm,ip,sym,dso | awk -v comm="$2" '/^[^ \t]/ { if (n) all++; c = $1; n = 0 }
		c == comm && / outer \(.*\/python-/ { n = 1 } END { print all + (n > 0) }'
}
begin() {
	rm -f ready stop
	LD_PRELOAD=$AGENT /usr/bin/python3 work.py "$@" &
	pid=$!
	wait_until test -e ready
}
finish() {
	: >stop
	wait "$pid" || fail "the program ended with $?"
}

begin
for i in 1 2; do
	"$PERF" record --agent -F 1000 -o "a$i.data" -p $pid -- "$PERF" test -w waiter $pid 0.4 2>err || fail "$(cat err)"
	has err 'agent: [0-9]+ of [0-9]+ samples matched.*; 1 process'
	mostly_matched err || fail "round $i: $(cat err)"
	[ "$(of_python "a$i.data" main)" -gt 20 ] || fail "round $i: main"
	[ "$(of_python "a$i.data" thread)" -gt 20 ] || fail "round $i: thread"
done
child=$(pgrep -P $pid)
"$PERF" record --agent -F 1000 -o c.data -p "$child,$pid" -- "$PERF" test -w waiter "$child" 0.2 2>err || fail "$(cat err)"
has err '; 2 processes'
[ "$(of_python c.data child)" -gt 10 ] || fail "child: $(cat err)"

# Two at a time: the second is told, and samples without.
"$PERF" record --agent -F 200 -o d.data -p $pid 2>err.d &
recorder=$!
wait_until grep -q perf-agent "/proc/$recorder/maps"
"$PERF" record --agent -F 1000 -o e.data -p $pid -- "$PERF" test -w waiter $pid 0.1 2>err || fail "$(cat err)"
has err 'in use by another recorder' 'without an agent'
kill -INT $recorder
wait $recorder || :
finish

# One whose descriptor is closed: root finds the memory nevertheless.
begin close
"$PERF" record --agent -F 1000 -o f.data -p $pid -- "$PERF" test -w waiter $pid 0.2 2>err || fail "$(cat err)"
if [ "$(id -u)" = 0 ]; then
	has err 'agent: [0-9]+ of [0-9]+ samples matched.*; 1 process'
else
	has err 'without an agent'
fi
finish

# One without.
"$PERF" test -w noploop 30 &
pid=$!
"$PERF" record --agent -F 1000 -o g.data -p $pid -- "$PERF" test -w waiter $pid 0.1 2>err || fail "$(cat err)"
has err 'did not load the agent' 'without an agent'
kill $pid
