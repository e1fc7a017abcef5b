#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: what found no room in the rings is counted once: by record, report, stitch and script
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

total() { sed -n 's/^# Total Lost Samples: //p' "$1"; }
sum() { awk -v "what=PERF_RECORD_$1" '$0 ~ what " " { s += $NF } END { print s + 0 }' lines; }

hold_up='kill -STOP $PPID; "$PERF" test -w noploop 0.1; kill -CONT $PPID'

# lossy RECORD...: a program that holds the recorder up, until its rings of a page have overflowed.
lossy() {
	"$@" -m 1 -c 100000 -e cpu-clock -o lost.data -- sh -c "$hold_up" 2>err || fail "$*: $(cat err)"
	"$PERF" report --stdio -i lost.data >text 2>report.err
	[ "$(total text)" -gt 0 ] || fail "$*: nothing is lost"
}

# is_told NUMBER: by the lines. Since Linux 6.0 the kernel counts the loss of each event, too; a LOST
# record may come late, behind the end of the file that lacks the records.
is_told() {
	if [ "$(sum LOST_SAMPLES)" = 0 ]; then
		[ "$(sum LOST)" = "$1" ] || fail "$(sum LOST) of $1 lost by LOST records"
	else
		[ "$(sum LOST_SAMPLES)" = "$1" ] || fail "$(sum LOST_SAMPLES) of $1 lost by LOST_SAMPLES"
		[ "$(sum LOST)" -le "$1" ] || fail "$(sum LOST) of $1 lost by LOST records"
	fi
}

lossy perf record
n=$(total text)
has err "the kernel lost $n records, [0-9.]+ % of all" '-m [0-9]+K'
has report.err "$n records were lost while recording"
perf script --show-lost-events -i lost.data >lines
is_told "$n"
perf stitch -i lost.data -o stitched.data 2>/dev/null
perf report --stdio -i stitched.data >text 2>/dev/null
[ "$(total text)" = "$n" ] || fail "stitched: $(total text), not $n"

# Files that say when they end: each has its own.
perf record -m 1 -c 100000 --switch-output -e cpu-clock -o part.data -- sh -c "
	$hold_up
	kill -USR2 \$PPID
	until [ -e part.data.* ]; do :; done 2>/dev/null
	$hold_up" 2>err
n=$(sed -n 's/.*the kernel lost \([0-9]*\) records.*/\1/p' err)
files=0
for f in part.data.*; do
	perf report --stdio -i "$f" >text 2>/dev/null
	[ "$(total text)" -gt 0 ] || fail "$f: nothing is lost"
	perf script --show-lost-events -i "$f"
	files=$((files + 1))
done >lines
[ $files = 2 ] || fail "$files files, not 2"
is_told "$n"

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
