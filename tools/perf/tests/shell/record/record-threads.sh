#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -t: those threads and no others; their process's mappings all the same
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

tids() { perf script -i "$1" -F tid | sort -nu | tr -d ' ' | tr '\n' ' '; }

"$PERF" test -w thloop 100 4 & pid=$!
wait_until has_threads $pid 4
workers=$(ls /proc/$pid/task | sort -n | grep -vx $pid)
set -- $workers
perf record -g -e cpu-clock -o one.data -t $1 -- $(while_on_cpu $pid 1) 2>err
[ "$(tids one.data)" = "$1 " ] || fail "asked for $1, got $(tids one.data)"
# Names of functions and of the process come by its mappings and its tasks.
perf script -i one.data -F comm,pid,tid,ip,sym >text
has text "^ *thloop-child +$pid/$1 *\$" '[0-9a-f]+ test_loop$'

# Two of them, one twice, and one that is gone.
sleep 0 & gone=$!
wait $gone
perf record -q -e cpu-clock -o two.data -t $1,$2,$1,$gone -- $(while_on_cpu $pid 1) 2>err
[ "$(tids two.data)" = "$1 $2 " ] || fail "asked for $1 $2, got $(tids two.data)"
perf record -q --defer=copy -e cpu-clock -o copy.data -t $3 -- $(while_on_cpu $pid 0.5) 2>err
[ "$(tids copy.data)" = "$3 " ] || fail "asked for $3, got $(tids copy.data)"
perf script -i copy.data -F ip,sym >text
has text '[0-9a-f]+ test_loop$'
end $pid

fails 1 perf record -q -e cpu-clock -o none.data -t $gone -- true 2>err
has err "^Error: no process or thread $gone"
[ ! -e none.data ] || fail "a recording of nothing"
fails 129 perf record -e cpu-clock -t 12,x -- true 2>err
has err "'12,x' is not a list of"
