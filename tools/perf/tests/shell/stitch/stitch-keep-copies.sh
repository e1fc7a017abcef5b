#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch --keep-copies: shows the same, and can be stitched later
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

stitched
perf stitch -q --keep-copies -i raw.data -o kept.data
[ "$(stat -c %s kept.data)" -gt "$(stat -c %s out.data)" ] || fail "kept.data has no copies"
perf script --no-inline -i raw.data >raw.txt
perf script --no-inline -i kept.data >kept.txt
cmp raw.txt kept.txt
perf script -D -i kept.data >dump.txt
has dump.txt '\.\.\. ustack'
has_not dump.txt ' fffffffffffffe00$'
perf stitch -q --keep-copies -i kept.data -o again.data
cmp kept.data again.data
perf stitch -q -i kept.data
cmp kept.data out.data
