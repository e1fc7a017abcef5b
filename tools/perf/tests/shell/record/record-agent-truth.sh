#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent --activity: no sample gets another one's record, and ids are its own
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent
! is_sanitized || skip "perf itself is recorded here, and sanitizers cannot be loaded behind the agent"

# Threads whose stacks spell the number that they have in a variable, while addresses and stack
# pointers stay the same: with signals of their own, lost records, and SIGTRAP blocked.
python "$PERF_TEST_DIR/../bench/agent-truth" --perf "$PERF" --seconds 0.5 --freq 2000 --threads 3 >out || fail "$(cat out)"
[ "$(awk -F'|' 'NR > 2 && $6 == 0' out | wc -l)" = 5 ] || fail "$(cat out)"
# mode LEAST MOST: percent of the samples that have a record.
mode() {
	awk -F'|' -v mode=" $1 " -v least="$2" -v most="$3" '$2 == mode && $4 > 200 { split($5, f, /[(%]/)
		found = f[2] >= least && f[2] <= most } END { exit !found }' out || fail "$1: $(cat out)"
}
# A record that is missing costs its own sample and the next one's: 0.95 and 0.7, squared.
mode plain 97 100
mode timer 95 100
mode drop5 84 95
mode drop30 42 57
mode blocked 4 20
cat out

# Threads that stop themselves, by timers: the record and the sample are made of the same moment.
python "$PERF_TEST_DIR/../bench/agent-truth" --perf "$PERF" --clock --modes plain,drop30 --seconds 1 --threads 3 >out ||
	fail "$(cat out)"
[ "$(awk -F'|' 'NR > 2 && $6 == 0 && $4 > 100' out | wc -l)" = 2 ] || fail "$(cat out)"
# All have it, and those that are dropped are no samples. Some of the few have no id: the first ones,
# before the variable is found.
mode plain 90 100
mode drop30 90 100
# But for those that a busy machine loses, or that meet the end of a thread.
[ "$(grep -cE '\| ([0-9]+) of (\1 samples matched|[0-9]+ samples matched \([0-9.]+ %\), [0-9]+ not: ([0-9]+ (lost|exited)(, )?)+( ?[;|]| *$))' out)" = 2 ] ||
	fail "$(cat out)"
awk -F'|' '$2 == " drop30 " { n = split($7, w, " "); for (i = 1; i < n; i++) if (w[i + 1] == "samples" && w[i + 2] == "without") gone = w[i]
	found = gone > 0.2 * ($3 + gone) && gone < 0.6 * ($3 + gone) } END { exit !found }' out || fail "$(cat out)"

# ids MODE KEY: those who read the other forms, and find what it is that each thread says.
ids() {
	"$PERF" record --agent --activity="$2" -e cpu-clock -F 2000 -o i.data -- "$PERF" test -w activity "$1" 1 2>err || fail "$(cat err)"
	"$PERF" script -i i.data -F activity >ids
	grep -c "$3" ids || fail "$1: $(head ids)"
	[ "$(grep -c "$3" ids)" -gt "$(($(grep -c . ids) / 2))" ] || fail "$1: $(sort ids | uniq -c | sort -n | tail -n 3)"
}
ids otel otel '^ *[0-9a-f]\{16\}0000000000000000/0[123]00000000000000 {route=/api, user=bob}'
ids labels labels '{id=.*user=bob'
# Records that lie end nothing, nor does a fault that is none and does not come again.
"$PERF" record --agent --activity -e cpu-clock -F 2000 -o h.data -- "$PERF" test -w activity faulty 0.3 2>err || fail "$(cat err)"
[ "$(matched err)" -gt 100 ] || fail "$(cat err)"
