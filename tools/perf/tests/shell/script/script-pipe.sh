#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: the same of a pipe; -G is a line for each sample
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

perf script -i - <x.data | cmp - all
[ "$(perf script -i x.data -G | wc -l)" = "$samples" ] || fail "-G does not give a line per sample"
