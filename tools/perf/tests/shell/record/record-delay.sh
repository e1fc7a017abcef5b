#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -D: nothing of the first so many ms but names and mappings; ranges
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-clock.sh"

before=$(now_on CLOCK_MONOTONIC)
perf record -q -D 500 -k mono -g -e cpu-clock -o d.data -- "${work[@]}" 1.5
perf script -i d.data -F comm >lines
[ "$(grep -c perf lines)" -gt 100 ] || fail "-D 500: $(wc -l <lines) samples"
awk "BEGIN { exit !($(first_time d.data) >= $before + 0.5) }" ||
	fail "-D 500, begun at $before: first sample at $(first_time d.data)"
perf script -i d.data -F comm,ip,sym >lines
has lines noploop
rm d.data
"${work[@]}" 300 & pid=$!
"$PERF" record -q -D 300 -g -e cpu-clock -o d.data -p $pid & rec=$!
wait_until has_samples d.data 10
end $rec
perf script -i d.data -F comm,ip,sym >lines
has lines noploop
# Ranges: samples there only. They begin and end late on a busy machine, so they are far apart.
perf record -q -D 200-500,2500-2800 -k mono -e cpu-clock -o d.data -p $pid -- sleep 5
end $pid
perf script -i d.data -F time | awk '{ t = $1 + 0 } NR == 1 { first = t } NR > 1 && t - last > 1 { gaps++ }
	{ last = t } END { exit !(gaps == 1 && last - first < 4) }' || fail "-D 200-500,2500-2800"
for bad in 5-3 1-2,3 1-2,2-3 1-; do
	fails 129 perf record -D $bad -- true 2>err
	has err 'ranges'
done
fails 129 perf record -D soon -- true 2>err
has err 'milliseconds'
