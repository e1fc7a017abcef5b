#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --max-cpu: samples come less often, and each has the time that it stands for
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock

# Of so little it has taken more before it looks for the first time.
"$PERF" record -v -a -F 1000 -e cpu-clock --max-cpu 0.01 -o r.data -- sleep 60 >out 2>err &
recorder=$!
wait_until grep -q 'sampling takes .* as long from now on' err
"$PERF" test -w noploop 2
kill -INT $recorder
wait $recorder || true
has err 'perf record: sampled down to [0-9.]+ times less often'
! grep -Eq 'kernel lost|records were lost' err || skip "the machine is too busy to record it whole: $(tail -n 1 err)"

# On each CPU the periods of both kinds of samples add up to the time between the first and the last.
perf script -i r.data -F cpu,time,period --no-inline | tr -d '][:' >samples
awk '{ key = $1 + 0 " " ($3 > 1000000); n[key]++; sum[key] += $3 / 1e9; last[key] = $2
		if (!(key in first)) first[key] = $2 }
	END { for (key in n) { split(key, part); passed = last[key] - first[key]
		if (n[key] > 100) { print key, n[key], sum[key], passed; seen[part[2]]++
			bad += sum[key] < passed * 0.7 || sum[key] > passed * 1.3 } }
		exit bad || !seen[0] || !seen[1] }' samples >sums || fail "$(cat sums)"

# What cannot be changed is said beforehand.
for wrong in '-c 1000000 -a' '-F 1000' '-a --user-only-clock'; do
	fails 129 perf record --dry-run $wrong --max-cpu 1 -e cpu-clock -- true 2>err
	has err 'max-cpu changes how often whole CPUs|user-only-clock'
done
for wrong in 0 -1 x 1x nan; do
	fails 129 perf record --dry-run -a --max-cpu=$wrong -- true 2>err
	has err "must be percent of one CPU"
done
perf record --dry-run -a --max-cpu 0.5% -e cpu-clock -- true
