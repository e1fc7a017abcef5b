#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch -z: smaller, the same samples, and undone without -z
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

stitched
perf stitch -q -z1 -i raw.data -o z1.data
perf stitch -q -z -i raw.data -o z.data
cmp -s z.data z1.data && fail "-z is level 1, not fitted to recordings"
[ "$(stat -c %s z.data)" -lt "$(stat -c %s out.data)" ] || fail "z.data is large"
same raw.data z.data
perf stitch -q -i z.data -z -o z2.data
cmp z.data z2.data
perf stitch -q -i z.data
cmp z.data out.data
[ ! -e z.data.old ] || fail "the same samples are kept twice"
