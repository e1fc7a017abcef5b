#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script --json: fields of tracepoints one by one, by the schema
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-json.sh"
need_python
need_root
need_event sched:sched_switch
perf record -q -e sched:sched_switch -g -a -o switch.data -- "$PERF" test -w noploop 0.1
perf script --json -i switch.data >json
fits script json >counts
has json '"trace":"prev_comm=.*"fields":\{"prev_comm":"[^"]*","prev_pid":[0-9]+,.*"next_comm":"'
