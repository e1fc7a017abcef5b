#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what the machine has not is refused when events are opened
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
for with in -b '-j any_call,u'; do
	fails 1 perf record $with -e cpu-clock -- true 2>err
	has err 'has no branch stacks on this machine' 'LBR'
done
fails 1 perf record -o /no/such/folder/perf.data -- true 2>err
has err '/no/such/folder/perf.data.*No such file'
fails 1 perf record -p 2147483647 2>err
has err 'no process or thread 2147483647'
fails 1 perf record -C 9999 -- true 2>err
has err 'CPU 9999 is not online|not a list of CPUs'
[ ! -e perf.data ] || fail "a refused recording left a file"
