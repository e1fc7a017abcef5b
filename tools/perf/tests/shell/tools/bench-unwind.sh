#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf bench unwind: reading and unwinding of a recording; an unwinder that is not there
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
perf record -q --no-stitch --defer=copy -e cpu-clock -o copy.data -- "$PERF" test -w deep 20 0.2 2>err
perf bench -r 3 unwind copy.data >out
has out 'sample'
fails 1 perf bench --unwind nothing unwind copy.data 2>err
has err 'nothing'
