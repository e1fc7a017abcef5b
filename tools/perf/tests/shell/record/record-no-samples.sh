#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -n: nothing but the records beside samples
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

work=("$PERF" test -w noploop 0.1)
perf record -q -n -e cpu-clock -o n.data -- "${work[@]}"
perf script -i n.data >lines
[ ! -s lines ] || fail "-n: samples"
perf report -D -i n.data >dump
has dump PERF_RECORD_MMAP2 'PERF_RECORD_COMM: perf'
has_not dump PERF_RECORD_SAMPLE
