#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: the file that was there comes back when nothing was recorded, or is not touched
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -e cpu-clock -o kept.data -- true
cp kept.data before.data
fails 127 perf record --timestamp-filename -e cpu-clock -o kept.data -- ./no-such 2>err
cmp kept.data before.data
mkdir kept.data.old
fails 1 perf record -e cpu-clock -o kept.data -- true 2>err
has err '^Error: cannot rename the existing kept\.data to kept\.data\.old: Is a directory'
cmp kept.data before.data
