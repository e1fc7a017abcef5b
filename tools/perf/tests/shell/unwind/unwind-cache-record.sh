#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: perf record keeps rows, and with -N does not
. "$PERF_TEST_DIR/shell/unwind/lib-unwind-cache.sh"

perf record -q -N -e cpu-clock -F 499 -g --defer=copy -o live.data -- "$PERF" test -w deep 20 0.2 2>err
[ -z "$(ls -A "$kept")" ] || fail "record -N: $(ls -A "$kept")"
perf record -q -e cpu-clock -F 499 -g --defer=copy -o live.data -- "$PERF" test -w deep 20 0.2 2>err
[ -n "$(ls -A "$kept")" ] || fail "record has kept nothing"
