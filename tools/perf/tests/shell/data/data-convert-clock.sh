#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert: when it was, by the recording's clocks or its file; fields of tracepoints
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_python

cat >began.py <<'END'
"""The time of a profile of pprof, in seconds: field 9."""
import gzip, sys

def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at

data = gzip.open(sys.argv[1]).read()
at = 0
while at < len(data):
    key, at = varint(data, at)
    value, at = varint(data, at)
    at += value if key & 7 == 2 else 0
    if key == 9 << 3:
        print(value // 10**9)
END
# began FILE: in seconds since 1970
began() { perf data convert -q --to pprof -i "$1" -o - | cat >"$1.gz"; python began.py "$1.gz"; }

before=$(date +%s)
perf record -q -k CLOCK_MONOTONIC -e cpu-clock$U -F 2000 -o clocks.data -- "$PERF" test -w noploop 0.1
after=$(date +%s)
perf record -q -e cpu-clock$U -F 2000 -o plain.data -- "$PERF" test -w noploop 0.1
touch -d @1000000000 clocks.data plain.data
when=$(began clocks.data)
[ "$when" -ge "$before" ] && [ "$when" -le "$after" ] || fail "$when, not $before to $after"
# The last sample was when the file was written.
when=$(began plain.data)
[ "$when" -le 1000000000 ] && [ "$when" -ge 999999000 ] || fail "$when"
[ -z "$(perf data convert -q --to pprof -i - -o - <plain.data | cat >piped.gz; python began.py piped.gz)" ] ||
	fail "a pipe has a time"

need_root
need_event sched:sched_process_exec
perf record -q -o t.data -e sched:sched_process_exec,sched:sched_process_fork,raw_syscalls:sys_exit \
	-- sh -c '/bin/true; ls /none 2>/dev/null; true'
perf data convert -q --to json -i t.data -o t.json
python - >now <<'END'
import json
for s in json.load(open("t.json"))["samples"]:
    if "filename" in s:
        print("filename=%(filename)s pid=%(pid)s old_pid=%(old_pid)s" % s)
    elif "child_comm" in s:
        print("comm=%(parent_comm)s pid=%(parent_pid)s child_comm=%(child_comm)s child_pid=%(child_pid)s" % s)
    else:
        print("NR %(id)s = %(ret)s" % s)
END
perf script -i t.data -F trace | sed -E 's/^ +//; s/ +$//' >wanted
has wanted '^filename=/bin/true ' '^comm=sh pid=' '^NR [0-9]+ = -2$'
cmp now wanted
