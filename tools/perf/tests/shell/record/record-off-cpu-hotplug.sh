#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a CPU comes online: -a opens events there; else what follows is unknown
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hotplug.sh"
ln -s /usr/bin/python3 plug-moves # a name that no other test's program has

record() { # JOINS OPTION...
	echo 0 >cpus
	# From its exec on it is where events are.
	taskset -c 0 "$PERF" record "${@:2}" -e cpu-clock --off-cpu -- \
		./plug-moves moves.py "$all" "$1" >went_on 2>err || fail "$(cat err)"
	perf report --times thread >times 2>report_err
	grep -E 'blocked|plug-moves' times
}

for cpus in "" "-C 0"; do
	record no $cpus
	has err '^Warning: CPU [0-9]+ came online .* and was not recorded, and off-CPU times' \
		'unknown from when a CPU came online'
	# Waits before that are known; neither the second nor what comes behind it is one.
	awk '$NF == "plug-moves" { found = 1; bad = $5 < 1.05 || $4 < 0.01 }
		END { exit !found || bad }' times || fail "'$cpus': $(cat times)"
done

# What follows is known, but for the moment in which there was none.
record joins -a -F 999
has err 'a CPU came online, and was recorded from then on'
has_not err 'Warning: CPU|unknown from when'
! grep -Eq 'records? lost' err || skip "the machine is too busy to record it whole: $(tail -n 1 err)"
perf script --comm plug-moves --cpu "$last" -F comm,event,cpu >there
[ "$(grep -c cpu-clock there)" -gt 0 ] || fail "no samples on CPU $last: $(cat err)"
# Its time before, some 0.7 s, and what it says.
awk -v said="$(cat went_on)" '$NF == "plug-moves" { found = 1; bad = $1 - $5 < said }
	END { exit !found || bad }' times || fail "it went on for $(cat went_on) s: $(cat times)"
