#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --dry-run: records nothing
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
work=("$PERF" test -w noploop)

perf record --dry-run -e cpu-clock -o dry.data -- "${work[@]}" 5
[ ! -e dry.data ] || fail "--dry-run recorded"
