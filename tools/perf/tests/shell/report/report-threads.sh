#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report -T: what events counted in each thread of perf record -s; without, words
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

perf record -q -s -F 99 -e cpu-clock:u -e task-clock:u -o s.data -- "$PERF" test -w thloop 0.2 4
perf report --stdio -T -i s.data >out 2>err
has out '^# +PID +TID +cpu-clock:u +task-clock:u$'
sed '1,/^# *PID/d' out >table
# Three threads, each with both counts; what began first is read by nobody.
[ "$(awk 'NF == 4 && $3 > 1000 && $4 > 1000' table | wc -l)" -ge 3 ] || fail "$(cat table)"
perf report --stdio -T --pretty=raw -i s.data >out 2>err
has out '^# +PID +TID +Name +Raw +Count$' '^ +[0-9]+ +[0-9]+ +task-clock:u +1 +[0-9]+$'
sed '1,/^# *PID/d' out >lines
# The same numbers.
awk '{ print $3; print $4 }' table | sort >want
awk '{ print $5 }' lines | sort | cmp - want

perf record -q -F 99 -e cpu-clock:u -o plain.data -- "$PERF" test -w noploop 0.1
perf report --stdio -T -i plain.data >out 2>err
has err 'has no counts of threads: record with -s'
fails 129 perf report -T --json -i s.data 2>err
fails 129 perf report -T --pretty=fine -i s.data 2>err
has err "normal or raw, not 'fine'"
