#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff: two events that are the same, but for their modifiers, are each with their own samples
. "$PERF_TEST_DIR/shell/diff/lib-diff.sh"

# So many samples of two events with one type and configuration, and these names.
cat >make.py <<'END'
import importlib.util, os, struct, sys
spec = importlib.util.spec_from_file_location("made", os.environ["PERF_TEST_DIR"] + "/lib/made-recording.py")
m = importlib.util.module_from_spec(spec)
spec.loader.exec_module(m)
names, counts = sys.argv[2].split(","), [int(n) for n in sys.argv[3].split(",")]
attrs = [m.attr(m.BASE | m.SAMPLE_IDENTIFIER)] * 2
tail = struct.pack("=IIQQ", m.PID, m.PID, 1, 100)
out = m.record(m.EV_COMM, struct.pack("=II", m.PID, m.PID) + b"made".ljust(16, b"\0") + tail)
for event, count in enumerate(counts):
    for n in range(count):
        out += m.record(m.EV_SAMPLE, struct.pack("=QQIIQ", 100 + event, 0x400100, m.PID, m.PID, 1000 + n), 2)
described = struct.pack("=II", 2, 128)
for event, name in enumerate(names):
    text = name.encode() + b"\0" * (4 - len(name) % 4)
    described += attrs[event] + struct.pack("=II", 1, len(text)) + text + struct.pack("=Q", 100 + event)
with open(sys.argv[1], "wb") as f:
    f.write(m.file_of(attrs, out, {12: described}))
END
python make.py ab.data a:u,a:k 30,50
python make.py ba.data a:k,a:u 10,70
python make.py same.data a,a 3,5

periods() { # FILES...: of both in the first event, and in the second
	perf diff -p -s comm "$@" >out 2>err
	awk '/made/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/) printf "%s ", $i; print "" }' out | tr -d '\n'
}
[ "$(periods ab.data ab.data)" = '30 30 50 50 ' ] || { cat out; fail "not 30 and 50"; }
# By their names where the order is another, and else one after the other.
[ "$(periods ab.data ba.data)" = '30 70 50 10 ' ] || { cat out; fail "not 30 and 70, 50 and 10"; }
[ "$(periods same.data same.data)" = '3 3 5 5 ' ] || { cat out; fail "not 3 and 5"; }
