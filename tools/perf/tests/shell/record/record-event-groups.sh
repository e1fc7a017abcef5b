#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e {...}: the events of a group have samples
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e '{cpu-clock,page-faults}:u,context-switches' -o g.data -- "$PERF" test -w faulter 0.2
perf script -i g.data -F event | sort -u >events
has events '^ *cpu-clock:' '^ *page-faults:'
perf report --header-only -i g.data >header
has_not header 'missing features.* GROUP_DESC'
