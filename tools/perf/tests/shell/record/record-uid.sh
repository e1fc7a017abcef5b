#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -u: processes of that user, and no user who is not there
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

fails 129 perf record -u no-such-user 2>err
has err "unknown user 'no-such-user'"
fails 129 perf record -u 4294967296 -e cpu-clock -o u.data -- true 2>err
has err "unknown user '4294967296'"
need_root
need_cmd setpriv
cp "$PERF" perf-copy
setpriv --reuid=65534 --clear-groups ./perf-copy test -w noploop 300 & pid=$!
wait_until runs $pid perf-copy
perf record -q -u 65534 -e cpu-clock -o uid.data -- $(while_on_cpu $pid 0.1)
end $pid
perf script -i uid.data -F pid | sort -u >pids
has pids "$pid"
