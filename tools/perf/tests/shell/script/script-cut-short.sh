#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: of a file that ends early, what is there is shown
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

size=$(stat -c %s x.data)
head -c $((size / 2)) x.data >half.data
fails 1 perf script -i half.data >half 2>err
has err "^Error: 'half.data' .*offset"
[ "$(grep -c "cpu-clock$U: \$" half)" -lt "$samples" ] || fail "half a file has all samples"
head -c 50 x.data >head.data
fails 1 perf script -i head.data >out 2>err
has err 'head.data'
fails 1 perf script -i /dev/null 2>err
fails 1 perf script -i . 2>err
has err 'is a directory, but not a recording'
