#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record by an ordinary user: what takes more rights says which
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

fails 1 user record -a -e cpu-clock -o n.data -- true 2>err
has err 'perf_event_paranoid is 2; this needs 0 or less' 'a command or a process of your own'
fails 1 user record -C 0 -e cpu-clock -o n.data -- true 2>err
has err 'this needs 0 or less'
fails 1 user record --all-kernel -e cpu-clock -o n.data -- true 2>err
has err 'this needs 1 or less'
fails 1 user record -e cpu-clock:k -o n.data -- true 2>err
has err 'sysctl kernel.perf_event_paranoid=1'
fails 129 user record -e sched:sched_switch -o n.data -- true 2>err
has err 'tracing|tracefs' 'oot'
[ ! -e n.data ] || fail "a refused recording left a file"
