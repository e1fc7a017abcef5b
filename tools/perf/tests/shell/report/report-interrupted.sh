#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: ^C ends it while it waits for a recording, and while it reads and sorts
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-interrupted.sh"
need_python

has_used_cpu() { [ "$(awk '{ print $14 }' "/proc/$report/stat")" -ge "$1" ]; }
sleeps() { [ "$(cut -d ' ' -f 2,3 "/proc/$report/stat")" = "(perf) S" ]; }

# A writer who writes nothing.
mkfifo silent
sleep 1000 >silent & writer=$!
trap 'kill $writer || true' EXIT
report_of silent
interrupted sleeps

# Samples without end, none like those before it: they are read and sorted for ever.
cat >endless.py <<'END'
import signal, struct, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
IP, TID, TIME, CALLCHAIN, USER, NR = 1, 2, 4, 32, (1 << 64) - 512, 100
attr = struct.pack("=IIQQQ", 1, 128, 0, 1, IP | TID | TIME | CALLCHAIN).ljust(128, b"\0")
out = sys.stdout.buffer
out.write(b"PERFILE2" + struct.pack("=Q", 16) + struct.pack("=IHH", 64, 0, 8 + len(attr)) + attr)
n = 0
while True:
    n += 1
    chain = [n * 4096 + i for i in range(NR)]
    body = struct.pack("=QIIQQQ%dQ" % NR, chain[0], 1, 1, n, 1 + NR, USER, *chain)
    out.write(struct.pack("=IHH", 9, 2, 8 + len(body)) + body)
END
mkfifo endless
python endless.py >endless & endless=$!
report_of endless
interrupted has_used_cpu 10
wait $endless || true
[ ! -s err ] || fail "$(cat err)"
