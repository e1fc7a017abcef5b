#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --control: events are listed, enabled and disabled one by one
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-control.sh"

"$PERF" test -w noploop 600 & pid=$!

"$PERF" record -D -1 --control fifo:ctl,ack -F 1000 -e cpu-clock,task-clock -o c.data -p $pid 2>err & rec=$!
ask evlist
ask 'evlist -F'
ask "disable task-clock$U"
ask 'enable task-clock' # as -e has it, also where it is called task-clock:u
ask 'enable no-such'
wait_until has_samples c.data 10
ask stop
wait $rec
has err "^cpu-clock$U\$" "^task-clock$U\$" "^cpu-clock$U: sample_freq=1000\$" "no event 'no-such' is being recorded"
perf script -i c.data -F event | sort -u | tr -d ' ' >lines
[ "$(cat lines)" = "task-clock$U:" ] || fail "enable task-clock: $(cat lines)"
end $pid
