#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: copies stitched while recording give the same stacks as copies read later
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

record() { perf record -q -e cpu-clock -F 499 -g --defer=copy "$@" >record.log 2>&1; }

# stacks FILE: each sample's user functions, innermost first, on one line.
stacks() {
	perf script -i "$1" -F ip,sym >text
	awk '
		/^$/ { if (s) print s; s = ""; next }
		$1 !~ /^ffff/ { s = s " " $2 }
		END { if (s) print s }
	' text
}

# Nearly all of the samples in the loop must show all frames down to where the process began. With
# the sanitizers 4 of 199 ended in main() once, on a busy machine, and it is not known why.
least=98
! is_sanitized || least=95
check() {
	local all whole want=$1
	stacks perf.data | grep -E '(workload|test)_loop' >stacks || { cat record.log; fail "no samples"; }
	all=$(wc -l <stacks)
	whole=$(grep -Ec -- "$want" stacks) || true
	[ "$all" -ge 50 ] || fail "only $all samples"
	[ $((whole * 100)) -ge $((all * least)) ] || {
		cat record.log
		grep -Ev -- "$want" stacks | head -n 5
		perf script -i perf.data -F whole | sort | uniq -c
		fail "$whole of $all: $want"
	}
}

deep='workload_loop( workload_deep){20} deep .* main .*__libc_start_.* _start$'
record -- "$PERF" test -w deep 20 0.4
check "$deep"
record --no-stitch -- "$PERF" test -w deep 20 0.4
check "$deep"

# Threads begin elsewhere, in functions that a libc without debug symbols has no names for.
nameless='libc\.so\.6\+0x[0-9a-f]+'
record -- "$PERF" test -w thloop 0.4 3
check "test_loop (thfunc (start_thread|$nameless) ((__)?clone3?|$nameless)|thloop .* main .*__libc_start_.* _start)\$"

# Children that are gone when the recording ends.
record -- "$PERF" test -w forker 6 0.05
check 'workload_loop forker .* main .*__libc_start_.* _start$'
