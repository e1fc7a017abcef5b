#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -o -: a pipe that nobody reads is left at the first signal
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w deep 20 300 & load=$!
(status=0; "$PERF" record -e cpu-clock -F 10000 --call-graph dwarf -o - -p $load 2>err & echo $! >pid
 wait $! || status=$?; echo $status >status) | (sleep 1000 & echo $! >sleeper; wait) & pipe=$!
wait_until [ -s pid ]
wait_until has_events "$(cat pid)"
$(while_on_cpu $load 0.3)
kill -INT "$(cat pid)"
wait_until [ -s status ]
end "$(cat sleeper)"
wait $pipe || true
has status '^1$'
has err 'has stopped reading'
end $load
