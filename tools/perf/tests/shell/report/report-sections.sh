#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: a section for each event; the same of perf.data and of a pipe
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data >all
has all "^# Samples: .* of event 'cpu-clock$U'\$" "^# Samples: .* of event 'task-clock$U'\$" \
	'^# Children +Self  Command +Shared Object +Symbol' '^# Event count \(approx\.\): [0-9]+$'
cp x.data perf.data
perf report --stdio | cmp - all
perf report -i - <x.data | cmp - all
