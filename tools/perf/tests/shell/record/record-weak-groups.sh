#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e {...}:W: where the kernel refuses the group each event is for itself
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-terms.sh"

if ! perf record -q -e '{cpu-clock,task-clock:D}' -o t.data -- true 2>/dev/null; then
	record -F 500 -e '{cpu-clock,task-clock:D}:W' -- "${work[@]}"
	[ "$(perf script -i t.data -F event | grep -c task-clock:D)" -gt 20 ] || fail "W: no samples"
fi
record -e 'cpu-clock:b,task-clock:X' -- true
