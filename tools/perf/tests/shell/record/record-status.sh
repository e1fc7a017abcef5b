#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: exit statuses of the command, and of one that cannot be run
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

for s in 1 7 42; do fails $s perf record -q -o s.data -- "$PERF" test -w exiter $s; done
status=0
perf record -q -o s.data -- "$PERF" test -w exiter kill || status=$?
[ "$status" = 137 ] || fail "killed workload: $status"
echo untouched >keep.data
fails 127 perf record -o keep.data -- ./no-such-program 2>err
has err 'no-such-program.*No such file'
has_not err 'Captured'
has keep.data untouched
touch not-executable
fails 126 perf record -o keep.data -- ./not-executable 2>err
has err 'Permission denied'
