#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make check-vm: a guest is given up by what it had of the CPU, not by the clock alone
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
[ -e "$PERF_TEST_DIR/vm/machine.py" ] || skip "an installed perf has no virtual machines"

python - "$PERF_TEST_DIR/vm" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import machine
assert machine.give_up(59, 80, False, 150) is None
assert machine.give_up(149, 150, True, 150) is None
words, starved = machine.give_up(61, 61, False, 150)
assert "user space after 60 s" in words and not starved
words, starved = machine.give_up(151, 151, True, 150)
assert "limit of 150 s" in words and not starved
# A quarter of the CPU: four times as long.
assert machine.give_up(200, 50, False, 150) is None
assert machine.give_up(550, 140, True, 150) is None
# One that hangs without using the CPU, or gets nearly nothing, ends all the same: skipped.
words, starved = machine.give_up(301, 10, False, 150)
assert "301 s on the clock, 10 s on the CPU" in words and starved
before = machine._cpu_seconds(os.getpid())
while machine._cpu_seconds(os.getpid()) == before:
    pass
END
