#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: where he may not write, and with few descriptors
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

mkdir -m 755 closed
perf record -q -e cpu-clock -o closed/roots -- true
chmod 644 closed/roots
for name in new roots; do
	fails 1 user record -e cpu-clock -o closed/$name -- true 2>err
	has err "^Error: cannot (open|rename the existing) closed/$name (for writing|to .*): Permission denied"
done
[ "$(ls closed)" = roots ] || fail "in closed: $(ls closed)"
(ulimit -n 8; fails 1 user record -e cpu-clock -o n.data -- true 2>err)
has err '^Error: .*[Tt]oo many open files' '^Raise (it \(|the limit: )ulimit -n'
