#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --switch-output=TIME: threads that are older than a file are known in it
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-switch.sh"

mkdir time
perf record -g -e cpu-clock --switch-output=1s -o time/perf.data -- "$PERF" test -w thloop 2.2 2 2>err
[ "$(files time)" -ge 2 ] || fail "by time: $(ls time)"
each_whole time 'test_loop.*perf'
has err '^\[ perf record: Dump time/perf\.data\.[0-9]{16} \]$'
[ "$(grep -c Dump err)" = "$(($(files time) - 1))" ] || fail "dumps: $(cat err)"
