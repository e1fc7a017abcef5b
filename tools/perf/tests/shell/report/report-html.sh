#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --html: a page that a browser shows: zoom, search, times, keys, callers, table
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-page.sh"
need_event cpu-clock
need_browser

perf record -q -F 2000 --sample-cpu --call-graph dwarf -e cpu-clock$U -o deep.data -- "$PERF" test -w deep 20 0.4
perf report --html deep.html -i deep.data 2>err
has err 'perf report: [0-9]* samples as html: .* in deep.html'
perf report --html half.html --percent-limit 50 -i deep.data 2>err
in_browser half half.html use deep.html
