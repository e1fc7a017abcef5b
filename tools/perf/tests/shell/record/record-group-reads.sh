#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: groups that are read with their leader, and counts of threads
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

work=("$PERF" test -w noploop 0.1)
attr() { perf report --header-only -i "$1" >header; has header "$2"; }

perf record -q -e '{cpu-clock,page-faults}:S' --running-time -o g.data -- "${work[@]}"
attr g.data 'READ.*read_format.*TOTAL_TIME_RUNNING.*GROUP'
has_not header 'name = page-faults.*sample_freq'
# Each sample is one of every event that counted something, with what it counted.
perf script -i g.data -F event,period >lines
has lines '^ *[0-9]+ +cpu-clock:' '^ *[1-9][0-9]* +page-faults:'
perf report --stdio -i g.data >report 2>/dev/null
has report "^# Samples: .* of event.*page-faults"
perf record -q -c 500000 -e cpu-clock:S -o one.data -- "${work[@]}"
perf script -i one.data -F period >lines
awk '{ n += $1 } END { exit !(NR > 10 && n > 5e6) }' lines || fail "cpu-clock:S: $(head -n 3 lines)"
perf record -q --group -e cpu-clock,page-faults -o g.data -- "${work[@]}"
perf report --header-only -i g.data >header
has_not header 'missing features.* GROUP_DESC'
perf record -q -s -e cpu-clock -o s.data -- "$PERF" test -w thloop 0.1 3
perf report -D -i s.data >dump
has dump 'PERF_RECORD_READ'
attr s.data 'TOTAL_TIME_ENABLED'
