# SPDX-License-Identifier: GPL-2.0-only
# For the tests of a perf report that is interrupted.
# interrupted WHEN...: the report that runs as $report gets SIGINT once WHEN... holds, and ends by it.
interrupted() {
	local got=0
	wait_until "$@"
	kill -INT $report
	wait $report || got=$?
	[ $got = 130 ] || fail "status $got: $(cat err)"
}
# In a shell job SIGINT would be ignored.
report_of() {
	env --default-signal=INT "$PERF" report --stdio -i "$@" >out 2>err &
	report=$!
}
