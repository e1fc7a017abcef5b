#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: with little memory it says so, or does with what there is
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
! is_sanitized || skip "the shadow memory of the sanitizers does not fit"

"$PERF" test -w thloop 200 21 & many=$!
wait_until has_threads $many 21
for kb in 20000 40000 60000 80000 100000; do
	status=0
	(ulimit -v $kb; exec "$PERF" record --defer=copy -e cpu-clock -o v.data -p $many -- \
		sleep 0.2) 2>err || status=$?
	[ "$status" -le 1 ] || fail "ulimit -v $kb: status $status: $(cat err)"
	[ "$status" = 0 ] || has err '^Error: .*([Mm]emory|unavailable)'
done
end $many
