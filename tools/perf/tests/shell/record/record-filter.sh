#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --filter, --exclude-perf: of tracepoints, by the kernel, or its words
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

own_mounts
need_event cpu-clock

fails 129 perf record -e cpu-clock --filter 'x == 1' -- true 2>err
has err 'must follow the tracepoint'
fails 129 perf record --exclude-perf -- true 2>err
need_root
need_event sched:sched_process_exec
perf record -q -e sched:sched_process_exec --filter 'filename ~ "*/true"' -o f.data \
	-- sh -c 'ls >/dev/null; /bin/true; /bin/true'
[ "$(perf script -i f.data -F event | grep -c exec)" = 2 ] || fail "--filter"
perf record -q -e 'sched:sched_process_e*' --filter 'pid > 1' --filter 'pid < 2' \
	-e sched:sched_process_fork -o f.data -- sh -c '/bin/true; true'
perf script -i f.data -F event | sort -u >lines
has lines fork
has_not lines 'exec|exit'
fails 1 perf record -e sched:sched_process_exec --filter 'no_such == 1' -o g.data -- true 2>err
has err "the kernel rejects the filter 'no_such == 1'" 'format'
perf record -q -a -e raw_syscalls:sys_enter --exclude-perf -o x.data -- sleep 0.01
perf script -i x.data -F comm >lines
has lines sleep
