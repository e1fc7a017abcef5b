#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: SIGINT ends it with a whole file, SIGTERM with its command
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w noploop 300 & pid=$!
"$PERF" record -e cpu-clock -o i.data -p $pid 2>err & rec=$!
wait_until has_samples i.data 10
kill -INT $rec
status=0
wait $rec || status=$?
end $pid
[ "$status" = 130 ] || fail "SIGINT: status $status"
has err 'Captured and wrote'
[ "$(samples i.data)" -gt 10 ] || fail "SIGINT: $(samples i.data) samples"

# The command that is recorded goes, too.
rm -f i.data
"$PERF" record -q -o i.data -- sh -c 'echo $$ >child; exec sleep 1000' & rec=$!
wait_until [ -s child ]
kill -TERM $rec
status=0
wait $rec || status=$?
[ "$status" = 143 ] || fail "SIGTERM: status $status"
gone() { ! kill -0 "$1" 2>/dev/null; }
wait_until gone "$(cat child)"
