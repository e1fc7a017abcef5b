#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --percent-limit, --comms: less is shown, and what was chosen is said
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data -q --percent-limit 100 -g none >out
! grep -Ev '^ +100\.00% |^$' out || fail "less than 100 %"
perf report -i x.data --comms nobody >out
has out '^# comm: nobody$'
has_not out '%'
