#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: samples that are not wanted, or not whole, are left out
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

perf stitch -q -i raw.data --comms nobody -o none.data
[ "$(perf script -i none.data | wc -l)" = 0 ] || fail "samples of nobody"
perf stitch -q -i raw.data -o part.data --drop-incomplete
[ "$(text part.data | grep -c cpu-clock)" -le "$(text raw.data | grep -c cpu-clock)" ]
