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
perf report --stdio --off-cpu --no-children -g none --sort state -F period,sample,state -i w.data >states 2>err
# Preempted or blocked, and how: of the lines "PERIOD SAMPLES STATE".
STATES=$(awk '$3 ~ /^(blocked|runnable)$/ { ns[$3] += $1 }
	END { printf "{\"blocked\": %.0f, \"runnable\": %.0f}", ns["blocked"], ns["runnable"] }' states)
export STATES
in_browser waits w.html
