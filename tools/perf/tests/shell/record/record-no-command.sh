#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a command that cannot be run leaves the recording that was there
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock -o x.data -- true
cp x.data before.data
fails 127 perf record -e cpu-clock -o x.data -- ./no-such 2>err
has err '^Error: \./no-such: cannot be run: No such file'
echo nothing >plain
fails 126 perf record -e cpu-clock -o x.data -- ./plain 2>err
has err '^Error: \./plain: cannot be run: Permission denied'
cmp x.data before.data
[ ! -e x.data.old ] || fail "x.data.old is left"
