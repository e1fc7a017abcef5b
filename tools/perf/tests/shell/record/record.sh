#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: workloads, targets, status, the lines at the end
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

perf record -e cpu-clock -o a.data -- "$PERF" test -w noploop 0.3 2>err
has err '^\[ perf record: Woken up [0-9]+ times to write data \]$' \
	'^\[ perf record: Captured and wrote [0-9]+\.[0-9]{3} MB a\.data \([0-9]+ samples\) \]$'
n=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err)
[ "$n" -gt 200 ] || fail "only $n samples in 0.3 s"
[ "$(samples a.data)" = "$n" ] || fail "the file has $(samples a.data) samples, not $n"
perf record -q -e cpu-clock -o a.data -- true >out 2>&1
[ ! -s out ] || fail "-q is not quiet"
[ -s a.data.old ] || fail "the old file is gone"

# The exit status is the workload's.
for s in 1 7 42; do fails $s perf record -q -o s.data -- "$PERF" test -w exiter $s; done
status=0
perf record -q -o s.data -- "$PERF" test -w exiter kill || status=$?
[ "$status" = 137 ] || fail "killed workload: $status"
echo untouched >keep.data
fails 127 perf record -o keep.data -- ./no-such-program 2>err
has err 'no-such-program.*No such file'
has_not err 'Captured'
has keep.data untouched
touch not-executable
fails 126 perf record -o keep.data -- ./not-executable 2>err
has err 'Permission denied'

# Several events, each with its own samples.
perf record -q -e cpu-clock -e page-faults,dummy -o e.data -- "$PERF" test -w faulter 0.2
perf script -i e.data -F event >events
has events 'cpu-clock' 'page-faults'
[ "$(sort -u events | grep -c .)" = 2 ] || fail "events: $(sort -u events)"

# Children and threads are followed.
perf record -q -e cpu-clock -o c.data -- "$PERF" test -w forker 3 0.1
[ "$(perf script -i c.data -F pid | sort -u | grep -c .)" -ge 3 ] || fail "children are missing"
perf record -q -e cpu-clock -o c.data -- "$PERF" test -w thloop 0.2 3
[ "$(perf script -i c.data -F tid | sort -u | grep -c .)" -ge 3 ] || fail "threads are missing"
perf record -q -i -e cpu-clock -o c.data -- "$PERF" test -w thloop 0.2 3
[ "$(perf script -i c.data -F tid | sort -u | grep -c .)" = 1 ] || fail "-i followed threads"

# A running process: recorded until it ends, with names and maps from /proc.
"$PERF" test -w thloop 1.5 2 & pid=$!
perf record -q -e cpu-clock -g -o p.data -p $pid
wait $pid
[ "$(samples p.data)" -gt 50 ] || fail "only $(samples p.data) samples of a running process"
perf script -i p.data -F comm,sym >p.txt
has p.txt 'thloop|noploop|loop'
has_not p.txt '^ *:[0-9]+'

# SIGINT ends it with a valid file and its own status.
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

# The command that is recorded goes, too, when the recorder is ended.
rm -f i.data
"$PERF" record -q -o i.data -- sh -c 'echo $$ >child; exec sleep 1000' & rec=$!
wait_until [ -s child ]
kill -TERM $rec
status=0
wait $rec || status=$?
[ "$status" = 143 ] || fail "SIGTERM: status $status"
gone() { ! kill -0 "$1" 2>/dev/null; }
wait_until gone "$(cat child)"
