#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf test -w: the workloads do what system tests rely on
. "$PERF_TEST_DIR/shell/lib.sh"

cpu_ms() { # COMMAND...: its CPU time
	local TIMEFORMAT='%3U %3S' t
	t=$( { time "$@" >/dev/null 2>&1; } 2>&1 )
	t=($(tr -d . <<<"$t"))
	echo $((10#${t[0]} + 10#${t[1]}))
}
at_least() { [ "$1" -ge "$2" ] || fail "$3 used the CPU for $1 ms, not $2"; }

at_least "$(cpu_ms perf test -w noploop 0.2)" 190 noploop
at_least "$(cpu_ms perf test -w thloop 0.1 3)" 280 thloop
for name in brstack datasym inlineloop leafloop; do
	at_least "$(cpu_ms perf test -w $name 0.1)" 90 $name
done
at_least "$(cpu_ms perf test -w deep 500 0.1)" 90 deep
at_least "$(cpu_ms perf test -w forker 4 0.05)" 180 forker
at_least "$(cpu_ms perf test -w execer 0.1)" 180 execer
[ "$(cpu_ms perf test -w sleeper 0.1)" -lt 90 ] || fail "sleeper used the CPU"
perf test -w exiter
fails 42 perf test -w exiter 42
status=0
perf test -w exiter kill || status=$?
[ "$status" = 137 ] || fail "exiter kill: status $status"
fails 129 perf test -w nosuch 2>err
has err "Unknown workload 'nosuch'. There are: activity agent brstack chain "
perf test -vv -F Symbols >out 2>&1 || [ $? = 77 ]
grep -q 'perf is stripped' out || has out '[[:space:]]noploop$' '[[:space:]]test_loop$'
perf test --list-workloads >out
has out '^deep$' '^noploop$' '^spell$' '^switcher$' '^chain$'
