#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: perf of the kernel's tools reads the recording without a word
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
need_upstream
record_ids perf.data tls:perf_test_activity "$PERF" test -w activity value 0.3 1
perf record -q -F 2000 -e cpu-clock:u -g --defer=copy --activity=tls:perf_test_activity -o chains.data -- \
	"$PERF" test -w activity value 0.2 1 2>err
for file in perf.data chains.data; do
	"$UPSTREAM" script -f -i $file -F comm,tid,time,event,ip >theirs 2>words
	! grep -Ev "$LOST" words || fail "$file: $(cat words)"
	perf script -i $file -F comm,tid,time,event,ip >ours
	[ "$(grep -c cpu-clock theirs)" = "$(grep -c cpu-clock ours)" ] || fail "$file: other samples"
	"$UPSTREAM" report -f -i $file --stdio >report 2>words
	! grep -Ev "$LOST" words || fail "$file: $(cat words)"
	[ "$(grep -c 'of event' report)" = 1 ] || fail "$file: $(grep 'of event' report)"
	"$UPSTREAM" script -f -i $file -D >dump 2>words
	! grep -Ev "$LOST" words || fail "$file: $(cat words)"
done
