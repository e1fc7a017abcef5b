#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: -p and -u reach his processes, and those of no other
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

(exec setpriv --reuid=$uid --regid=$uid --clear-groups ./perf-copy test -w noploop 600) & pid=$!
wait_until runs $pid perf-copy
user record -q -u $uid -e cpu-clock -o uid.data -- $(while_on_cpu $pid 0.2)
user script -i uid.data -F pid | sort -u >seen
has seen "$pid"
fails 1 as $other ./perf-copy record -e cpu-clock -p $pid -o other.data 2>err
has err 'no permission' "belongs to another user"
fails 1 as $other ./perf-copy record -e cpu-clock -t $pid -o other.data 2>err
has err "belongs to another user"
end $pid
