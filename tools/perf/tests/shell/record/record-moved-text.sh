#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: code that a program has moved to memory keeps its rows and names; other code gets none
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

check() { # RIGHT: of 100 samples with moved_leaf() so many are to be called by moved_caller()
	perf data convert --to folded -i r.data -o - -q >folded
	awk -v right="$1" '
		/run_moved;moved_caller;moved_leaf / { n += $NF }
		/\[JIT\]|memfd:text|moved_leaf / { all += $NF }
		END { exit !(all && (right ? n * 100 >= right * all : !n)) }' folded ||
		{ tail -3 err; cat folded; fail "not $1 % of the stacks in moved code are whole"; }
}

modes=copy
[ -z "$U" ] && modes="copy bpf"
for defer in $modes; do
	for how in anon:90 memfd:90 changed:0; do
		in_share 2 || continue
		perf record -e "cpu-clock$U" -F 999 -g "--defer=$defer" -o r.data -- \
			"$PERF" test -w movedtext ${how%:*} 0.4 2>err || { cat err; fail record; }
		check ${how#*:}
		[ $how = changed:0 ] || cp r.data moved.data

		# It has done so before.
		"$PERF" test -w movedtext ${how%:*} 100 & pid=$!
		wait_until awk '$2 == "r-xp" || $2 == "r-xs" { n += !$6 || /memfd/ } END { exit !n }' /proc/$pid/maps
		perf record -e "cpu-clock$U" -F 999 -g "--defer=$defer" -o r.data -p $pid -- \
			"$PERF" test -w waiter $pid 0.4 2>err || { cat err; fail "record -p"; }
		kill $pid
		check ${how#*:}
	done
done

# The recording says so by a mapping of the file; another reader finds it, too.
perf script -i moved.data --show-mmap-events -F comm | grep -c 'MMAP2.*perf$' >maps
[ "$(cat maps)" -ge 2 ] || fail "no mapping of the file again"

# Where it is moved all the time, or takes turns with other code, that code gets no other's name.
for defer in $modes; do
	perf record -e "cpu-clock$U" -F 999 -g "--defer=$defer" -o r.data -- \
		"$PERF" test -w movedtext again 0.4 2>err || { cat err; fail "record again"; }
	perf record -e "cpu-clock$U" -F 999 -g "--defer=$defer" -o r.data -- \
		"$PERF" test -w movedtext turns 1 2>err || { cat err; fail "record turns"; }
	perf data convert --to folded -i r.data -o - -q >folded
	awk '/run_other;moved/ { exit 1 }' folded || { cat folded; fail "code by the name of other code"; }
	grep -q 'run_file;moved_leaf' folded || { cat folded; fail "the file's code has no name"; }
done
