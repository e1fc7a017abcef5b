#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a file that may not become larger (ulimit -f) is an error with words
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

fails 1 bash -c 'ulimit -f 400 && exec "$0" "$@"' "$PERF" record -F 2000 -g --defer=copy --no-stitch \
	-e cpu-clock -o small.data -- "$PERF" test -w deep 20 0.5 2>err
has err 'cannot write small.data after [0-9]+ bytes: File too large' 'samples did not fit into the file'
[ "$(samples small.data)" -gt 0 ] || fail "nothing can be read of what was written"
# The command has the signal as it was.
perf record -q -e cpu-clock -o x.data -- grep SigIgn /proc/self/status >with
grep SigIgn /proc/self/status >without
cmp with without
