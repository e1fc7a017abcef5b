#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: shares of all functions add up to all of it
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data -q --no-children -g none -F period,sym >periods
perf script -i x.data -G -F event,period | awk '{ s[$2] += $1 } END { for (e in s) print s[e] }' | sort >want
awk 'NF { s += $1 } !NF && s { print s; s = 0 } END { if (s) print s }' periods | sort >got
diff want got
