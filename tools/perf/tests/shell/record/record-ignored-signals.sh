#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a SIGHUP that was ignored stays so, and SIGUSR2 ends nothing
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
"$PERF" test -w noploop 600 & pid=$!
(trap '' HUP; exec "$PERF" record -q -e cpu-clock -o h.data -p $pid) & rec=$!
wait_until has_samples h.data 1
kill -HUP $rec
kill -USR2 $rec
wait_until has_samples h.data $(($(samples h.data) + 1))
kill -INT $rec
status=0
wait $rec || status=$?
[ "$status" = 130 ] || fail "ignored SIGHUP: status $status"
end $pid
