#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -s: ^C ends a script, also one that never returns; who reads its output may go away
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts
need_python
python "$PERF_TEST_DIR/lib/made-recording.py" memory x.data

# Between two samples: what was summed up is shown.
cat >stops.py <<'END'
import os, signal
n = 0

def process_event(d):
    global n
    n += 1
    if n == 3:
        os.kill(os.getpid(), signal.SIGINT)

def trace_end():
    print("end", n)
END
fails_130() { local got=0; "$@" || got=$?; [ $got = 130 ] || fail "'$*' ended with status $got"; }
fails_130 perf script -i x.data -s stops.py >out 2>err
[ "$(cat out)" = "end 3" ] || fail "$(cat out)"
[ ! -s err ] || fail "$(cat err)"

# Within a call that never returns, of process_event() and of trace_end().
cat >loops.py <<'END'
import sys
where = sys.argv[1]

def loop(name):
    if where == name:
        open("looping", "w").close()
        while True:
            pass

def trace_begin():
    loop("begin")

def process_event(d):
    loop("event")

def trace_end():
    loop("end")
    print("end")
END
for where in begin event end; do
	rm -f looping
	# In a shell job SIGINT would be ignored.
	env --default-signal=INT "$PERF" script -i x.data -s loops.py $where >out 2>err &
	pid=$!
	wait_until [ -e looping ]
	kill -INT $pid
	got=0
	wait $pid || got=$?
	[ $got = 130 ] || fail "$where: status $got: $(cat err)"
	case $where in event) has out '^end$' ;; *) has_not out '^end$' ;; esac
done

# SIGPIPE ends it quietly, as it does perf.
printf 'def process_event(d):\n\tprint("x" * 10000)\n' >prints.py
set +o pipefail
env --default-signal=PIPE "$PERF" script -i x.data -s prints.py 2>err | head -n 1 >/dev/null
case ${PIPESTATUS[0]} in 0 | 141) ;; *) fail "status ${PIPESTATUS[0]}" ;; esac
[ ! -s err ] || fail "$(cat err)"
set -o pipefail
# Nowhere to write to is a failure.
fails 1 perf script -i x.data -s prints.py >/dev/full 2>err

# A thread that has been left in a print(), whose reader comes late: its text is whole up to the end.
cat >thread.py <<'END'
import _thread, atexit, select, sys

def work():
    while True:
        print("x" * 99999)

def trace_begin():
    atexit.register(lambda: print("at exit"))
    _thread.start_new_thread(work, ())

def trace_end():
    while select.select([], [1], [], 0.01)[1]: # until it waits for the reader
        pass
    open("ended", "w").close()
END
perf script -i x.data -s thread.py 2>err | { wait_until [ -e ended ]; cat >out; } ||
	fail "$(cat err)"
[ "$(grep -c 'at exit$' out)" = 1 ] || fail "atexit: $(tail -c 100 out)"
# One that is no daemon is waited for.
cat >late.py <<'END'
import threading, time

def trace_end():
    threading.Thread(target=lambda: (time.sleep(0.1), print("late"))).start()
END
[ "$(perf script -i x.data -s late.py)" = late ] || fail "a thread was not waited for"

# Half a recording is said to be one, and its samples were there.
head -c $(($(stat -c %s x.data) / 2)) x.data >half.data
printf 'n = 0\ndef process_event(d):\n\tglobal n\n\tn += 1\ndef trace_end():\n\tprint(n)\n' >count.py
fails 1 perf script -i half.data -s count.py >out 2>err
has err '^Error: '
[ "$(cat out)" -gt 10 ] || fail "$(cat out) samples"
