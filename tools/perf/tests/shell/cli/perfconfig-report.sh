#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ~/.perfconfig: defaults of perf report, below what is typed; other files, and none
. "$PERF_TEST_DIR/shell/cli/lib-perfconfig.sh"

cat >"$conf" <<'END'
[report]
	children = false
	percent-limit = 60
	sort_order = comm,sym ; and nothing else
[call-graph]
	print-type = flat
END
report
has_not err .
has out '^# Overhead +Command +Symbol'
has_not out 'Children|Shared Object|^ +[1-5]?[0-9]\.[0-9]+% '
# What is typed comes last; and the file can be left out.
report --children -s dso
has out '^# Children +Self +Shared Object'
PERF_CONFIG_NOGLOBAL=1 report
has out '^# Children +Self +Command'
PERF_CONFIG=/dev/null report
has out '^# Children +Self +Command'
printf '[report]\nsort_order = pid\n' >other
PERF_CONFIG=other report
has out '^# Children +Self +Pid'
