#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --max-size: ends about there, and the file reads
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
work=("$PERF" test -w noploop)

perf record -F 20000 --max-size 100k -e cpu-clock -g -o m.data -- "${work[@]}" 20 2>err
[ "$(stat -c %s m.data)" -lt 1000000 ] || fail "--max-size: $(stat -c %s m.data) bytes"
perf script -i m.data -F comm >lines
[ "$(wc -l <lines)" -gt 100 ] || fail "--max-size: $(wc -l <lines) samples"
