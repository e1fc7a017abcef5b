#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report -n, -t, -s: columns, and what may not divide them
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data -n -t ';' -g none --no-children >out
has out '^# Overhead;' '^ [0-9.]+% *; [0-9]+ *;sh'
perf report -i x.data -n -t . >out 2>err && fail "-t . was taken"
has err 'field-separator'
perf report -i x.data -q --no-children -g none -s +pid >out
has out '^ +[0-9.]+%  sh +\S+ +\[.\] .*[0-9]+:sh'
