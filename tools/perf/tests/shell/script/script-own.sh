#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: scripts of our own: times per function, waits for locks, wakers, changes, differences
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts
need_event cpu-clock
report() { perf script report "$@" >out 2>err || fail "$*: $(cat err)"; }

# Two programs, one after the other: each has its functions.
cat >two.sh <<END
"$PERF" test -w noploop 0.3
"$PERF" test -w deep 20 0.3
END
perf record -q -e cpu-clock -F 999 -g --defer=copy -o two.data -- sh two.sh
perf record -q -e cpu-clock -F 999 -g --defer=copy -o one.data -- "$PERF" test -w noploop 0.3
first=$(perf script -i one.data -G -F ip,sym | awk '{ print $2 }' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')

report function-times -i one.data --by self --top 3
has out "^perf.* \([0-9]+\): [0-9.]+ ms in [0-9]+ samples$" '^ *total +% +self +% +function$' "^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+  $first$"
# The sum of times is that of the periods.
total=$(perf script -i one.data -G -F period | awk '{ n += $1 } END { printf "%.1f", n / 1e6 }')
[ "$(awk '/ms in/ { n += $3 } END { printf "%.1f", n }' out)" = "$total" ] || fail "not $total ms: $(cat out)"
report function-times -i two.data --all
has out "^perf.*: [0-9.]+ ms in"

report time-changes -i two.data
samples=$(samples two.data)
[ "$(sed -En 's/.*: ([0-9]+) samples, .*: ([0-9]+) samples/\1 \2/p' out | awk '{ print $1 + $2 }')" = "$samples" ] ||
	fail "$(cat out)"
has out '^ +[0-9.]+ +[0-9.]+ +\+[0-9.]+  workload_deep$'
report time-changes -i two.data --self 0%-10% 0%-10%
has_not out '[+-]([1-9]|0\.[1-9]).*  '
fails 1 perf script report time-changes -i two.data nonsense 2>err
has err "'nonsense' is not a time range"

# Two recordings: what one has and the other has not, and of the same one nothing.
report function-diff -i one.data --save one.json
has out "^$(samples one.data) samples of [0-9]+ functions$"
report function-diff -i one.data one.json
has out "^before: $total ms in $(samples one.data) samples, now: $total ms in $(samples one.data) samples$"
[ -z "$(awk 'NR > 2 && $3 != "+0.0"' out)" ] || fail "$(cat out)"
report function-diff -i two.data one.json
has out '^ *before +now +change +before % +now % +function$' '^ *0\.0 +[0-9.]+ +\+[0-9.]+ +0\.00 +[0-9.]+  workload_deep$'
awk 'NR > 2 { d = $2 - $1 - $3; if (d > 0.15 || d < -0.15) exit 1 }' out || fail "$(cat out)"
for bad in '' '[]' '{"format": "perf function-diff 1"}' 'null' \
	'{"format": "perf function-diff 1", "clocks": true, "all": 1, "samples": 1, "self": {"a": "b"}, "total": {}}'; do
	echo "$bad" >bad.json
	fails 1 perf script report function-diff -i one.data bad.json 2>err
	has err "'bad.json' was not written by --save"
done
fails 1 perf script report function-diff -i one.data nowhere.json 2>err
has err "cannot read 'nowhere.json': No such file"
fails 1 perf script report function-diff -i one.data 2>err
has err 'either --save FILE, or a FILE'

# Whom the scheduler lets run.
need_event sched:sched_switch
need_python
cat >wakes.py <<'END'
import os, threading
# On one CPU: a wakeup of another one may be told by what runs there, and is then not recorded.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
a, b = os.pipe(), os.pipe()

def answer():
    for i in range(200):
        os.read(a[0], 1)
        os.write(b[1], b"x")

t = threading.Thread(target=answer)
t.start()
for i in range(200):
    os.write(a[1], b"x")
    os.read(b[0], 1)
t.join()
END
perf script record wakers -q -o wakers.data -- /usr/bin/python3 wakes.py
report wakers -i wakers.data
n=$(perf script -i wakers.data -F event 2>/dev/null | grep -c 'sched:sched_wakeup')
[ "$(sed -En 's/^([0-9]+) wakeups of .*/\1/p' out)" = "$n" ] || fail "not $n: $(head -n 3 out)"
has out '^ *[0-9]+ +[0-9.]+ +[0-9.]+  python3 +python3$'
report wakers -i wakers.data no-such
has out '^0 wakeups of 0 pairs$'

need_event syscalls:sys_enter_futex
cat >locks.py <<'END'
import threading, time
lock, held = threading.Lock(), threading.Event()

def wait():
    held.set()
    lock.acquire()

lock.acquire()
t = threading.Thread(target=wait)
t.start()
held.wait()
time.sleep(0.02)
lock.release()
t.join()
END
perf script record lock-waits -q -o locks.data -- /usr/bin/python3 locks.py
report lock-waits -i locks.data
has out '^[1-9][0-9]* waits, [0-9.]+ us in all$' '^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9.]+  python3 \([0-9]+\) +0x[0-9a-f]+  '
report lock-waits -i locks.data --min 1000000000
has out '^0 waits, 0.0 us in all$'
