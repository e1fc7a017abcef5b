#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --overwrite --switch-output=TIME: a file for each time
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w noploop 600 & pid=$!
mkdir time
timeout 120 "$PERF" record -q --overwrite --switch-output=1s -e cpu-clock -o time/perf.data -p $pid -- \
	sh -c 'until [ "$(ls time | wc -l)" -gt 1 ]; do sleep 0.1; done' || fail "--switch-output=1s: $(ls time)"
end $pid
