#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert: of a recording that is cut off, every format is a valid file with what there is, and says so
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-convert.sh"
need_event cpu-clock
need_python

perf record -q -F 2000 -g -e cpu-clock$U -o all.data -- "$PERF" test -w deep 20 0.3
before=0
for part in 40 60 90; do
	head -c $(($(wc -c <all.data) * part / 100)) all.data >cut.data
	for format in $FORMATS html svg; do
		fails 1 perf data convert -q --to $format -o $format.out -i cut.data 2>err
		has err "'cut.data' is cut off at offset [0-9]*: [0-9]* bytes of data"
	done
	all_same cut.data
	for format in pprof gecko speedscope otlp sqlite; do
		words_of $format >words
		has words 'is cut off at offset'
	done
	has html.out '"words":"[^"]*is cut off at offset'
	has svg.out 'is cut off at offset'
	now=$(samples cut.data)
	[ "$now" -gt "$before" ] || fail "$part %: $now samples after $before"
	before=$now
done
[ "$now" -lt "$(samples all.data)" ] || fail "nothing was cut off"
