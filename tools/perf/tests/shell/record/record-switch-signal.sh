#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --switch-output: a new file at SIGUSR2, whole also when compressed
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-switch.sh"

mkdir signal
"$PERF" test -w noploop 600 & pid=$!
"$PERF" record -z -g -e cpu-clock --switch-output -o signal/perf.data -p $pid 2>err & rec=$!
wait_until has_samples signal/perf.data 10
kill -USR2 $rec
wait_until grep -q Dump err
$(while_on_cpu $pid 0.1)
kill -HUP $rec
status=0
wait $rec || status=$?
[ "$status" = 129 ] || fail "SIGHUP: status $status"
[ "$(files signal)" = 2 ] || fail "by signal: $(ls signal)"
each_whole signal noploop
end $pid
