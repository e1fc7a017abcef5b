#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -o -: a reader that is slow gets all of it
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w deep 20 300 & load=$!
(status=0; "$PERF" record -e cpu-clock -F 10000 --call-graph dwarf -o - -p $load 2>err & echo $! >pid
 wait $! || status=$?; echo $status >status) | (until [ -e read ]; do sleep 0.1; done; cat) >slow.data & pipe=$!
wait_until [ -s pid ]
wait_until has_events "$(cat pid)"
$(while_on_cpu $load 0.3)
touch read
wait_until [ -s slow.data ]
kill -INT "$(cat pid)"
wait $pipe || true
has status '^130$'
[ "$(perf script -F comm -i - <slow.data 2>/dev/null | wc -l)" = "$(captured)" ] || fail "slow: $(cat err)"
end $load
