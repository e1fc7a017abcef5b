#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --overwrite --switch-output: a snapshot at each SIGUSR2, in its own file
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-overwrite.sh"

"$PERF" test -w noploop 600 & pid=$!
mkdir signal
"$PERF" record -m 4 -F 5000 -g --overwrite --switch-output -e cpu-clock -o signal/perf.data -p $pid 2>err & rec=$!
wait_until has_events $rec
$(while_on_cpu $pid 0.3)
dumped() { [ "$(grep -c Dump err)" = "$1" ]; }
for n in 1 2; do
	kill -USR2 $rec
	wait_until dumped $n
	$(while_on_cpu $pid 0.3)
done
kill -INT $rec
wait $rec || true
[ "$(ls signal | wc -l)" = 3 ] || fail "SIGUSR2: $(ls signal)"
end=0
for f in signal/*; do
	read -r first last nr <<<"$(span "$f")"
	awk "BEGIN { exit !($first > $end && $nr > 10) }" || fail "$f: $first to $last behind $end"
	end=$last
	perf script -i "$f" -F comm,ip,sym >lines
	has lines noploop
done
end $pid
