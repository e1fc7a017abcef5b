#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -k: times are of the clock that was asked for
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-clock.sh"

for k in monotonic:CLOCK_MONOTONIC CLOCK_REALTIME:CLOCK_REALTIME boot:CLOCK_BOOTTIME; do
	before=$(now_on ${k#*:})
	perf record -q -k ${k%:*} -e cpu-clock -o k.data -- "${work[@]}" 0.1
	after=$(now_on ${k#*:})
	awk "BEGIN { t = $(first_time k.data); exit !(t >= $before && t <= $after) }" ||
		fail "-k $k: $(first_time k.data), not from $before to $after"
done
fails 129 perf record -k sundial -- true 2>err
has err 'unknown clock.*monotonic'
