#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: devlib (and LISA, workload-automation): events are the first words of perf list; record and report
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_event context-switches
need_event cpu-clock # of switches, an ordinary user gets no samples

# Its default events, and others of a configuration, must be there by themselves.
perf list 2>err | cat >list
awk '{ print $1 }' list >first
for e in cpu-migrations context-switches cpu-clock page-faults; do has first "^$e$"; done
perf record -g -e context-switches -e cpu-migrations -e cpu-clock$U -o TemporaryFile.data -- "$PERF" test -w noploop 0.1 >out 2>&1
perf report --stdio --force -i TemporaryFile.data >perf_0.rpt 2>&1
has perf_0.rpt '^# Samples: '
# Recorded until SIGINT, while something else runs.
"$PERF" record -g -e context-switches -o int.data -- sleep 60 >out 2>&1 &
pid=$!
wait_until has_events $pid
kill -INT $pid
wait $pid || true
perf report --header-only -i int.data >header
has header '^# cmdline : .*record'
