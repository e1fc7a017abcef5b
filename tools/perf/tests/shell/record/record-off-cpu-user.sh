#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu by an ordinary user: waits have lengths, and words say why no stacks
# limit: 120
. "$PERF_TEST_DIR/shell/record/lib-user.sh"

user record --off-cpu -o u.data -- ./perf-copy test -w spell 5 0.02 0.01 >out 2>err || { cat err; fail "record"; }
has err 'no permission to sample the kernel' 'lengths but no stacks' 'off-CPU: [0-9]+ intervals? of [0-9]+ thread'
perf script -f -i u.data -F event,period >script
[ "$(awk '/offcpu-time/ && $1 >= 20000000' script | wc -l)" -ge 5 ] || { cat script; fail "not five waits"; }
perf report -f -i u.data --times thread >times
has times '^# *elapsed' ' perf'
