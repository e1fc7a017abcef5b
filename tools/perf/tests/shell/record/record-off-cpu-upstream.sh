#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu: perf of the kernel's tools reads the same waits and stacks
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event context-switches
need_upstream

perf record -q --off-cpu -o o.data -- "$PERF" test -w spell 5 0.01 0.01 >/dev/null
# Others (samply) take the number of the CPU in all records for granted.
perf evlist -v -i o.data | grep sample_type >types
! grep -v 'CPU' types || fail "events without the CPU"
fields=comm,tid,event,period,ip,sym
# Both have names of their own for some places, and addresses in the process or in the file.
without_names() { sed -E 's/^\s+[0-9a-f]+ .*[^:]$/ frame/' | tr -s ' '; }
perf script --no-inline -i o.data -F $fields >ours
"$UPSTREAM" script --no-inline -i o.data -F $fields 2>/dev/null >theirs
without_names <ours >a
without_names <theirs >b
cmp a b
has a offcpu-time frame
"$UPSTREAM" report -i o.data --stdio -g none 2>/dev/null >report
has report "of event 'offcpu-time'"
