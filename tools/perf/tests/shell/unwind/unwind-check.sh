#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: perf unwind check names wrong rows, and says so by its exit status
. "$PERF_TEST_DIR/shell/lib.sh"

data=$PERF_TEST_DIR/data/sframe

perf unwind check "$data/prog_x86_v3" >out
has out " 33 rows .* same$"
has out "missing _start$"
has out " 0 rows .* wrong$"
has out "before .eh_frame in the default order$"
has out "1 times: .plt.got"

fails 1 perf unwind check "$data/cases_x86_v2.o" >out
[ "$(grep -c "^    cause " out)" = 5 ]
has out "ignored .cfi_undefined"
has out "behind .eh_frame in the default order$"
