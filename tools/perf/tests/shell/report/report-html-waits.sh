#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --html: time on and off the CPU in one graph adds up
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-page.sh"
need_browser

perf record -q --off-cpu -e cpu-clock -F 1000 -g -o w.data -- "$PERF" test -w switcher 2>err ||
	skip "cannot record time off the CPU here: $(head -n 1 err)"
perf report --html w.html -i w.data 2>err
in_browser waits w.html
