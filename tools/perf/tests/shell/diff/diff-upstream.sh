#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff prints what the perf of the kernel's tools prints of the same recordings
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
! is_sanitized || skip "the names of the sanitizers' C++ are not demangled alike"
need_upstream
need_event cpu-clock

# Functions without a name are rows of their own here, and addresses upstream: a rare sample in
# a library that is stripped would differ.
record_named() { # FILE WORKLOAD SECONDS
	local i
	for ((i = 0; i < 20; i++)); do
		perf record -q -e cpu-clock:u -F 997 -o "$1" -- "$PERF" test -w "$2" "$3"
		perf script -i "$1" -F ip,sym >syms
		grep -Eq '\[unknown\]|\+0x| \.plt$' syms || return 0
	done
	skip "each recording has samples in functions without a name: $(grep -E '\[unknown\]|\+0x| \.plt$' syms | head -n 1)"
}
record_named noploop.data noploop 0.2
record_named deep.data deep 0.3
record_named chain.data chain 0.2
# Upstream makes a column of binaries wider when one of its samples has no symbol, which is not asked
# for here, and found out for nothing else: those widths are not compared. Nor are files of functions
# of one name, which upstream takes for one, and parameters.
plain() { # FILE OPTIONS
	sed -Ei 's/(\[\.\] [^(]*[^( ]) *\(.*\)$/\1/' "$1"
	case $2 in -s*dso*) sed -Ei 's/[ .]+$//' "$1" ;; esac
}

n=0 equal=0
for files in 'noploop.data deep.data' 'deep.data chain.data' 'deep.data noploop.data chain.data'; do
	for o in '' '-c delta' '-c ratio' '-c wdiff:1,2' '-p' '-F' '-p -F -c ratio' '-o 0' -b -q '-t,' '-s dso' \
		'-s sym' '-s comm,dso' '-s pid' '-C perf' '-s cpu,sym'; do
		in_share 3 || continue
		"$UPSTREAM" diff $o $files >want 2>upstream.err || skip "$UPSTREAM diff $o: $(tail -n 1 upstream.err)"
		perf diff $o $files >out
		plain want "$o"
		plain out "$o"
		n=$((n + 1))
		if cmp -s want out; then equal=$((equal + 1)); else diff want out >"difference.$n" || echo "perf diff $o $files:" && head -n 6 "difference.$n"; fi
	done
done
echo "$equal of $n are equal"
[ "$equal" = "$n" ] || fail "$((n - equal)) of $n differ"
