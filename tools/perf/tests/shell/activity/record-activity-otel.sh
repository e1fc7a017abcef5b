#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: trace, span and named attributes of OpenTelemetry, and custom labels
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
nm "$PERF" 2>/dev/null | grep otel_thread_ctx_v1 >/dev/null || skip "this perf has no symbols, or there is no nm"
record_ids perf.data otel "$PERF" test -w activity otel 0.5 2
check_ids perf.data 500
# The last of two values, names from the process; an unknown name and a cut value are none.
grep -q '/0200000000000000 {route=/api, user=bob} ' ids.txt || fail "$(tail -n 3 ids.txt)"
has_not ids.txt 'old|cut|=x'
all=$(grep -c 'user=bob' ids.txt)
[ "$(perf script -i perf.data --activity user=bob -F tid | wc -l)" = "$all" ]
[ "$(perf script -i perf.data --activity user=bo -F tid | wc -l)" = 0 ]
[ "$(perf script -i perf.data --activity 0100000000000000,0200000000000000,0300000000000000 -F tid | wc -l)" -ge "$all" ]

record_ids labels.data labels "$PERF" test -w activity labels 0.3 1
perf script -i labels.data -F tid,activity >text
# The first of two values counts here, a key without bytes is none, and long values are cut. The bytes
# of the id are a number's, which may look like anything, "x}" included.
LC_ALL=C sed -E 's/\{id=.{8}, /{/' text >named
has named '[ {]user=bob, long=xsecondbob'
has_not named 'id=second' '=x[,}]'
