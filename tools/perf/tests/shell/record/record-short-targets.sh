#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a target that ends at once is no error, one that is gone is
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock -o once.data -- true
perf script -i once.data >/dev/null
"$PERF" test -w noploop 0.2 &
perf record -q -e cpu-clock -o gone.data -p $!
perf script -i gone.data >/dev/null
wait $!
fails 1 perf record -e cpu-clock -o gone.data -p $! 2>err
has err '^Error: no process or thread'
