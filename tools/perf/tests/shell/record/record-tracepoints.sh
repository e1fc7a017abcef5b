#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record of tracepoints: fields, patterns, and chains beside them
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

own_mounts
need_event cpu-clock
need_root
need_event sched:sched_process_exec
perf record -q -e sched:sched_process_exec,cpu-clock -g -o t.data -- sh -c 'ls >/dev/null; exit 0'
perf script -i t.data -F comm,event,trace,ip,sym >lines
has lines 'sched:sched_process_exec: *filename=/.*ls pid='
perf record -q -e 'sched:sched_process_*' -o g.data -- sh -c 'ls >/dev/null; exit 0'
perf script -i g.data -F event | sort -u >events
has events sched_process_exec sched_process_exit
