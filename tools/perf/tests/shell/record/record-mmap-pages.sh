#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -m: pages of rings, and of AUX areas behind a comma
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

record() { perf record -q -o t.data "$@" 2>err || fail "$*: $(cat err)"; }

record -m 64,16 -e cpu-clock -- true
record -m ,16 -e cpu-clock -- true
fails 129 perf record -m 64,x -o t.data -- true 2>err
fails 129 perf record -m , -o t.data -- true 2>err
