#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: stack copies become callchains in a small file of its owner; twice is once
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

perf stitch -i raw.data -o out.data 2>err
has err '^\[ perf stitch: [0-9,]+ samples, [0-9,]+ whole user stacks' 'became .*: out\.data'
same raw.data out.data
[ "$(stat -c %s raw.data)" -gt $(($(stat -c %s out.data) * 5)) ] || fail "out.data is large"
[ "$(stat -c %a out.data)" = 600 ] || fail "mode $(stat -c %a out.data)"

# Again: the same bytes.
perf stitch -q -i out.data -o again.data
cmp out.data again.data
