#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --html: the call tree and the functions have the numbers of --stdio
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-page.sh"
need_event cpu-clock
need_browser

views() { # {inlined | plain} [OPTION...]
	local kind=$1
	shift
	perf report --html $kind.html "$@" -i deep.data 2>err
	perf report --stdio --no-children -g caller,0,folded,count --percent-limit 0 "$@" -i deep.data >$kind.folded 2>err
	perf report --stdio --children -g none --sort sym,dso --percent-limit 0 "$@" -i deep.data >$kind.table 2>err
}
perf record -q -F 2000 --call-graph dwarf -e cpu-clock$U -o deep.data -- "$PERF" test -w deep 20 0.4
views inlined
views plain --no-inline
python "$PERF_TEST_DIR/lib/page-numbers.py" inlined plain
