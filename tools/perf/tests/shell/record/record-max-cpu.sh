#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --max-cpu: samples come less often, and each has the time that it stands for
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock

# Of so little it has taken more before it looks for the first time.
"$PERF" record -v -a -F 1000 -e cpu-clock --max-cpu 0.01 -o r.data -- "$PERF" test -w noploop 60 >out 2>err &
recorder=$!
wait_until grep -q 'sampling takes .* as long from now on' err
"$PERF" test -w noploop 2
kill -INT $recorder
wait $recorder || true
has err 'perf record: sampled down to [0-9.]+ times less often'
! grep -Eq 'kernel lost|records were lost' err || skip "the machine is too busy to record it whole: $(tail -n 1 err)"

# From one sample of a busy CPU to the next it is the period that both have. Ticks that the machine
# has missed make some gaps longer (idle CPUs of virtual machines miss most of them): the middle half
# of the gaps of each period counts. With the wrong period written, all would be at 4 or 1/4 of it.
perf script -i r.data -F pid,cpu,time,period --no-inline | tr -d '][:' >samples
awk '$1 && $4 == period[$2] { printf "%d %.0f\n", $4, ($3 - time[$2]) * 1e9 }
	{ period[$2] = $1 ? $4 : 0; time[$2] = $3 }' samples | sort -k1,1n -k2,2n |
	awk 'function judge() { if (n < 50) return
			seen[period > 1000000]++
			low = gap[int(n / 4)]; high = gap[int(n * 3 / 4)]
			print "period", period, n, "gaps, the middle ones", low, "to", high
			bad += low > 1.5 * period || high < 0.6 * period }
		$1 != period { judge(); period = $1; n = 0 }
		{ gap[n++] = $2 }
		END { judge(); exit bad || !seen[0] || !seen[1] }' >gaps || fail "$(cat gaps)"

# What cannot be changed is said beforehand.
for wrong in '-c 1000000 -a' '-F 1000' '-a --user-only-clock'; do
	fails 129 perf record --dry-run $wrong --max-cpu 1 -e cpu-clock -- true 2>err
	has err 'max-cpu needs -a or -C|user-only-clock'
done
for wrong in 0 -1 x 1x nan; do
	fails 129 perf record --dry-run -a --max-cpu=$wrong -- true 2>err
	has err "must be a percentage of one CPU"
done
perf record --dry-run -a --max-cpu 0.5% -e cpu-clock -- true
