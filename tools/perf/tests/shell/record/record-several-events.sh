#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: several events, each with its own samples
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock -e page-faults,dummy -o e.data -- "$PERF" test -w faulter 0.2
perf script -i e.data -F event >events
has events 'cpu-clock' 'page-faults'
[ "$(sort -u events | grep -c .)" = 2 ] || fail "events: $(sort -u events)"
