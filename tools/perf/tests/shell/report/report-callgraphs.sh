#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report -g: folded callchains hold all samples; each form is printed
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data -q --no-children -s comm -g folded,0,caller,count >folded
want=$(perf script -i x.data -F event | grep -c .)
got=$(awk '/^[0-9]/ { s += $1 } END { print s }' folded)
[ "$want" = "$got" ] || fail "$got samples are folded, $want were taken"

for g in graph fractal flat folded none caller callee graph,5,3,callee,address,period; do
	perf report -i x.data -g $g >out
	has out '^ +[0-9.]+% +[0-9.]+%  sh '
done
