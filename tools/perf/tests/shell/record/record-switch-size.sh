#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --switch-output=SIZE: files are whole, and only the newest stay
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-switch.sh"

mkdir size
perf record -F 20000 --defer=copy -e cpu-clock --switch-output=200K --switch-max-files 2 \
	-o size/perf.data -- "$PERF" test -w deep 20 1 2>err
[ "$(grep -c Dump err)" -ge 2 ] || fail "by size: $(cat err)"
[ "$(files size)" = 2 ] || fail "--switch-max-files 2: $(ls size)"
each_whole size '_start'
