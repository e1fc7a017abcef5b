#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e EVENT:u, --all-user: samples are in user space only
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock:u -o u.data -- "$PERF" test -w faulter 0.2
perf script -i u.data -F ip >lines
has lines '[0-9a-f]'
has_not lines '^[[:space:]]*[89a-f][0-9a-f]{15}'
perf record -q --all-user -e cpu-clock -o u.data -- "$PERF" test -w faulter 0.2
perf script -i u.data -F ip >lines
has_not lines '^[[:space:]]*[89a-f][0-9a-f]{15}'
