#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make check-vm: when a guest is given up, and when that proves nothing of perf
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
# An emulated kernel that dies says nothing of perf; one that ends or hangs by itself does.
assert machine.proves_nothing("tcg,thread=multi", None, "GUEST-START 5")
assert machine.proves_nothing("kvm", None, "GUEST-START 5 Kernel panic")
assert machine.proves_nothing("kvm", None, "")
assert not machine.proves_nothing("kvm", None, "GUEST-START 5")
assert not machine.proves_nothing("tcg,thread=multi", None, "GUEST-START 5 GUEST-END 60")
assert not machine.proves_nothing("tcg,thread=multi", "past the limit of 300 s", "GUEST-START 5")
before = machine._cpu_seconds(os.getpid())
while machine._cpu_seconds(os.getpid()) == before:
    pass
END
