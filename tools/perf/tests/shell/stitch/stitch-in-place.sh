#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: in place, through a link; mode and original are kept
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

stitched
cp raw.data perf.data
chmod 640 perf.data
ln -s perf.data link
echo older >perf.data.old
perf stitch -i link 2>err
[ -L link ] && [ "$(stat -c %a perf.data)" = 640 ] || fail "the link or the mode is lost"
cmp out.data perf.data
has err "became .* MB: link; the original is $PWD/perf\.data\.old \]$"
cmp raw.data perf.data.old
[ "$(stat -c %a perf.data.old)" = 640 ] || fail "the mode of the old file is lost"
