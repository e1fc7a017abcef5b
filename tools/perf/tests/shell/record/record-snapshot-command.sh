#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --overwrite --control: a snapshot at each command, in the same file
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-overwrite.sh"
. "$PERF_TEST_DIR/shell/record/lib-control.sh"

"$PERF" test -w noploop 600 & pid=$!
# With registers, so that a page does not last through a gap where the CPU is shared with many.
"$PERF" record -m 1 -F 5000 -g -I --user-regs --overwrite --control fifo:ctl,ack -e cpu-clock -o c.data \
	-p $pid 2>err & rec=$!
ask ping
for _ in 1 2; do
	sleep 1 # a gap, which is long beside what a page holds
	$(while_on_cpu $pid 0.2)
	ask snapshot
done
$(while_on_cpu $pid 0.2)
ask stop
wait $rec
perf script -i c.data -F time | awk '{ t = $1 + 0; if (l && t > l + 0.3) gaps++; l = t }
	END { exit gaps < 1 }' || fail "snapshots: no gaps in $(span c.data)"
end $pid
