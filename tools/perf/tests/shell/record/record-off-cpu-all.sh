#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu: every switch that the kernel counts is a wait with its stack
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event context-switches

perf record --off-cpu -o o.data -- "$PERF" test -w switcher 2 2000 0.5 >out 2>err || { cat err; fail "record"; }
cat out
switches=$(sed -n 's/.* s, \([0-9]*\) switches.*/\1/p' out)
# Waits in front of the exec and behind the last count are the recorder's alone; the last switch of
# a thread, at its exit, is no wait.
waits=$(perf script -i o.data -F event | grep -c offcpu-time)
lost=$(grep -c 'lost' err || true)
[ "$lost" = 0 ] || skip "this machine was too busy: records were lost"
echo "$switches switches, $waits waits"
((waits >= switches - 10 && waits <= switches + 50)) || fail "not every switch is a wait"
# On a single CPU of each pair, both ends are known of all of them.
has err 'off-CPU: '
has_not err 'unknown'

# Of some CPUs: see record-off-cpu-cpus.sh
has_not err 'with -C'
