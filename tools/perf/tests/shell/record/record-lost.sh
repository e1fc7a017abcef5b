#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: what found no room in the rings is counted once: by record, report, stitch and script
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

total() { sed -n 's/^# Total Lost Samples: //p' "$1"; }
sum() { awk -v "what=PERF_RECORD_$1" '$0 ~ what " " { s += $NF } END { print s + 0 }' lines; }

# lossy RECORD...: rings of a page, and events as fast as the kernel has them, until one is lost.
lossy() {
	local period
	for period in 100000 50000 20000 10000 5000; do
		"$@" -m 1 -c $period -e cpu-clock -o lost.data -- "$PERF" test -w noploop 0.5 2>err || {
			[ "$1" = upstream_record ] || fail "$* -c $period: $(cat err)"
			continue # it died of something else
		}
		"$PERF" report --stdio -i lost.data >text 2>report.err
		[ "$(total text)" = 0 ] || return 0
	done
	skip "nothing is lost here, whatever is asked for"
}

lossy perf record
n=$(total text)
has err "the kernel lost $n records, [0-9.]+ % of all" '-m [0-9]+K'
has report.err "$n records were lost while recording"
perf script --show-lost-events -i lost.data >lines
# Since Linux 6.0 the kernel counts the loss of each event, too.
if [ "$(sum LOST_SAMPLES)" = 0 ]; then
	[ "$(sum LOST)" = "$n" ] || fail "$(sum LOST) of $n lost by LOST records"
else
	[ "$(sum LOST_SAMPLES)" = "$n" ] || fail "$(sum LOST_SAMPLES) of $n lost by LOST_SAMPLES"
	[ "$(sum LOST)" -le "$n" ] || fail "$(sum LOST) of $n lost by LOST records"
fi
perf stitch -i lost.data -o stitched.data 2>/dev/null
perf report --stdio -i stitched.data >text 2>/dev/null
[ "$(total text)" = "$n" ] || fail "stitched: $(total text), not $n"

# Files that say when they end: each has its own.
perf record -m 1 -c 20000 --switch-output=256K -e cpu-clock -o part.data -- \
	"$PERF" test -w noploop 0.3 2>err
n=$(sed -n 's/.*the kernel lost \([0-9]*\) records.*/\1/p' err) all=0
for f in part.data.*; do
	perf report --stdio -i "$f" >text 2>/dev/null
	all=$((all + $(total text)))
done
[ "$all" -ge "${n:-0}" ] || fail "several files: $all, not $n"

(need_upstream) >/dev/null || exit 0
need_upstream
"$UPSTREAM" report --stdio -i lost.data >text 2>/dev/null
perf script --show-lost-events -i lost.data >lines
[ "$(total text)" = "$(sum LOST_SAMPLES)" ] || fail "upstream says $(total text) of ours"
lossy upstream_record
"$UPSTREAM" report --stdio -i lost.data >theirs 2>/dev/null
perf script --show-lost-events -i lost.data >lines
[ "$(sum LOST_SAMPLES)" = 0 ] || [ "$(total text)" = "$(total theirs)" ] ||
	fail "of upstream's file: $(total text), not $(total theirs)"
